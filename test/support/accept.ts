// Requests for tests, and jobs made from them and cancelled: a new request field affects only the tests about it.
import type { App } from "../../core/kernel/app.ts";
import { acceptJobs } from "../../core/studio/jobs/accept.ts";
import { createCancelQueue } from "../../core/studio/jobs/cancel.ts";
import type { AcceptRequest } from "../../core/studio/jobs/check-request.ts";
import type { JobsApp } from "../../core/studio/jobs/local-dispatch.ts";
import type { JobDoc } from "../../core/studio/jobs/store.ts";
import type { Caller } from "../../proto/caller.ts";
import type { JobRequest } from "../../proto/resources/job.ts";

/** The plainest request for the model `picture`, with a test's changes. */
export function askFor(
  caller: Caller,
  change: Partial<JobRequest> = {},
  idempotencyKey: string | null = null,
): AcceptRequest {
  return {
    caller,
    request: { modality: "image", model_slug: "picture", prompt: "a pier", ...change },
    idempotencyKey,
  };
}

/** This many jobs of one request, accepted together. */
export async function acceptMany(app: JobsApp, count: number, request: AcceptRequest): Promise<JobDoc[]> {
  const results = await acceptJobs(app, Array<AcceptRequest>(count).fill(request));
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value.job;
  });
}

export async function acceptOne(
  app: JobsApp,
  caller: Caller,
  change: Partial<JobRequest> = {},
): Promise<JobDoc> {
  const [job] = await acceptMany(app, 1, askFor(caller, change));
  if (!job) throw new Error("one is asked for, and one is answered");
  return job;
}

/** As the owner requests it, without parallel cancels. */
export async function cancelJob(app: App, accountId: string, jobId: string): Promise<void> {
  await createCancelQueue(app)({ accountId, jobId });
}
