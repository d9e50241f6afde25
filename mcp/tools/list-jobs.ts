// Tool list_jobs: the same as GET /api/jobs, without the events of each job.
import { fromMessage } from "../../proto/codec.ts";
import { z } from "zod";
import { jobSchema, jobStateSchema, modalitySchema } from "../../proto/resources/job.ts";
import { describeListedJob } from "../jobs/describe.ts";
import { describeNext, nextCursorSchema, pageArguments, toNextCursor } from "./page.ts";
import { defineTool } from "../protocol/tool.ts";

export const listJobs = defineTool({
  name: "list_jobs",
  title: "List generation jobs",
  description: [
    "Lists the account's jobs, newest first, whichever way they were started.",
    "Use it to find a job whose job_id is lost, or to see what waits or runs; get_job then shows one with its events. Costs nothing.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    state: jobStateSchema.optional(),
    modality: modalitySchema.optional(),
    ...pageArguments,
  }),
  output: z.looseObject({
    jobs: z.array(z.looseObject({ job_id: z.string(), state: z.string() })),
    next_cursor: nextCursorSchema,
  }),
  async handle({ limit, cursor = "", state = "", modality = "" }, { core, call }) {
    const page = await core.jobs.ListJobs({ limit, cursor, state, modality }, call);
    const jobs = page.jobs.map((job) => {
      const { events: _events, ...listed } = fromMessage(jobSchema, job);
      return listed;
    });
    const lines = jobs.length > 0 ? jobs.map(describeListedJob) : ["No job fits."];
    return {
      text: [...lines, ...describeNext("list_jobs", page.next_cursor)].join("\n"),
      structured: { jobs, next_cursor: toNextCursor(page.next_cursor) },
    };
  },
});
