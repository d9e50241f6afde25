// Which job requests need approval, inside the transaction that accepts them, and which an approval starts.
import { AppError } from "../../../proto/codes.ts";
import type { JobRequest } from "../../../proto/resources/job.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { Identity } from "../../identity/accounts/rules.ts";
import { type Answers, type ApprovalRequest, findAnswers } from "../../identity/approvals/answers.ts";
import { mayHaveAnswers, needsApproval } from "../../identity/approvals/rules.ts";
import type { App } from "../../kernel/app.ts";
import type { AskedJob } from "../../../proto/resources/confirmation.ts";
import type { AcceptRequest, Checked } from "./check-request.ts";
import { hashRequest } from "./same-request.ts";

/** In characters. The approval of a longer request starts nothing: its program repeats it. */
const MAX_START = 64_000;

/** Without an Idempotency-Key: a job has one at most, that of the repeat which gets it. */
type Startable = Pick<AcceptRequest, "caller" | "request">;

/** A request that may need approval, or that an approval starts. */
type Asking = ApprovalRequest & Pick<AcceptRequest, "startsBy">;

/** Undefined if there cannot be an approval of the request. `requestSha256` is empty if it is not known yet. */
export function askingOf(
  { request, startsBy, requestSha256 }: AcceptRequest & { readonly requestSha256: string },
  identity: Identity | AppError | undefined,
): Asking | undefined {
  if (!identity || identity instanceof AppError) return undefined;
  if (!mayHaveAnswers(identity) && startsBy === undefined) return undefined;
  return { identity, sha256: requestSha256 || hashRequest(request), startsBy };
}

/** The job that the approval of the request has started, if this is the first repeat. */
export function takeStarted(answers: Answers, asking: Asking | undefined): string | undefined {
  return asking && asking.startsBy === undefined ? answers.takeStarted(asking) : undefined;
}

/** Whether an approval has started a job that the next repeat of the request gets. */
export async function hasStarted(app: App, one: AcceptRequest, identity: Identity): Promise<boolean> {
  const asking = askingOf({ ...one, requestSha256: "" }, identity);
  if (!asking || asking.startsBy !== undefined) return false;
  return inTx(app, async (tx) => (await findAnswers(app, [asking], tx)).startedJobs.length > 0);
}

/** Uses the approval up if it covers the request. */
export function refuseUnconfirmed(
  answers: Answers,
  asking: Asking | undefined,
  one: AcceptRequest & { readonly jobId: string },
  checked: Checked,
): AppError | undefined {
  if (!asking) return undefined;
  const { startsBy, identity } = asking;
  const { credits } = checked;
  const mayBeAsked = startsBy !== undefined || needsApproval(identity, credits);
  const start = mayBeAsked ? writeStart(one) : undefined;
  const jobs = [askedJob(one.request, checked)];
  const asked = { credits, jobs, ...(start && start.length <= MAX_START && { start }) };
  return startsBy === undefined
    ? answers.refuse(asking, asked, one.confirmedId)
    : answers.refuseStart(asking, asked, { startsBy, jobId: one.jobId });
}

function writeStart({ caller, request }: Startable): string {
  return JSON.stringify({ caller, request } satisfies Startable);
}

/** The refused request, which an approval starts. */
export function readStart(start: string, startsBy: string): AcceptRequest {
  return { ...(JSON.parse(start) as Startable), idempotencyKey: null, startsBy };
}

/** The request as the user is shown it: with defaults, because they determine the result too. */
export function askedJob(
  { metadata: _metadata, max_credits: _maxCredits, callback_url, ...asked }: JobRequest,
  { params }: Pick<Checked, "params">,
): AskedJob {
  return { ...asked, params, callback_url: callback_url ?? null };
}
