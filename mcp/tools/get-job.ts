// Tool get_job: the same as GET /api/jobs/{id}.
import { z } from "zod";
import { describeJob, linkOutputs } from "../jobs/describe.ts";
import { defineTool } from "../protocol/tool.ts";
import { waitForJob, waitSecondsSchema } from "./wait.ts";

const MAX_JOB_ID = 100;

export const jobIdSchema = z.string().min(1).max(MAX_JOB_ID);

export const getJob = defineTool({
  name: "get_job",
  title: "Read a generation job",
  description: [
    "Reads one job: its state, its events so far, and, once it is completed, the files' addresses.",
    "Use it after connect_generate until state is completed, failed or cancelled; set wait_seconds instead of calling again and again. Costs nothing.",
    "The addresses are signed and work for anyone who has them until the files expire: give them to the person, and fetch what is to be kept.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ job_id: jobIdSchema, wait_seconds: waitSecondsSchema }),
  output: z.looseObject({
    job_id: z.string(),
    state: z.string(),
    credits_charged: z.int(),
    outputs: z.array(z.looseObject({ url: z.string(), mime_type: z.string() })),
    error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  }),
  async handle({ job_id, wait_seconds }, context) {
    const job = await waitForJob(context, job_id, wait_seconds);
    return { text: describeJob(job), links: linkOutputs(job), structured: job };
  },
});
