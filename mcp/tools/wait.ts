// Waits for a job on behalf of a tool, telling the client what happens meanwhile.
import { fromMessage } from "../../proto/codec.ts";
import { z } from "zod";
import { AppError } from "../../proto/codes.ts";
import {
  jobSchema,
  jobEventSchema,
  type JobEventResource,
  type JobResource,
} from "../../proto/resources/job.ts";
import type { ToolContext } from "../protocol/tool.ts";

/** Below the 60 s after which assistants and proxies commonly give a request up. */
const MAX_WAIT_SECONDS = 45;
/** What core may need beyond the wait itself. */
const ANSWER_MS = 10_000;

export const waitSecondsSchema = z
  .number()
  .int()
  .min(0)
  .max(MAX_WAIT_SECONDS)
  .default(0)
  .describe("Holds the answer until the job ends, at most so long.");

/** Resolves to the job once it has ended or the time is up. Throws core's AppErrors. */
export async function waitForJob(
  context: ToolContext,
  jobId: string,
  waitSeconds: number,
): Promise<JobResource> {
  const { core, call, reportProgress } = context;
  if (waitSeconds === 0) return fromMessage(jobSchema, await core.jobs.GetJob({ job_id: jobId }, call));
  const leave = context.open();
  const untilMs = performance.now() + waitSeconds * 1000;
  try {
    // One of the two at a time, so that a wait is counted as one. Progress is a courtesy: whatever stops it, GetJob goes on waiting.
    if (reportProgress) await tellEvents(context, jobId, waitSeconds * 1000, reportProgress).catch(() => {});
    const leftSeconds = Math.max(0, Math.ceil((untilMs - performance.now()) / 1000));
    const options = { ...call, deadlineMs: leftSeconds * 1000 + ANSWER_MS };
    return fromMessage(
      jobSchema,
      await core.jobs.GetJob({ job_id: jobId, wait_seconds: leftSeconds }, options),
    );
  } finally {
    leave();
  }
}

/**
 * Like waitForJob, for a job that this call has just made; undefined where the job cannot be read. The job is accepted and its price is
 * held, so a failure to watch it must not look like a failure to make it.
 */
export async function waitForNewJob(
  context: ToolContext,
  jobId: string,
  waitSeconds: number,
): Promise<JobResource | undefined> {
  try {
    return await waitForJob(context, jobId, waitSeconds);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

async function tellEvents(
  { core, call }: ToolContext,
  jobId: string,
  timeoutMs: number,
  tell: (message: string) => void,
): Promise<void> {
  const over = AbortSignal.timeout(timeoutMs);
  const signal = call.signal ? AbortSignal.any([over, call.signal]) : over;
  for await (const event of core.jobs.WatchJob({ job_id: jobId }, { ...call, signal }))
    tell(describeEvent(fromMessage(jobEventSchema, event)));
}

function describeEvent({ type, detail }: JobEventResource): string {
  const { fraction } = detail;
  return type === "progress" && typeof fraction === "number" ? `${Math.round(fraction * 100)} % done` : type;
}
