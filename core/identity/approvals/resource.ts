// Approvals as the user sees them.
import type { ApprovalResource } from "../../../proto/resources/confirmation.ts";
import { type NamedModels, whatFor } from "./rules.ts";
import type { ApprovalDoc } from "./store.ts";

type Around = {
  /** Further requests that wait. */
  readonly others: readonly ApprovalDoc[];
  readonly models: NamedModels;
  readonly isKeyEnded: boolean;
};
const ALONE: Around = { others: [], models: new Map(), isKeyEnded: false };

export function toApproval(
  doc: ApprovalDoc,
  { others, models, isKeyEnded }: Around = ALONE,
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
    ...(isKeyEnded && { key_ended: true }),
    created_at: doc.created_at.toISOString(),
    expires_at: doc.expires_at.toISOString(),
  };
}

function toWaiting(doc: ApprovalDoc, models: NamedModels): NonNullable<ApprovalResource["others"]>[number] {
  const { confirmation_id, key_name, credits } = doc;
  return { confirmation_id, key_name, credits, what: whatFor(doc, models) };
}
