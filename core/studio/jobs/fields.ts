// The class of each field of a job, from its owner's view. Rows of the archive have the same fields. The store compares them with the type.

import { generateRequestSchema } from "../../../proto/resources/job.ts";
import { counted, hidden, owner, ownersFields } from "../../base/documents/fields.ts";

const EVENT_FIELDS = {
  ...counted("type", "state", "at"),
  detail: "owner",
} as const;

export const JOB_FIELDS = {
  // The fields of a request in addition to those that are classified below.
  ...ownersFields(generateRequestSchema.shape),
  ...counted("_id", "account_id", "key_id", "source", "modality", "model_slug", "provider"),
  ...counted("provider_model", "provider_options", "seed_drawn", "credits", "charged", "estimated_seconds"),
  ...counted("run_timeout_ms", "state", "version", "created_at", "queue_deadline", "started_at"),
  ...counted("ended_at", "cancel_requested_at", "epoch", "waited_ms", "rescues", "refunded_at", "retry_of"),
  ...counted("workflow_id"),
  prompt: { owner: "" },
  params: { owner: {} },
  metadata: { owner: {} },
  callback_url: { owner: null },
  ...hidden("max_credits", "allow_partial", "expires_in", "keep_days", "inputs", "trace", "counted_on"),
  ...hidden("events_on", "call"),
  fallbacks: { each: { provider: "counted", provider_model: "counted", provider_options: "counted" } },
  priced_by: "owner",
  delivered: { within: { unit: "counted", asked: "counted", got: "counted" } },
  held_from: { each: { grant_id: "counted", amount: "counted", expires_at: "counted" } },
  events: { each: EVENT_FIELDS },
  lease: { within: { worker: "counted", until: "counted" } },
  outputs: { owner: [] as never[] },
  error: { owner: null },
  starred: "owner",
} as const;

/** A share goes with its account. */
export const SHARE_FIELDS = {
  ...owner("_id", "job_id", "output_id", "shows_prompt", "created_at", "expires_at"),
  account_id: "hidden",
} as const;
