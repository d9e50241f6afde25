// Approvals as the user sees them.
import type { ApprovalResource } from "../../../proto/resources/confirmation.ts";
import { whatFor } from "./rules.ts";
import type { ApprovalDoc } from "./store.ts";

/** `others` are further requests that wait. */
export function toApproval(doc: ApprovalDoc, others: readonly ApprovalDoc[] = []): ApprovalResource {
  const { confirmation_id, state, key_id, key_name, credits, above, jobs, work, created_at, expires_at } =
    doc;
  return {
    confirmation_id,
    state,
    key_id,
    key_name,
    credits,
    confirm_above: above,
    jobs: jobs.map((job) => ({ ...job })),
    ...(work !== undefined && { work }),
    ...(others.length > 0 && { others: others.map(toWaiting) }),
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}

function toWaiting(doc: ApprovalDoc): NonNullable<ApprovalResource["others"]>[number] {
  const { confirmation_id, key_name, credits } = doc;
  return { confirmation_id, key_name, credits, what: whatFor(doc) };
}
