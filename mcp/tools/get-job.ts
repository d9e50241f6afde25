// Tool get_job: the same as GET /api/jobs/{id}.
import { z } from "zod";
import { jobSchema } from "../../proto/resources/job.ts";
import { describeJob, linkOutputs } from "../describe.ts";
import { defineTool } from "../tool.ts";
import { waitForJob, waitSecondsSchema } from "../wait.ts";

export const getJob = defineTool({
  name: "get_job",
  title: "Read a generation job",
  description: [
    "Reads one job of this account: its state, its events so far, and, once it is completed, the files' addresses.",
    "Use it after connect_generate until state is completed, failed or cancelled; set wait_seconds instead of calling again and again. Costs nothing.",
    "The addresses are signed and work for anyone who has them until the files expire: give them to the person, and fetch what is to be kept.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    job_id: z.string().min(1).max(100).describe("The job_id that connect_generate returned."),
    wait_seconds: waitSecondsSchema,
  }),
  // Event types may grow, so clients that validate are not held to today's list of them.
  output: jobSchema.extend({
    events: z.array(z.looseObject({ seq: z.number(), type: z.string(), state: z.string(), at: z.string() })),
  }),
  async handle({ job_id, wait_seconds }, context) {
    const job = await waitForJob(context, job_id, wait_seconds);
    return { text: describeJob(job), links: linkOutputs(job), structured: job };
  },
});
