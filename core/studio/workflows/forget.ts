// Ends and erases the workflows of a deleted account. What the audit counts stays: the graph, state, price and times.
import type { App } from "../../kernel/app.ts";
import { forgetDeliveries } from "../webhooks/archive.ts";
import { cancelWorkflow } from "./cancel.ts";
import { eraseWorkflowCallbackUrls, eraseWorkflows, findWorkflowsLike } from "./store.ts";
import type { WorkflowDoc } from "./store.ts";

const PAGE = 200;

/**
 * Returns how many still run: their steps are cancelled, and a worker ends them once those have ended. Their words are erased then; their
 * addresses immediately, so that no end is announced any more. To be called before the jobs are erased; safe to repeat.
 */
export async function forgetWorkflows(app: App, accountId: string): Promise<number> {
  const { db } = app.mongo;
  // This comes first, so that no end of a workflow is announced any more.
  await eraseWorkflowCallbackUrls(db, accountId);
  let running = 0;
  let page: WorkflowDoc[] = [];
  do {
    const beforeId = page.at(-1)?._id;
    ({ found: page } = await findWorkflowsLike(db, { accountId, beforeId }, { limit: PAGE, maxRead: PAGE }));
    await forgetDeliveries(
      app,
      accountId,
      page.map(({ _id }) => _id),
    );
    for (const { _id: workflowId, state } of page) {
      if (state !== "running") continue;
      running += 1;
      await cancelWorkflow(app, { accountId, workflowId });
    }
    const ended = page.filter(({ state }) => state !== "running");
    await eraseWorkflows(
      db,
      accountId,
      ended.map(({ _id }) => _id),
    );
  } while (page.length === PAGE);
  return running;
}
