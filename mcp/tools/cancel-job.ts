// Tool cancel_job: the same as POST /api/jobs/{id}/cancel.
import { fromMessage } from "../../proto/codec.ts";
import { z } from "zod";
import { jobSchema } from "../../proto/resources/job.ts";
import { describeJob } from "../jobs/describe.ts";
import { defineTool } from "../protocol/tool.ts";
import { jobIdSchema } from "./get-job.ts";

export const cancelJob = defineTool({
  name: "cancel_job",
  title: "Cancel a job",
  description: [
    "Cancels a job and gives all its credits back: at once while it waits; when it has stopped, if it runs and its provider can stop.",
    "Use it only when the person no longer wants the result. get_job tells how it ended.",
  ].join(" "),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ job_id: jobIdSchema }),
  output: jobSchema.pick({ job_id: true, state: true, credits_reserved: true, credits_charged: true }),
  async handle({ job_id }, { core, call }) {
    const job = fromMessage(jobSchema, await core.jobs.CancelJob({ job_id }, call));
    return { text: describeJob(job), structured: job };
  },
});
