// The tool cancel_job: the same as POST /api/jobs/{id}/cancel, and as POST /api/workflows/{id}/cancel for the id of a workflow.
import { z } from "zod";
import { fromMessage } from "../../proto/codec.ts";
import { jobSchema } from "../../proto/resources/job.ts";
import { workflowSchema } from "../../proto/resources/workflow.ts";
import { describeJob } from "../jobs/describe.ts";
import { isWorkflowId, toWorkflowOutcome, workflowOutcomeSchema } from "../jobs/workflow-outcome.ts";
import { defineTool } from "../protocol/tool.ts";
import { jobIdSchema } from "./get-job.ts";

export const cancelJob = defineTool({
  name: "cancel_job",
  title: "Cancel a job",
  endpoints: ["generation"],
  description: [
    "Cancels a job and refunds all its credits: immediately while it waits, and once it has stopped if it runs and its provider can stop.",
    "Use it only when the user no longer wants the result. get_job shows how it ended.",
  ].join(" "),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ job_id: jobIdSchema.describe("Or a workflow_id.") }),
  output: workflowOutcomeSchema
    .omit({ steps: true })
    .extend({ job_id: jobSchema.shape.job_id, state: z.string() })
    .partial({ job_id: true, workflow_id: true }),
  async handle({ job_id }, { core, call }) {
    if (isWorkflowId(job_id)) {
      const message = await core.workflows.CancelWorkflow({ workflow_id: job_id }, call);
      return toWorkflowOutcome(fromMessage(workflowSchema, message));
    }
    const job = fromMessage(jobSchema, await core.jobs.CancelJob({ job_id }, call));
    return { text: describeJob(job), structured: job };
  },
});
