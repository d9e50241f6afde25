// Cancelling for tests without parallel cancels.
import type { App } from "../../core/kernel/app.ts";
import { createCancelQueue } from "../../core/studio/jobs/cancel.ts";

/** As the owner requests it. */
export async function cancelJob(app: App, accountId: string, jobId: string): Promise<void> {
  await createCancelQueue(app)({ accountId, jobId });
}
