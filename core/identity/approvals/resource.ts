// Approvals as the user sees them.
import type { ApprovalResource } from "../../../proto/resources/confirmation.ts";
import type { ApprovalDoc } from "./store.ts";

export function toApproval(doc: ApprovalDoc): ApprovalResource {
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
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}
