// A job's files in base64, for clients that cannot fetch them.
import type { CallOptions, CoreClient } from "../../proto/client.ts";
import { AppError } from "../../proto/codes.ts";
import type { JobResource } from "../../proto/resources/job.ts";

/** The whole answer is in memory as a whole. */
const MAX_BYTES = 48 * 2 ** 20;

/** Throws invalid_request where they are too large for one answer; the job has ended then, and its files are there. */
export async function readWhole(
  core: CoreClient,
  call: CallOptions,
  { job_id, outputs }: Pick<JobResource, "job_id" | "outputs">,
): Promise<{ b64_json: string }[]> {
  const bytes = outputs.reduce((sum, output) => sum + output.bytes, 0);
  if (bytes > MAX_BYTES)
    throw new AppError("invalid_request", {
      message: `The files of the job ${job_id} are too large for base64.`,
      hint: `Ask for response_format url, or fetch them at GET /api/jobs/${job_id}.`,
      issues: [{ path: "response_format", message: "must be url: the files are too large for base64" }],
    });
  const files: { b64_json: string }[] = [];
  // One after the other, so that one reader has one place.
  for (const { output_id } of outputs) {
    const parts: Uint8Array[] = [];
    for await (const { data } of core.jobs.ReadOutput({ job_id, output_id }, call)) parts.push(data);
    files.push({ b64_json: Buffer.concat(parts).toString("base64") });
  }
  return files;
}
