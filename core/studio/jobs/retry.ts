// Repeats the request of a job that made nothing: a new job, at today's price, that names the one before. There is at most one for each.
import { AppError, ERROR_TABLE, type ErrorCode } from "../../../proto/codes.ts";
import { generateRequestSchema, type JobRequest } from "../../../proto/resources/job.ts";
import type { Deadline } from "../../base/mongo/group-commit.ts";
import type { App } from "../../kernel/app.ts";
import type { UploadReceiver } from "../uploads/receive.ts";
import type { AcceptedJob } from "./accept.ts";
import type { WhyLeft } from "./act-rules.ts";
import type { AcceptRequest } from "./check-request.ts";
import { withInputs } from "./inputs.ts";
import type { JobDoc } from "./store.ts";

/** How requests are accepted in this process. */
export type Accepting = {
  readonly accept: (request: AcceptRequest, deadline: Deadline) => Promise<AcceptedJob>;
  readonly uploads: UploadReceiver;
};

export type Retried =
  | { readonly done: true; readonly job: JobDoc }
  /** With `isPassing`, a repeat may succeed: a limit that passes refused the job, or the outcome is unknown. */
  | { readonly done: false; readonly why: WhyLeft | ErrorCode; readonly isPassing?: boolean };

/**
 * The Idempotency-Key of a retry has a space in it, which no client's key may have, so the collection of keys holds at most one retry of a
 * job. A retry from before `begun` is not this operator's.
 */
export async function retryJob(
  app: App,
  { accept, uploads }: Accepting,
  job: JobDoc,
  { begun, deadline }: { begun: Date; deadline: Deadline },
): Promise<Retried> {
  const asked: AcceptRequest = {
    caller: { kind: "account", accountId: job.account_id, source: "system" },
    request: requestOf(job),
    idempotencyKey: `retry ${job._id}`,
    retryOf: job._id,
  };
  try {
    const accepted = await withInputs(app, uploads, asked, deadline.signal, (one) => accept(one, deadline));
    const isEarlier = accepted.replayed && accepted.job.created_at < begun;
    return isEarlier ? { done: false, why: "retried" } : { done: true, job: accepted.job };
  } catch (error) {
    if (deadline.signal.aborted) return { done: false, why: "deadline_exceeded", isPassing: true };
    if (!(error instanceof AppError)) throw error;
    const isPassing = ERROR_TABLE[error.code].retryable || error.code === "upload_limit_reached";
    return { done: false, why: error.code, isPassing };
  }
}

/** The owner's request. A drawn seed is drawn again. */
function requestOf(job: JobDoc): JobRequest {
  const { seed: _drawn, ...params } = job.params;
  const asked = { ...job, params: job.seed_drawn ? params : job.params };
  const fields = Object.entries(asked).filter(
    ([name, value]) => name in generateRequestSchema.shape && value !== null,
  );
  return Object.fromEntries(fields) as JobRequest;
}
