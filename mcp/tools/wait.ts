// Waits for a job or a workflow on behalf of a tool, and sends its progress to the client.
import { z } from "zod";
import type { CallOptions } from "../../proto/client.ts";
import { fromMessage } from "../../proto/codec.ts";
import { AppError } from "../../proto/codes.ts";
import { jobEventSchema, type JobEventResource } from "../../proto/resources/job.ts";
import { type WorkflowResource, workflowSchema } from "../../proto/resources/workflow.ts";
import { type ReadJob, readJobSchema } from "../jobs/outcome.ts";
import { stepsInWords } from "../jobs/workflow-outcome.ts";
import type { ToolContext } from "../protocol/tool.ts";

/** Less than the 60 s after which assistants and proxies commonly give up on a request. */
const MAX_WAIT_SECONDS = 45;
/** What core may need in addition to the wait itself. */
const ANSWER_MS = 10_000;

export const waitSecondsSchema = z
  .number()
  .int()
  .min(0)
  .max(MAX_WAIT_SECONDS)
  .default(0)
  .describe("Waits for the end of the job, at most this long.");

/** Resolves to the job once it has ended or the time is up. Throws core's AppErrors. */
export function waitForJob(context: ToolContext, jobId: string, waitSeconds: number): Promise<ReadJob> {
  const { jobs } = context.core;
  return hold(context, waitSeconds, {
    read: async (wait, call) => {
      const asked = { job_id: jobId, with_receipt: true, ...wait };
      return fromMessage(readJobSchema, await jobs.GetJob(asked, call));
    },
    news: async function* (call) {
      for await (const event of jobs.WatchJob({ job_id: jobId }, call))
        yield describeEvent(fromMessage(jobEventSchema, event));
    },
  });
}

/** The same for a workflow. */
export function waitForWorkflow(
  context: ToolContext,
  workflowId: string,
  waitSeconds: number,
): Promise<WorkflowResource> {
  const { workflows } = context.core;
  const asked = { workflow_id: workflowId };
  return hold(context, waitSeconds, {
    read: async (wait, call) =>
      fromMessage(workflowSchema, await workflows.GetWorkflow({ ...asked, ...wait }, call)),
    news: async function* (call) {
      let last = "";
      for await (const message of workflows.WatchWorkflow(asked, call)) {
        const words = stepsInWords(fromMessage(workflowSchema, message));
        if (words !== last) yield words;
        last = words;
      }
    },
  });
}

/**
 * Like waitForJob, for a job that this call has just made. Returns undefined if the job cannot be read: the job is accepted and its price
 * is held, so a failure to watch it must not look like a failure to make it.
 */
export function waitForNewJob(
  context: ToolContext,
  jobId: string,
  waitSeconds: number,
): Promise<ReadJob | undefined> {
  return unlessRefused(waitForJob(context, jobId, waitSeconds));
}

/** The same for a workflow. */
export function waitForNewWorkflow(
  context: ToolContext,
  workflowId: string,
  waitSeconds: number,
): Promise<WorkflowResource | undefined> {
  return unlessRefused(waitForWorkflow(context, workflowId, waitSeconds));
}

async function unlessRefused<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

type Held<T> = {
  /** Resolves when it has ended, or after these seconds. */
  read(asked: { wait_seconds?: number }, call: CallOptions): Promise<T>;
  /** Its events until the end, as text. */
  news(call: CallOptions): AsyncIterable<string>;
};

async function hold<T>(context: ToolContext, waitSeconds: number, { read, news }: Held<T>): Promise<T> {
  const { call, reportProgress } = context;
  if (waitSeconds === 0) return read({}, call);
  const leave = context.open();
  const untilMs = performance.now() + waitSeconds * 1000;
  try {
    // Only one of the two runs at a time, so that a wait is counted as one. If progress stops for any reason, `read` continues to wait.
    if (reportProgress) await showNotice(context, news, waitSeconds * 1000, reportProgress).catch(() => {});
    const leftSeconds = Math.max(0, Math.ceil((untilMs - performance.now()) / 1000));
    return await read({ wait_seconds: leftSeconds }, { ...call, deadlineMs: leftSeconds * 1000 + ANSWER_MS });
  } finally {
    leave();
  }
}

async function showNotice(
  { call }: ToolContext,
  news: Held<unknown>["news"],
  timeoutMs: number,
  tell: (message: string) => void,
): Promise<void> {
  const over = AbortSignal.timeout(timeoutMs);
  const signal = call.signal ? AbortSignal.any([over, call.signal]) : over;
  for await (const words of news({ ...call, signal })) tell(words);
}

function describeEvent({ type, detail }: JobEventResource): string {
  const { fraction } = detail;
  return type === "progress" && typeof fraction === "number" ? `${Math.round(fraction * 100)}% done` : type;
}
