// The error texts for assistants, instead of the error table's, which address programs that call REST: the reader has tools instead of
// paths, and a user. In a hint, {again} becomes the call to repeat, {repeat} the same if it is unknown whether the first call created
// something, and {wait} how long to wait.
import type { ErrorCode } from "../../proto/codes.ts";

/** An endpoint's own error texts come before the common ones, which name only tools that every endpoint with that code has. */
export type ErrorWords = Partial<Record<ErrorCode, { message?: string; hint?: string }>>;

export const COMMON_WORDS: ErrorWords = {
  invalid_request: { hint: "Correct what is named here, then {again}." },
  method_not_allowed: { hint: "Send JSON-RPC messages with POST." },
  insufficient_credits: {
    hint: "Call list_models for a cheaper model or smaller params, or tell the user how many credits are missing; get_credits shows the balance.",
  },
  spend_limit_reached: {
    hint: "Choose a cheaper model with list_models, or raise max_credits of the call; the owner changes a key's limits on the website.",
  },
  confirmation_required: {
    hint: "Give the user this address; after approval {again}.",
  },
  confirmation_declined: {
    hint: "Call list_models for something that costs less, or stop here. Nothing was reserved. Only if the user asks for it, {again}.",
  },
  plan_excludes_api: { hint: "Tell the user that a plan with the API can be chosen on the website." },
  product_not_found: { hint: "Call search_catalog and use a slug that it shows." },
  job_not_found: { hint: "Call list_jobs and use a job_id that it shows." },
  workflow_not_found: {
    hint: "Use the workflow_id from the response that began the workflow; list_jobs shows the jobs of its steps.",
  },
  workflow_not_cancellable: {
    hint: "Call get_job with the workflow_id as job_id to see how it ended; steps that failed have given their credits back.",
  },
  job_not_cancellable: {
    hint: "Call get_job with this job_id to see its state; a failed job is refunded automatically.",
  },
  job_not_ended: { hint: "Call get_job with wait_seconds until the job has ended." },
  upload_not_found: {
    hint: "Call get_job for a job of this account and use an output_id of its files, or use an https address of the file.",
  },
  upload_limit_reached: {
    hint: "Use an output_id that get_job shows, which needs no upload; or tell the user that uploads must be deleted or expire first.",
  },
  upload_too_large: {
    hint: "Use a file of at most 25 MB (picture), 50 MB (audio) or 200 MB (video), then {again}.",
  },
  unsupported_input: {
    hint: "Use a picture (PNG, JPEG, WebP, AVIF or a GIF that does not move), audio (WAV, MP3, FLAC or AAC) or video (MP4 or WebM), then {again}.",
  },
  input_unreachable: {
    hint: "Use an https address on the public internet that answers with the file itself, then {again}.",
  },
  callback_url_refused: {
    hint: "Leave callback_url out or use a public https address without user name or password, then {again}; get_job also shows when the job has ended.",
  },
  model_not_available: { hint: "Call list_models and use one of its model_slug values." },
  modality_mismatch: { hint: "Take the modality that list_models shows for the model, then {again}." },
  idempotency_mismatch: {
    message: "This idempotency_key was used before with different arguments.",
    hint: "Repeat the first call's arguments exactly; or, for a new job, {again} with a new idempotency_key.",
  },
  rate_limited: { hint: "Wait {wait}, then {again}." },
  queue_full: { hint: "Wait {wait}, then {again}; list_jobs shows which jobs wait." },
  catalog_unavailable: { hint: "Wait {wait}, then {again}." },
  service_unavailable: { hint: "Wait {wait}, then {repeat}." },
  deadline_exceeded: { hint: "Wait {wait}, then {repeat}." },
  internal: {
    hint: "Wait a moment, then {repeat}. If it stays, support can find out why by the id of this request.",
  },
};
