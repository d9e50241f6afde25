// Approvals as the user sees them.
import type { ApprovalResource } from "../../../proto/resources/confirmation.ts";
import { type NamedModels, whatFor } from "./rules.ts";
import type { ApprovalDoc } from "./store.ts";

const NO_OTHERS = { others: [], models: new Map() } as const;

/** `others` are further requests that wait. */
export function toApproval(
  doc: ApprovalDoc,
  { others, models }: { others: readonly ApprovalDoc[]; models: NamedModels } = NO_OTHERS,
): ApprovalResource {
  const { confirmation_id, state, key_id, key_name, credits, above, jobs, work, start, job_id, workflow_id } =
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
    ...(start !== undefined && { starts: true }),
    ...(job_id !== undefined && { job_id }),
    ...(workflow_id !== undefined && { workflow_id }),
    ...(others.length > 0 && { others: others.map((one) => toWaiting(one, models)) }),
    created_at: doc.created_at.toISOString(),
    expires_at: doc.expires_at.toISOString(),
  };
}

function toWaiting(doc: ApprovalDoc, models: NamedModels): NonNullable<ApprovalResource["others"]>[number] {
  const { confirmation_id, key_name, credits } = doc;
  return { confirmation_id, key_name, credits, what: whatFor(doc, models) };
}
