// Shared fixtures of the webhook tests: due rows, a job record, and a deliverer that ends with the test.
import { onTestFinished } from "vitest";
import { inTx } from "../../../../core/base/mongo/in-tx.ts";
import type { App } from "../../../../core/kernel/app.ts";
import {
  createDeliverer,
  type Deliverer,
  type DelivererOptions,
} from "../../../../core/studio/webhooks/deliver.ts";
import { queueDeliveries } from "../../../../core/studio/webhooks/queue.ts";
import type { DeliveryDoc } from "../../../../core/studio/webhooks/store.ts";
import { JOB } from "../../../../gateway/openapi/examples.ts";
import type { JobResource } from "../../../../proto/resources/job.ts";
import { waitFor } from "../../../support/wait-for.ts";

export function jobRecord(jobId: string): JobResource {
  return {
    ...JOB,
    job_id: jobId,
    prompt: "a lighthouse, grüße 🎨",
    params: { count: 1 },
    events: [],
    outputs: [],
    callback: { url: "https://example.com/", status: "pending", attempts: 0 },
  };
}

/** Tests of one file share a database and start without deliveries and secrets. */
export async function clearCallbacks(app: App): Promise<void> {
  for (const name of ["deliveries", "callback_secrets"]) await app.mongo.db.collection(name).deleteMany({});
}

let lastJob = 0;

/** Queues the end of `count` jobs with this callback_url, as the finalizing transaction does. */
export async function queueEnds(app: App, url: string, count = 1, accountId = "acc_1"): Promise<string[]> {
  const jobIds = Array.from({ length: count }, () => `job_${(lastJob += 1)}`);
  const at = app.clock.now();
  await inTx(app, (tx) =>
    queueDeliveries(
      app,
      tx,
      jobIds.map((jobId) => ({ accountId, jobId, url, event: "job.completed", at })),
    ),
  );
  return jobIds;
}

export function startDeliverer(app: App, options: Partial<DelivererOptions> = {}): Deliverer {
  const deliverer = createDeliverer(app, {
    loadJob: async (_accountId, jobId) => ({ job: jobRecord(jobId) }),
    loadWorkflow: () => Promise.reject(new Error("these are about jobs")),
    pollMs: 20,
    random: () => 0,
    ...options,
  });
  onTestFinished(() => deliverer.stop());
  deliverer.start();
  return deliverer;
}

export async function findDelivery(app: App, jobId: string): Promise<DeliveryDoc> {
  const doc = await app.mongo.db.collection<DeliveryDoc>("deliveries").findOne({ job_id: jobId });
  if (!doc) throw new Error(`no delivery of ${jobId}`);
  return doc;
}

/** Waits until this many attempts at the job's delivery are recorded. */
export async function waitForAttempts(
  app: App,
  jobId: string,
  count: number,
  boundMs?: number,
): Promise<DeliveryDoc> {
  return waitFor(
    `${count} attempts of ${jobId}`,
    async () => {
      const doc = await findDelivery(app, jobId);
      return doc.attempt_count >= count && doc;
    },
    boundMs,
  );
}

export async function waitForStatus(
  app: App,
  status: DeliveryDoc["status"],
  count: number,
  boundMs?: number,
): Promise<void> {
  const deliveries = app.mongo.db.collection<DeliveryDoc>("deliveries");
  await waitFor(
    `${count} deliveries ${status}`,
    async () => (await deliveries.countDocuments({ status })) === count,
    boundMs,
  );
}
