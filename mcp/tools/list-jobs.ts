// Tool list_jobs: the same as GET /api/jobs, with what tells jobs apart.
import { fromMessages } from "../../proto/codec.ts";
import { z } from "zod";
import { jobSchema, jobStateSchema, modalitySchema } from "../../proto/resources/job.ts";
import { describeListedJob } from "../jobs/describe.ts";
import { nextLines, nextCursorSchema, pageArguments, toNextCursor } from "./page.ts";
import { defineTool } from "../protocol/tool.ts";

export const listJobs = defineTool({
  name: "list_jobs",
  title: "List generation jobs",
  description: [
    "Lists the account's jobs, newest first, whichever way they were started.",
    "Use it to find a lost job_id, or to see what waits or runs. Costs nothing.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    state: jobStateSchema.optional(),
    modality: modalitySchema.optional(),
    ...pageArguments,
  }),
  output: z.object({
    jobs: z.array(
      jobSchema.pick({
        job_id: true,
        state: true,
        modality: true,
        model_slug: true,
        prompt: true,
        credits_reserved: true,
        credits_charged: true,
        created_at: true,
      }),
    ),
    next_cursor: nextCursorSchema,
  }),
  async handle({ limit, cursor = "", state = "", modality = "" }, { core, call }) {
    const page = await core.jobs.ListJobs({ limit, cursor, state, modality }, call);
    const jobs = fromMessages(jobSchema, page.jobs);
    const lines = jobs.length > 0 ? jobs.map(describeListedJob) : ["No job fits."];
    return {
      text: [...lines, ...nextLines("list_jobs", page.next_cursor)].join("\n"),
      structured: { jobs, next_cursor: toNextCursor(page.next_cursor) },
    };
  },
});
