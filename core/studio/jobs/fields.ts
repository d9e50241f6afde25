// The class of each field of a job, from its owner's view. Rows of the archive have the same fields. The store compares them with the type.

import { generateRequestSchema } from "../../../proto/resources/job.ts";
import { ownersFields } from "../../base/documents/fields.ts";

const EVENT_FIELDS = {
  type: "counted",
  state: "counted",
  at: "counted",
  detail: "owner",
} as const;

export const JOB_FIELDS = {
  // The fields of a request in addition to those that are classified below.
  ...ownersFields(generateRequestSchema.shape),
  _id: "counted",
  account_id: "counted",
  key_id: "counted",
  source: "counted",
  modality: "counted",
  model_slug: "counted",
  prompt: { owner: "" },
  params: { owner: {} },
  metadata: { owner: {} },
  callback_url: { owner: null },
  max_credits: "hidden",
  allow_partial: "hidden",
  expires_in: "hidden",
  keep_days: "hidden",
  provider: "counted",
  provider_model: "counted",
  provider_options: "counted",
  fallbacks: { each: { provider: "counted", provider_model: "counted", provider_options: "counted" } },
  seed_drawn: "counted",
  inputs: "hidden",
  trace: "hidden",
  credits: "counted",
  priced_by: "owner",
  delivered: { within: { unit: "counted", asked: "counted", got: "counted" } },
  charged: "counted",
  held_from: { each: { grant_id: "counted", amount: "counted", expires_at: "counted" } },
  counted_on: "hidden",
  events_on: "hidden",
  estimated_seconds: "counted",
  run_timeout_ms: "counted",
  state: "counted",
  version: "counted",
  events: { each: EVENT_FIELDS },
  created_at: "counted",
  queue_deadline: "counted",
  started_at: "counted",
  ended_at: "counted",
  cancel_requested_at: "counted",
  epoch: "counted",
  lease: { within: { worker: "counted", until: "counted" } },
  call: "hidden",
  waited_ms: "counted",
  rescues: "counted",
  outputs: { owner: [] as never[] },
  error: { owner: null },
  refunded_at: "counted",
  retry_of: "counted",
  workflow_id: "counted",
  starred: "owner",
} as const;

/** A share goes with its account. */
export const SHARE_FIELDS = {
  _id: "owner",
  account_id: "hidden",
  job_id: "owner",
  output_id: "owner",
  shows_prompt: "owner",
  created_at: "owner",
  expires_at: "owner",
} as const;
