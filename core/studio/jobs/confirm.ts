// Which job requests need approval, inside the transaction that accepts them.
import { AppError } from "../../../proto/codes.ts";
import type { JobRequest } from "../../../proto/resources/job.ts";
import type { Identity } from "../../identity/accounts/rules.ts";
import type { Answers, ApprovalRequest } from "../../identity/approvals/answers.ts";
import type { AskedJob } from "../../../proto/resources/confirmation.ts";
import type { AcceptRequest, Checked } from "./check-request.ts";
import { hashRequest } from "./same-request.ts";

/** The requests whose keys have a threshold. */
export function askingOf(
  requests: readonly AcceptRequest[],
  identities: readonly (Identity | AppError)[],
): ApprovalRequest[] {
  return requests.flatMap(({ request }, i) => {
    const identity = identities[i];
    const mayAsk = identity && !(identity instanceof AppError) && identity.confirm;
    return mayAsk ? [{ identity, sha256: hashRequest(request) }] : [];
  });
}

/** Uses the approval up if it covers the request. */
export function refuseUnconfirmed(
  answers: Answers,
  { request, confirmedId }: AcceptRequest,
  identity: Identity,
  checked: Checked,
): AppError | undefined {
  if (!identity.confirm) return undefined;
  const asking = { identity, sha256: hashRequest(request) };
  return answers.refuse(
    asking,
    { credits: checked.credits, jobs: [askedJob(request, checked)] },
    confirmedId,
  );
}

/** The request as the user is shown it: with defaults, because they determine the result too. */
export function askedJob(
  { metadata: _metadata, max_credits: _maxCredits, callback_url, ...asked }: JobRequest,
  { params }: Pick<Checked, "params">,
): AskedJob {
  return { ...asked, params, callback_url: callback_url ?? null };
}
