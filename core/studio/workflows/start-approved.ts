// Starts the job or workflow that the user has approved, in the transaction that uses the approval up.
import type { Caller } from "../../../proto/caller.ts";
import { AppError } from "../../../proto/codes.ts";
import type { JobRequest } from "../../../proto/resources/job.ts";
import type { WorkflowRequest } from "../../../proto/resources/workflow.ts";
import { getApproval } from "../../identity/approvals/answer.ts";
import { orAsk } from "../../identity/approvals/ask.ts";
import type { ApprovalDoc, StartedFields } from "../../identity/approvals/store.ts";
import type { App } from "../../kernel/app.ts";
import type { AcceptedJob } from "../jobs/accept.ts";
import type { AcceptRequest } from "../jobs/check-request.ts";
import type { AcceptedWorkflow, WorkflowAsked } from "./accept.ts";

/** How requests are accepted. */
type Accepts = {
  readonly job: (one: AcceptRequest) => Promise<Pick<AcceptedJob, "job">>;
  readonly workflow: (one: WorkflowAsked) => Promise<Pick<AcceptedWorkflow, "workflow">>;
};

/**
 * Accepts the request with the key and the rights of its program. Changes nothing if the approval is no yes, or starts nothing. Throws
 * what accepting throws, with not_found for a key that has ended: the approval then stands, and a repeat of the request uses it, as after a
 * crash before this. If the price has changed, throws confirmation_required with another approval request.
 */
export async function startApproved(app: App, answered: ApprovalDoc, accepts: Accepts): Promise<ApprovalDoc> {
  const { state, start, account_id: accountId, confirmation_id: approvalId } = answered;
  if (state !== "yes" || start === undefined) return answered;
  try {
    // The user is on the page already, so no mail.
    const made = await orAsk(app, () => accept(start, approvalId, accepts), "");
    return { ...answered, state: "used", ...made };
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

/** `start` is the refused request, as refuseUnconfirmed of the jobs stores it. Only that of a workflow has steps. */
async function accept(start: string, startsBy: string, { job, workflow }: Accepts): Promise<StartedFields> {
  const { caller, request } = JSON.parse(start) as { caller: Caller; request: JobRequest | WorkflowRequest };
  const by = { caller, idempotencyKey: null, startsBy };
  return "steps" in request
    ? { workflow_id: (await workflow({ ...by, request })).workflow._id }
    : { job_id: (await job({ ...by, request })).job._id };
}

function keyEnded(): AppError {
  return new AppError("not_found", {
    message: "The key of this request was revoked or has expired, so nothing was started.",
    hint: "Give your program another key. Its next request asks you again.",
  });
}
