// Which requests for jobs need approval, inside the transaction that accepts them, and which an approval starts.
import type { Caller } from "../../../proto/caller.ts";
import { AppError } from "../../../proto/codes.ts";
import type { AskedJob } from "../../../proto/resources/confirmation.ts";
import type { JobRequest } from "../../../proto/resources/job.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { Identity } from "../../identity/accounts/rules.ts";
import {
  type Answers,
  type ApprovalRequest,
  type ApprovalTerms,
  findAnswers,
} from "../../identity/approvals/answers.ts";
import { mayHaveAnswers, needsApproval } from "../../identity/approvals/rules.ts";
import type { StartedFields } from "../../identity/approvals/store.ts";
import type { App } from "../../kernel/app.ts";
import type { AcceptRequest, Checked } from "./check-request.ts";

/** In characters. The approval of a longer request starts nothing: its program repeats it. */
const MAX_START = 64_000;

/** A request for a job or a workflow, and how an approval allows or starts it. */
type Startable = { readonly caller: Caller; readonly request: object } & Pick<
  AcceptRequest,
  "startsBy" | "confirmedId"
>;

/** A request that may need approval, or that an approval starts. */
type Asking = ApprovalRequest & Pick<AcceptRequest, "startsBy">;

/** Undefined if there cannot be an approval of the request. `sha256` returns the digest of the request. */
export function askingOf(
  { startsBy }: Pick<AcceptRequest, "startsBy">,
  identity: Identity | AppError | undefined,
  sha256: () => string,
): Asking | undefined {
  if (!identity || identity instanceof AppError) return undefined;
  if (!mayHaveAnswers(identity) && startsBy === undefined) return undefined;
  return { identity, sha256: sha256(), startsBy };
}

/** The id of the job or workflow that the approval of the request has started, if this is the first repeat. */
export function takeStarted(answers: Answers, asking: Asking | undefined): string | undefined {
  return asking && asking.startsBy === undefined ? answers.takeStarted(asking) : undefined;
}

/** Whether an approval has started what the next repeat of the request gets. */
export async function hasStarted(app: App, asking: Asking | undefined): Promise<boolean> {
  if (!asking || asking.startsBy !== undefined) return false;
  return inTx(app, async (tx) => (await findAnswers(app, [asking], tx)).started.length > 0);
}

/** Uses the approval up if it covers the request. `makes` is what a start by the approval makes. */
export function refuseUnconfirmed(
  answers: Answers,
  asking: Asking,
  { caller, request, confirmedId }: Startable,
  { makes, ...terms }: ApprovalTerms & { readonly makes: StartedFields },
): AppError | undefined {
  const { startsBy, identity } = asking;
  const mayBeAsked = startsBy !== undefined || needsApproval(identity, terms.credits);
  // It has no Idempotency-Key: what it makes has one at most, that of the repeat which gets it.
  const start = mayBeAsked ? JSON.stringify({ caller, request }) : undefined;
  const asked = { ...terms, ...(start && start.length <= MAX_START && { start }) };
  return startsBy === undefined
    ? answers.refuse(asking, asked, confirmedId)
    : answers.refuseStart(asking, asked, { startsBy, makes });
}

/** The request as the user is shown it: with defaults, because they determine the result too. */
export function askedJob(
  { metadata: _metadata, max_credits: _maxCredits, callback_url, ...asked }: JobRequest,
  { params }: Pick<Checked, "params">,
): AskedJob {
  return { ...asked, params, callback_url: callback_url ?? null };
}
