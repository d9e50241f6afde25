// What a process needs to know about workflows.
import type { App } from "../../kernel/app.ts";
import type { Slice } from "../../kernel/slice.ts";
import { exportedDelivery } from "../webhooks/resource.ts";
import { createAdvancer } from "./advancer.ts";
import { answerHandlers } from "./answer-rpc.ts";
import { WORKFLOW_FIELDS } from "./fields.ts";
import { forgetWorkflows } from "./forget.ts";
import { listWorkflowDeliveries, type WorkflowWatching } from "./get.ts";
import { listWorkflows } from "./list.ts";
import { workflowsHandlers } from "./rpc.ts";
import { countRunning, WORKFLOW_COLLECTIONS } from "./store.ts";

/** More are not counted: a scrape must stay cheap when there are most. */
const MAX_COUNTED = 100_000;

type WorkflowsParts = Parameters<typeof answerHandlers>[1] & { watchingWorkflows: WorkflowWatching };

export const workflowsSlice: Slice<App, WorkflowsParts> = {
  name: "studio/workflows",
  collections: WORKFLOW_COLLECTIONS,
  serve: (app, { accept, uploads, watchingWorkflows: watching }) => ({
    Accounts: answerHandlers(app, { accept, uploads }),
    Workflows: workflowsHandlers(app, { watching, uploads }),
  }),
  observe: ({ metrics, mongo }) =>
    metrics.gauge("workflows_running", "Workflows that have not ended, counted up to 100,000.", () =>
      countRunning(mongo.db, MAX_COUNTED),
    ),
  owned: {
    archived: { workflows: WORKFLOW_FIELDS },
    export: {
      lists: {
        /** Their steps are among the jobs, too. */
        workflows: async (app, accountId, page) => {
          const { workflows, nextCursor } = await listWorkflows(app, { accountId, ...page });
          const rows = await Promise.all(
            workflows.map(async (workflow) => ({
              ...workflow,
              deliveries: (
                await listWorkflowDeliveries(app, { accountId, workflowId: workflow.workflow_id })
              ).map(exportedDelivery),
            })),
          );
          return { rows, nextCursor };
        },
      },
    },
    erase: { endWork: forgetWorkflows },
  },
  runners: [
    {
      what: "move workflows on",
      start: (app) => {
        const advancer = createAdvancer(app);
        advancer.start();
        return advancer;
      },
    },
  ],
};
