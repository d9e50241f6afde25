// Which jobs are listed: the parameters of GET /api/jobs, which the website's page takes too.
import { z } from "zod";
import {
  jobStatesSchema,
  metadataFilterSchema,
  modelFilterSchema,
  promptSearchSchema,
} from "../../proto/resources/job-filter.ts";
import { parseQuery } from "../../proto/resources/issues.ts";
import { modalitySchema } from "../../proto/resources/job.ts";
import type { ListJobsRequestInput } from "../../proto/types/atelier/v1/ListJobsRequest.ts";
import { inBrackets, pageQuery, queryTime } from "../http/query.ts";

/** As the document shows it. Loose, because names in brackets are free. */
export const jobsQuery = z.looseObject({
  ...pageQuery,
  state: jobStatesSchema.optional().meta({
    description:
      "Only jobs in this state, or in one of several: separate them by commas, or repeat the parameter.",
  }),
  modality: modalitySchema.optional().describe("Only jobs that make this."),
  model: modelFilterSchema.optional().describe("Only jobs of the model with this slug."),
  since: queryTime.optional().meta({ description: "Only jobs made then or later." }),
  until: queryTime.optional().meta({ description: "Only jobs made before." }),
  metadata: metadataFilterSchema
    .optional()
    .describe("Only jobs with these pairs in their metadata, all of them: metadata[order]=4711."),
  search: promptSearchSchema
    .optional()
    .describe(
      "Only jobs whose prompt has all of these words, or beginnings, ends and middles of words, in either case.",
    ),
});

/** Throws invalid_request, naming the bracketed parameter that is wrong. */
export function toListJobs(query: z.output<typeof jobsQuery>): ListJobsRequestInput {
  const {
    limit,
    cursor = "",
    state = "",
    modality = "",
    model = "",
    since = "",
    until = "",
    search = "",
  } = query;
  const { metadata } = parseQuery(metadataSchema, { metadata: inBrackets(query, "metadata") });
  return { limit, cursor, state, modality, model, since, until, metadata, search };
}

const metadataSchema = z.object({ metadata: metadataFilterSchema });
