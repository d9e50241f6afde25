// The tool list_jobs: the same as GET /api/jobs, but only with the fields that distinguish jobs.
import { z } from "zod";
import { fromMessages } from "../../proto/codec.ts";
import {
  jobStatesSchema,
  metadataFilterSchema,
  modelFilterSchema,
} from "../../proto/resources/job-filter.ts";
import { jobSchema, jobStateSchema, modalitySchema } from "../../proto/resources/job.ts";
import { timeSchema } from "../../proto/resources/page.ts";
import { describeListedJob } from "../jobs/describe.ts";
import { defineTool, type ToolEndpoint } from "../protocol/tool.ts";
import { nextLines, nextCursorSchema, pageArguments, toNextCursor } from "./page.ts";

const common = { modality: modalitySchema.optional(), ...pageArguments };

/** For agents, who may have made thousands: with all the filters that REST has. */
export const listJobs = defineListJobs(
  "generation",
  z.strictObject({
    state: jobStatesSchema.optional().describe("One or several, with commas between."),
    model: modelFilterSchema.optional().describe("A model_slug."),
    since: timeSchema.optional(),
    until: timeSchema.optional(),
    metadata: metadataFilterSchema.optional().describe("Pairs that the job has."),
    ...common,
  }),
);

/** For members' assistants, whose list of tools has no space for more. */
export const listJobsBriefly = defineListJobs(
  "member",
  z.strictObject({ state: jobStateSchema.optional(), ...common }),
);

type Asked = { limit: number } & { [name in TextFilter]?: string | undefined } & {
  metadata?: Record<string, string> | undefined;
};
type TextFilter = "cursor" | "state" | "modality" | "model" | "since" | "until";

function defineListJobs(endpoint: ToolEndpoint, input: z.ZodType<Asked>) {
  return defineTool({
    name: "list_jobs",
    title: "List generation jobs",
    endpoints: [endpoint],
    description: [
      "Lists the account's jobs, newest first, whichever way they were started.",
      "Use it to find a lost job_id, or to see what waits or runs. Costs nothing.",
    ].join(" "),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    checksKey: true,
    input,
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
    async handle({ limit, cursor = "", metadata = {}, ...filters }, { core, call }) {
      const { state = "", modality = "", model = "", since = "", until = "" } = filters;
      const page = await core.jobs.ListJobs(
        { limit, cursor, state, modality, model, since, until, metadata },
        call,
      );
      const jobs = fromMessages(jobSchema, page.jobs);
      const none =
        page.next_cursor === "" ? "No job fits." : "No job fits among those looked through so far.";
      const lines = jobs.length > 0 ? jobs.map(describeListedJob) : [none];
      return {
        text: [...lines, ...nextLines("list_jobs", page.next_cursor)].join("\n"),
        structured: { jobs, next_cursor: toNextCursor(page.next_cursor) },
      };
    },
  });
}
