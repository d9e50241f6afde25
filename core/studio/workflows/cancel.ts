// Cancels a workflow at its owner's request: steps that have not started end immediately, running ones as soon as their providers have
// stopped.
import { AppError } from "../../../proto/codes.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { announce, type Moved, moveOn, type WorkflowRef } from "./advance.ts";
import { findWorkflow } from "./store.ts";

/** A repeat changes nothing. Errors: workflow_not_found, workflow_not_cancellable. */
export async function cancelWorkflow(app: App, ref: WorkflowRef, signal?: AbortSignal): Promise<void> {
  const work = async (tx: TxContext): Promise<Moved | undefined> => {
    const workflow = await findWorkflow(app.mongo.db, ref, tx);
    if (!workflow) throw new AppError("workflow_not_found");
    const { state, cancel_requested_at: cancelRequestedAt } = workflow;
    // A repeat: the first answer may have been lost.
    if (state === "cancelled" || (state === "running" && cancelRequestedAt)) return undefined;
    if (state !== "running")
      throw new AppError("workflow_not_cancellable", {
        message: `This workflow has ended: it is ${state}.`,
      });
    return moveOn(app, workflow, { gifts: new Map(), set: { cancel_requested_at: tx.now } }, tx);
  };
  // Nothing is done for a caller who has gone.
  const beforeCommit = () => {
    if (signal?.aborted) throw new AppError("deadline_exceeded");
  };
  const moved = await app.mongo.contention.run(() => inTx(app, work, { beforeCommit }));
  if (moved) announce(app, moved);
}
