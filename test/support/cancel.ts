// Cancelling for tests that are not about many at once.
import type { App } from "../../core/kernel/app.ts";
import { createCancelQueue } from "../../core/studio/jobs/cancel-queue.ts";

/** At its owner's wish. */
export async function cancelJob(app: App, accountId: string, jobId: string): Promise<void> {
  await createCancelQueue(app)({ accountId, jobId });
}
