// One workflow as it looks in every answer about it: a picture, and the clip that is made of it.
import type { JobResource } from "../../proto/resources/job.ts";
import {
  type WorkflowRequest,
  type WorkflowResource,
  type WorkflowResult,
  type WorkflowStepResource,
  workflowSchema,
  workflowStepSchema,
} from "../../proto/resources/workflow.ts";
import { JOB } from "./examples.ts";
import { fill } from "./fill.ts";

const WORKFLOW_ID = "wfl_01JZ8Q4M3T2R5V8X1Z4B7D9FHK";
const CLIP_ID = "job_01JZ8Q4M40C3E6G9J2M5P8R1TV";
const CLIP_ENDED_AT = "2026-01-31T09:30:11.500Z";
const [PICTURE] = JOB.outputs;
if (!PICTURE) throw new Error("the job of the examples has made nothing");

export const WORKFLOW_REQUEST: WorkflowRequest = {
  steps: [
    { id: "picture", modality: "image", model_slug: JOB.model_slug, prompt: JOB.prompt },
    {
      id: "clip",
      modality: "video",
      model_slug: "atelier-drift",
      prompt: "Slowly towards the light",
      params: { image: "step:picture" },
    },
  ],
  callback_url: "https://example.com/hooks/atelier",
  metadata: JOB.metadata,
  max_credits: 40,
};

export const WORKFLOW_RESULT: WorkflowResult = {
  workflow_id: WORKFLOW_ID,
  state: "running",
  credits_reserved: 28,
  estimated_seconds: 10,
  steps: [
    { id: "picture", job_id: JOB.job_id, needs: [], credits_reserved: 4 },
    { id: "clip", job_id: CLIP_ID, needs: ["picture"], credits_reserved: 24 },
  ],
};

const CLIP_FILE: JobResource["outputs"][number] = {
  ...PICTURE,
  output_id: "out_01JZ8Q52G7N1Q4S7V0X3Z6B9DF",
  url: `https://generate.example.com/api/jobs/${CLIP_ID}/outputs/out_01JZ8Q52G7N1Q4S7V0X3Z6B9DF?account=acc_01JZ8P&expires=1769855411&signature=w8Kc`,
  mime_type: "video/mp4",
  bytes: 1_204_377,
  sha256: "1c4e7a0d3f6b9285e8d1b4a7c0f3e6d9b2a5c8f1e4d7b0a3c6f9e2d5b8a1c4f7",
  width: 1280,
  height: 720,
  duration_seconds: 4,
  thumbnails: [],
};

const PICTURE_STEP: WorkflowStepResource = fill(workflowStepSchema, {
  id: "picture",
  job_id: JOB.job_id,
  state: "completed",
  modality: "image",
  model_slug: JOB.model_slug,
  credits_reserved: 4,
  credits_charged: 4,
  started_at: JOB.started_at,
  ended_at: JOB.ended_at,
  outputs: JOB.outputs,
});

const CLIP_STEP: WorkflowStepResource = fill(workflowStepSchema, {
  id: "clip",
  job_id: CLIP_ID,
  state: "completed",
  modality: "video",
  model_slug: "atelier-drift",
  needs: ["picture"],
  credits_reserved: 24,
  credits_charged: 24,
  started_at: JOB.ended_at,
  ended_at: CLIP_ENDED_AT,
  outputs: [CLIP_FILE],
});

export const WORKFLOW: WorkflowResource = fill(workflowSchema, {
  workflow_id: WORKFLOW_ID,
  state: "completed",
  source: "api",
  credits_reserved: 28,
  credits_charged: 28,
  estimated_seconds: 10,
  created_at: JOB.created_at,
  ended_at: CLIP_ENDED_AT,
  steps: [PICTURE_STEP, CLIP_STEP],
  callback: JOB.callback,
  metadata: JOB.metadata,
});

/** Before anything of it ran. */
export const CANCELLED_WORKFLOW: WorkflowResource = {
  ...WORKFLOW,
  state: "cancelled",
  credits_charged: 0,
  ended_at: JOB.started_at,
  steps: WORKFLOW.steps.map((step) => ({
    ...step,
    state: "cancelled",
    waits_for: step.needs,
    credits_charged: 0,
    started_at: null,
    ended_at: JOB.started_at,
    outputs: [],
  })),
  callback: { url: "https://example.com/hooks/atelier", status: "pending", attempts: 0 },
};

/** While its picture was being made. */
export const CANCELLING_WORKFLOW: WorkflowResource = {
  ...CANCELLED_WORKFLOW,
  state: "cancelling",
  credits_charged: 4,
  ended_at: null,
  steps: CANCELLED_WORKFLOW.steps.map((step) =>
    step.id === "picture"
      ? { ...step, state: "cancelling", credits_charged: 4, started_at: JOB.started_at, ended_at: null }
      : step,
  ),
};
