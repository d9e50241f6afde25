// What several slices share within one core or worker: made once, and passed to each slice that needs it.
import { createCatalog } from "../shop/catalog/live-catalog.ts";
import { createAcceptQueue } from "../studio/jobs/accept-queue.ts";
import { createCancelQueue } from "../studio/jobs/cancel.ts";
import { createWatching, findOwnJob } from "../studio/jobs/get.ts";
import type { JobsApp } from "../studio/jobs/local-dispatch.ts";
import { receiptOf } from "../studio/jobs/receipt.ts";
import { toJob } from "../studio/jobs/resource.ts";
import type { TakeWebhook } from "../studio/jobs/rpc.ts";
import { takeWebhook } from "../studio/runs/take-webhook.ts";
import { createUploadReceiver } from "../studio/uploads/receive.ts";
import type { DelivererOptions } from "../studio/webhooks/deliver.ts";
import { createTestEvents } from "../studio/webhooks/test-event.ts";
import { createWorkflowWatching, findOwnWorkflow } from "../studio/workflows/get.ts";
import { toWorkflow } from "../studio/workflows/resource.ts";

export type CoreParts = ReturnType<typeof createCoreParts>;

export function createCoreParts(app: JobsApp) {
  const watching = createWatching(app);
  return {
    accept: createAcceptQueue(app),
    cancel: createCancelQueue(app),
    catalog: createCatalog(app),
    takeWebhook: ((...message) => takeWebhook(app, ...message)) satisfies TakeWebhook,
    testEvents: createTestEvents(app),
    uploads: createUploadReceiver(app),
    watching,
    watchingWorkflows: createWorkflowWatching(app, watching),
  };
}

export type WorkerParts = Pick<DelivererOptions, "loadJob" | "loadWorkflow">;

export function createWorkerParts(app: JobsApp): WorkerParts {
  return {
    loadJob: async (accountId, jobId) => {
      const job = await findOwnJob(app, accountId, jobId);
      return { job: await toJob(app, job), receipt: await receiptOf(app, job) };
    },
    loadWorkflow: async (accountId, workflowId) =>
      toWorkflow(app, await findOwnWorkflow(app, { accountId, workflowId })),
  };
}
