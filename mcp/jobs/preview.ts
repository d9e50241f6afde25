// Small pictures of a job's files as image content, so that a model sees them. They are made from the thumbnails of the job; the files
// remain links.
import type { ImageContent } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { CallOptions, CoreClient } from "../../proto/client.ts";
import { AppError } from "../../proto/codes.ts";
import type { JobResource } from "../../proto/resources/job.ts";

/** The limit in base64 characters for all pictures of an answer together: as much as a conversation should carry. */
const MAX_BASE64_BYTES = 64_000;
const READ_MS = 10_000;

export const previewSchema = z.boolean().optional().describe("Show finished files as small images.");

type Output = JobResource["outputs"][number];
type Thumbnail = Output["thumbnails"][number];

export type Picture = { readonly outputId: string; readonly thumbnail: Thumbnail };

/** The reasons why a file has no picture, in the order in which they are reported. */
const LEFT_OUT = {
  audio: "audio, which has no picture",
  none: "without a small picture",
  limit: "beyond the 64 kB of a preview",
  gone: "deleted or expired",
  away: "not readable just now: call get_job again",
} as const;
type Reason = keyof typeof LEFT_OUT;

export type Preview = {
  readonly images: readonly ImageContent[];
  /** The shown pictures, and the reasons for the rest. */
  readonly words: string;
  /** The progress of a running job, from 0 to 1, if its provider reports it, for a view that draws it. */
  readonly progress?: number;
};

export type Reader = { readonly core: Pick<CoreClient, "jobs">; readonly call: CallOptions };

/** Core checks for each file that it belongs to the caller. A file that cannot be read is reported and does not fail the answer. */
export async function previewOf(job: JobResource, reader: Reader): Promise<Preview> {
  if (job.ended_at === null) {
    const progress = progressOf(job);
    return {
      images: [],
      words: "No preview yet: the job has not ended.",
      ...(progress !== undefined && { progress }),
    };
  }
  if (job.outputs.length === 0) return { images: [], words: "No preview: the job has no files." };
  const { pictures, leftOut } = choosePictures(job.outputs);
  const read = await Promise.all(pictures.map((picture) => readPicture(job.job_id, picture, reader)));
  const images: ImageContent[] = [];
  for (const one of read) {
    if (typeof one === "string") leftOut.push(one);
    else images.push(one);
  }
  return { images, words: previewWords(images.length, job.outputs.length, leftOut) };
}

/** Chooses the wide thumbnails if all of them fit together, and otherwise the narrow ones in order as long as they fit. */
export function choosePictures(outputs: readonly Output[]): { pictures: Picture[]; leftOut: Reason[] } {
  const leftOut: Reason[] = [];
  const seen: { outputId: string; narrow: Thumbnail; wide: Thumbnail }[] = [];
  for (const { output_id: outputId, deleted_at, mime_type, thumbnails } of outputs) {
    const [narrow, wide] = [thumbnails[0], thumbnails.at(-1)];
    if (deleted_at !== undefined) leftOut.push("gone");
    else if (mime_type.startsWith("audio/")) leftOut.push("audio");
    else if (!narrow || !wide) leftOut.push("none");
    else seen.push({ outputId, narrow, wide });
  }
  const total = seen.reduce((sum, { wide }) => sum + base64Bytes(wide), 0);
  if (total <= MAX_BASE64_BYTES)
    return { pictures: seen.map(({ outputId, wide }) => ({ outputId, thumbnail: wide })), leftOut };
  const pictures: Picture[] = [];
  let left = MAX_BASE64_BYTES;
  for (const { outputId, narrow } of seen) {
    const bytes = base64Bytes(narrow);
    if (bytes > left) {
      leftOut.push("limit");
      continue;
    }
    left -= bytes;
    pictures.push({ outputId, thumbnail: narrow });
  }
  return { pictures, leftOut };
}

function base64Bytes({ bytes }: Thumbnail): number {
  return Math.ceil(bytes / 3) * 4;
}

async function readPicture(
  jobId: string,
  { outputId, thumbnail }: Picture,
  { core, call }: Reader,
): Promise<ImageContent | Reason> {
  const { url, mime_type: mimeType, bytes: length } = thumbnail;
  // A thumbnail is a file of its job; its id is the end of its address.
  const asked = { job_id: jobId, output_id: new URL(url).pathname.split("/").at(-1) ?? "", length };
  const parts: Uint8Array[] = [];
  try {
    for await (const { data } of core.jobs.ReadOutput(asked, { ...call, deadlineMs: READ_MS }))
      parts.push(data);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === "not_found" ? "gone" : "away";
  }
  const data = Buffer.concat(parts).toString("base64");
  return { type: "image", data, mimeType, _meta: { output_id: outputId } };
}

/** For example "Preview: 2 of 4 files. Left out: 1 audio, which has no picture; 1 deleted or expired." */
function previewWords(shown: number, files: number, leftOut: readonly Reason[]): string {
  const reasons = (Object.keys(LEFT_OUT) as Reason[]).flatMap((reason) => {
    const count = leftOut.filter((one) => one === reason).length;
    return count > 0 ? [`${count} ${LEFT_OUT[reason]}`] : [];
  });
  const head = `Preview: ${shown} of ${files} ${files === 1 ? "file" : "files"}.`;
  return reasons.length > 0 ? `${head} Left out: ${reasons.join("; ")}.` : head;
}

function progressOf({ events }: JobResource): number | undefined {
  const fraction = events.findLast((event) => event.type === "progress")?.detail["fraction"];
  return typeof fraction === "number" ? fraction : undefined;
}
