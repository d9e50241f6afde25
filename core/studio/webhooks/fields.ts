// The class of each field of a delivery, from its receiver's view. The store compares them with the type.

const ATTEMPT_FIELDS = {
  number: "owner",
  at: "owner",
  http_status: "owner",
  duration_ms: "owner",
  error: "owner",
} as const;

export const DELIVERY_FIELDS = {
  _id: "hidden",
  account_id: "hidden",
  job_id: "hidden",
  workflow_id: "hidden",
  event_id: "hidden",
  endpoint_id: "owner",
  expires_at: "hidden",
  event: "owner",
  url: "owner",
  host: "hidden",
  status: "owner",
  created_at: "owner",
  next_attempt_at: "hidden",
  attempt_count: "hidden",
  attempts: { each: ATTEMPT_FIELDS },
  trace: "hidden",
  lease: "hidden",
  closed_at: "hidden",
} as const;
