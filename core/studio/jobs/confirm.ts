// Which job requests need approval, inside the transaction that accepts them, and which an approval starts.
import { AppError } from "../../../proto/codes.ts";
import type { JobRequest } from "../../../proto/resources/job.ts";
import type { Identity } from "../../identity/accounts/rules.ts";
import type { Answers, ApprovalRequest } from "../../identity/approvals/answers.ts";
import type { AskedJob } from "../../../proto/resources/confirmation.ts";
import type { AcceptRequest, Checked } from "./check-request.ts";
import { hashRequest } from "./same-request.ts";

/** In characters. The approval of a longer request starts nothing: its program repeats it. */
const MAX_START = 64_000;

/** Without an Idempotency-Key: a job has one at most, that of the repeat which gets it. */
type Startable = Pick<AcceptRequest, "caller" | "request">;

/** The requests whose keys have a threshold, or that an approval starts. */
export function askingOf(
  requests: readonly AcceptRequest[],
  identities: readonly (Identity | AppError)[],
): (ApprovalRequest & Pick<AcceptRequest, "startsBy">)[] {
  return requests.flatMap((one, i) => {
    const identity = identities[i];
    if (!identity || identity instanceof AppError || !mayAsk(one, identity)) return [];
    return [{ ...askingFor(one, identity), startsBy: one.startsBy }];
  });
}

/** The job that the approval of the request has started, if this is the first repeat. */
export function takeStarted(answers: Answers, one: AcceptRequest, identity: Identity): string | undefined {
  // Its digest is needed only where there is one.
  if (answers.startedJobs.length === 0 || one.startsBy !== undefined || !mayAsk(one, identity))
    return undefined;
  return answers.takeStarted(askingFor(one, identity));
}

/** Uses the approval up if it covers the request. */
export function refuseUnconfirmed(
  answers: Answers,
  one: AcceptRequest & { readonly jobId: string },
  identity: Identity,
  checked: Checked,
): AppError | undefined {
  if (!mayAsk(one, identity)) return undefined;
  const { startsBy, jobId } = one;
  const start = writeStart(one);
  const jobs = [askedJob(one.request, checked)];
  const asked = { credits: checked.credits, jobs, ...(start.length <= MAX_START && { start }) };
  const asking = askingFor(one, identity);
  return startsBy === undefined
    ? answers.refuse(asking, asked, one.confirmedId)
    : answers.refuseStart(asking, asked, { startsBy, jobId });
}

function mayAsk({ startsBy }: AcceptRequest, { confirm }: Identity): boolean {
  return confirm !== undefined || startsBy !== undefined;
}

function askingFor({ request }: AcceptRequest, identity: Identity): ApprovalRequest {
  return { identity, sha256: hashRequest(request) };
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
