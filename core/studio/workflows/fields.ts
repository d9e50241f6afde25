// The class of each field of a workflow, from its owner's view. Rows of the archive have the same fields. The store compares them with the
// type.

const STEP_INPUT_FIELDS = {
  param: "counted",
  step: "counted",
  output: "counted",
  kinds: "counted",
} as const;

const STEP_FIELDS = {
  id: { owner: "" },
  job_id: "counted",
  needs: "counted",
  inputs: { each: STEP_INPUT_FIELDS },
  credits: "counted",
} as const;

export const WORKFLOW_FIELDS = {
  _id: "counted",
  account_id: "counted",
  key_id: "counted",
  source: "counted",
  steps: { each: STEP_FIELDS },
  credits: "counted",
  estimated_seconds: "counted",
  callback_url: { owner: null },
  callback_on_steps: "counted",
  metadata: { owner: {} },
  state: "counted",
  cancel_requested_at: "counted",
  version: "counted",
  created_at: "counted",
  ended_at: "counted",
  look_at: "counted",
  trace: "hidden",
} as const;
