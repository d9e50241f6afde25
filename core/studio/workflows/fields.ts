// The class of each field of a workflow, from its owner's view. Rows of the archive have the same fields. The store compares them with the
// type.

import { counted } from "../../base/documents/fields.ts";

const STEP_INPUT_FIELDS = {
  ...counted("param", "step", "output", "kinds"),
} as const;

const STEP_FIELDS = {
  id: { owner: "" },
  ...counted("job_id", "needs", "credits"),
  inputs: { each: STEP_INPUT_FIELDS },
} as const;

export const WORKFLOW_FIELDS = {
  ...counted("_id", "account_id", "key_id", "source", "credits", "estimated_seconds", "callback_on_steps"),
  ...counted("state", "cancel_requested_at", "version", "created_at", "ended_at", "look_at"),
  steps: { each: STEP_FIELDS },
  callback_url: { owner: null },
  metadata: { owner: {} },
  trace: "hidden",
} as const;
