// The tool get_job: the same as GET /api/jobs/{id}, and as GET /api/workflows/{id} for the id of a workflow. One tool follows both, because
// each further tool costs every conversation its description.
import { z } from "zod";
import { jobEventSchema, jobSchema } from "../../proto/resources/job.ts";
import { outcomeSchema, toOutcome } from "../jobs/outcome.ts";
import { previewSchema } from "../jobs/preview.ts";
import { isWorkflowId, toWorkflowOutcome, workflowOutcomeSchema } from "../jobs/workflow-outcome.ts";
import { defineTool } from "../protocol/tool.ts";
import { waitForJob, waitForWorkflow, waitSecondsSchema } from "./wait.ts";

const MAX_JOB_ID = 100;
const PREVIEW_OF_A_STEP = "A preview shows one step: call get_job with its job_id.";

export const jobIdSchema = z.string().min(1).max(MAX_JOB_ID);

export const getJob = defineTool({
  name: "get_job",
  title: "Read a generation job",
  endpoints: ["generation", "member"],
  description: [
    "Reads one job: state, events and, once completed, the URLs of its files.",
    "Use it after connect_generate, with wait_seconds, until state is completed, failed or cancelled. Costs nothing.",
    "Anyone can open the URLs until the files expire: give them to the user, and download what is to be kept.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  checksKey: true,
  input: z.strictObject({
    job_id: jobIdSchema.describe("Or a workflow_id."),
    wait_seconds: waitSecondsSchema,
    preview: previewSchema,
  }),
  output: outcomeSchema
    .extend({
      metadata: jobSchema.shape.metadata,
      queue_position: jobSchema.shape.queue_position,
      events: z.array(jobEventSchema.pick({ type: true, at: true })),
      ...workflowOutcomeSchema.shape,
      state: z.string(),
    })
    .partial()
    .required({ state: true, credits_reserved: true, credits_charged: true }),
  handle: async ({ job_id, wait_seconds, preview }, context) => {
    const { core, call } = context;
    if (!isWorkflowId(job_id))
      return toOutcome(await waitForJob(context, job_id, wait_seconds), { core, call, preview });
    const outcome = toWorkflowOutcome(await waitForWorkflow(context, job_id, wait_seconds));
    return preview ? { ...outcome, text: `${outcome.text}\n${PREVIEW_OF_A_STEP}` } : outcome;
  },
});
