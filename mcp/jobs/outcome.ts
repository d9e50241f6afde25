// The outcome of a job, as tools and tasks report it: text, links to its files, and the fields that a caller can use.
import type { ContentBlock, ResourceLink } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type JobResource, jobSchema, outputSchema } from "../../proto/resources/job.ts";
import { describeJob } from "./describe.ts";
import { previewOf, type Reader } from "./preview.ts";

/** Everything else about a file is in the text, in its link, and in the file itself. */
const fileSchema = outputSchema.omit({
  output_id: true,
  bytes: true,
  width: true,
  height: true,
  duration_seconds: true,
  understood: true,
  thumbnails: true,
  deleted_at: true,
});

export const outcomeSchema = jobSchema
  .pick({
    job_id: true,
    state: true,
    modality: true,
    model_slug: true,
    credits_reserved: true,
    estimated_seconds: true,
    credits_charged: true,
    error: true,
  })
  .extend({ outputs: z.array(fileSchema) });

type Outcome = {
  text: string;
  more: readonly ContentBlock[];
  structured: JobResource;
  meta?: Record<string, unknown>;
};

/** A job as tools read it: with its signed receipt, where the service signs any. */
export const readJobSchema = jobSchema.extend({ receipt: z.string().optional() });
export type ReadJob = z.output<typeof readJobSchema>;

const RECEIPT_META = "atelier/receipt";

/** What connect_generate answers after it has waited for a job, what get_job answers, and what a task ends with. */
export async function toOutcome(
  { receipt, ...job }: ReadJob,
  { preview = false, ...reader }: Reader & { preview?: boolean | undefined },
): Promise<Outcome> {
  const links = linkOutputs(job);
  const signed = job.ended_at !== null && receipt !== undefined ? { [RECEIPT_META]: receipt } : undefined;
  const outcome = { text: describeJob(job), more: links, structured: job, ...(signed && { meta: signed }) };
  if (!preview) return outcome;
  const { images, words, progress } = await previewOf(job, reader);
  const meta = progress !== undefined && { meta: { ...signed, progress } };
  return { ...outcome, text: `${outcome.text}\n${words}`, more: [...images, ...links], ...meta };
}

/** One link for each file that its owner has not deleted, for clients that show or fetch files. */
export function linkOutputs({
  modality,
  model_slug,
  outputs,
}: Pick<JobResource, "modality" | "model_slug" | "outputs">): ResourceLink[] {
  const there = outputs.filter(({ deleted_at }) => deleted_at === undefined);
  return there.map(({ output_id, url, mime_type, bytes }) => ({
    type: "resource_link",
    uri: url,
    name: output_id,
    title: `${modality} by ${model_slug}`,
    mimeType: mime_type,
    size: bytes,
  }));
}
