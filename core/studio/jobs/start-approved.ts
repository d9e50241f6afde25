// Starts the job that the user has approved, in the transaction that uses the approval up.
import { AppError } from "../../../proto/codes.ts";
import { getApproval } from "../../identity/approvals/answer.ts";
import { orAsk } from "../../identity/approvals/ask.ts";
import type { ApprovalDoc } from "../../identity/approvals/store.ts";
import type { App } from "../../kernel/app.ts";
import type { AcceptRequest } from "./check-request.ts";
import { readStart } from "./confirm.ts";
import type { JobDoc } from "./store.ts";

/**
 * Accepts the request with the key and the rights of its program. Changes nothing if the approval is no yes, or is not for one job. Throws
 * what accepting throws, with not_found for a key that has ended: the approval then stands, and a repeat of the request uses it, as after a
 * crash before this. If the price has changed, throws confirmation_required with another approval request.
 */
export async function startApproved(
  app: App,
  answered: ApprovalDoc,
  accept: (one: AcceptRequest) => Promise<{ readonly job: Pick<JobDoc, "_id"> }>,
): Promise<ApprovalDoc> {
  const { state, start, account_id: accountId, confirmation_id: approvalId } = answered;
  if (state !== "yes" || start === undefined) return answered;
  try {
    // The user is on the page already, so no mail.
    const { job } = await orAsk(app, () => accept(readStart(start, approvalId)), "");
    return { ...answered, state: "used", job_id: job._id };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The user has sent no key, and is not to look for a mistake in one.
    if (error.code === "invalid_key") throw keyEnded();
    if (error.code !== "not_found") throw error;
    // The program repeated its request at the same time, or the user pressed twice or declined in another window.
    const now = await getApproval(app, { accountId, approvalId });
    if (now.state !== "yes") return now;
    throw error;
  }
}

function keyEnded(): AppError {
  return new AppError("not_found", {
    message: "The key of this request was revoked or has expired, so nothing was started.",
    hint: "Give your program another key. Its next request asks you again.",
  });
}
