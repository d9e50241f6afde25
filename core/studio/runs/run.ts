// Runs one claimed job at its provider, outside any transaction. Whatever the provider does becomes an outcome of the job.
import type { Modality } from "../../../proto/resources/job.ts";
import { tracedStep } from "../../../runtime/log/tracing.ts";
import { createOutputLimits, type MemoryBudget } from "../../adapters/providers/memory-budget.ts";
import { type ProviderCall, ProviderError } from "../../adapters/providers/provider.ts";
import { untilBack } from "../../base/mongo/until-back.ts";
import { ObjectStoreError } from "../../base/objects/object-store.ts";
import { settlementEntryId } from "../../identity/credits/entry-id.ts";
import { debitHashOf } from "../../identity/credits/read.ts";
import type { App } from "../../kernel/app.ts";
import { type SavedOutputs, saveOutputs } from "../../kernel/outputs/save.ts";
import { type MadeBy, signOutputs } from "../../kernel/outputs/sign-outputs.ts";
import type { StoredFile } from "../../kernel/outputs/store.ts";
import type { CallRecord } from "../costs/rules.ts";
import { deliveredOf, isWhole } from "../jobs/delivery-rules.ts";
import { providerInputs } from "../jobs/inputs.ts";
import type { Claim } from "../jobs/local-dispatch.ts";
import type { JobDoc, JobErrorDoc } from "../jobs/store.ts";
import type { Limiters } from "../limits/limiters.ts";
import { createCallLog } from "./call-log.ts";
import { runDeadline } from "./call-rules.ts";
import { type Suspension, suspendJob, wakeCall } from "./calls.ts";
import type { CalledRun } from "./costs.ts";
import { RunDeadline, timeoutOf, toJobError } from "./failures.ts";
import { fetchResult, type Task, untilAborted } from "./fetch-result.ts";
import { LostLease, type RunOutcome } from "./finalize.ts";
import { createProgress } from "./progress.ts";

/** The result is fetched and stored for at least this long, however late it is. */
const COLLECT_MS = 120_000;
const MIB = 2 ** 20;

/** The job's owner requested its cancellation, and the work has ended, or was not begun. */
class CallCancelled extends Error {
  override readonly name = "CallCancelled";
}

export const CANCELLED: Run = { outcome: { kind: "cancelled" }, files: [], calls: [] };

export type RunOptions = {
  /** Aborted when the lease is lost or the worker stops. */
  stop: AbortSignal;
  /** Aborted when the job's owner requests its cancellation. */
  cancellation: AbortSignal;
  task: Task;
  /** Shared by all jobs of the worker. */
  memory: MemoryBudget;
  limiters: Limiters;
};

/** The outcome of a job, and the small files that are stored when it is finalized. */
export type Run = {
  readonly outcome: RunOutcome;
  readonly files: readonly StoredFile[];
  readonly calls: readonly CallRecord[];
};

export function failedRun(error: JobErrorDoc, calls: readonly CallRecord[] = []): Run {
  return { outcome: { kind: "failed", error }, files: [], calls };
}

/**
 * Calls the provider and stores what it made. If the provider works asynchronously, suspends the job and returns "suspended". Throws only
 * what is not the job's fault: a lost lease, a shutdown, an unavailable database.
 */
export async function runJob(
  app: App,
  claim: Claim,
  { stop, cancellation, task, memory, limiters }: RunOptions,
): Promise<Run | "suspended"> {
  const { job } = claim;
  // There is one controller for everything that ends the call: AbortSignal.any costs more than the rest of a short run.
  const ending = new AbortController();
  const onStop = () => ending.abort(stop.reason);
  if (stop.aborted) onStop();
  stop.addEventListener("abort", onStop, { once: true });
  const leftMs = leftFor(app, claim, task);
  const timer = setTimeout(() => ending.abort(new RunDeadline()), leftMs);
  const endsAtMs = performance.now() + leftMs;
  const progress = createProgress(app, claim, {
    signal: ending.signal,
    onLost: (error) => ending.abort(error),
  });
  const calls = createCallLog(app);
  const limits = createOutputLimits(memory, maxBytesOf(app, job.modality), ending.signal);
  const call: ProviderCall = {
    signal: ending.signal,
    maxBytes: limits.maxBytes,
    reserveMemory: limits.reserveMemory,
    idempotencyKey: job._id,
    onProgress: progress.report,
    // Each call to the provider has its own.
    onUsage: () => {},
    inputs: providerInputs(app, job, ending.signal),
  };
  try {
    const cancelCall = () => ending.abort(new CallCancelled());
    const attempt = {
      app,
      calls,
      limiters,
      claim,
      call,
      progress,
      endsAtMs,
      cancellation: { signal: cancellation, cancelCall },
    };
    const got = await fetchResult(attempt, task);
    if ("error" in got) return failedRun(got.error, calls.records);
    // The work is made or begun, and paid for: from here on only a lost lease or the end of the worker prevents storing it.
    clearTimeout(timer);
    await progress.written();
    if ("pollAt" in got) {
      await suspend(app, { claim, calls: calls.records }, got, call.signal);
      return "suspended";
    }
    const marked = await tracedStep(app.tracing, "sign outputs", {}, () =>
      untilAborted(signOutputs(app, madeBy(app, claim, call), got.outputs, call.signal), call.signal),
    );
    const owner = { accountId: job.account_id, jobId: job._id, keepDays: job.keep_days };
    const { outputs, files }: SavedOutputs = await tracedStep(app.tracing, "store outputs", {}, () =>
      untilBack(() => saveOutputs(app, owner, marked, call.signal), call.signal),
    );
    const delivered = deliveredOf(job, outputs.length, got.usage);
    return {
      outcome: { kind: "completed", outputs, ...(!isWhole(delivered) && { delivered }) },
      files,
      calls: calls.records,
    };
  } catch (error) {
    return { ...failureOf(app, job, error, ending.signal), calls: calls.records };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", onStop);
    limits.release();
  }
}

/** What the files of the job disclose about it. */
function madeBy(app: App, { job, debitHash }: Claim, { inputs, signal }: ProviderCall): MadeBy {
  const readHash = () => untilBack(() => debitHashOf(app, job.account_id, job._id), signal);
  return {
    jobId: job._id,
    modelSlug: job.model_slug,
    entryId: settlementEntryId(job._id, "debit"),
    entryHash: debitHash === undefined ? readHash : async () => debitHash,
    inputs,
  };
}

/** The deadline counts from the first claim, so that a job that is handed from worker to worker ends too. */
function leftFor(app: App, { startedAt, job }: Claim, { kind }: Task): number {
  const leftMs = runDeadline({ ...job, started_at: startedAt }).getTime() - app.clock.now().getTime();
  return Math.max(kind === "collect" ? COLLECT_MS : 0, leftMs);
}

/** The outcome of a job whose run threw. Throws if it was not its fault. */
function failureOf(app: App, job: JobDoc, error: unknown, ending: AbortSignal): Run {
  if (ending.aborted) {
    if (ending.reason instanceof CallCancelled) return CANCELLED;
    if (!(ending.reason instanceof RunDeadline)) throw ending.reason;
    return failedRun(timeoutOf(job));
  }
  if (error instanceof ProviderError) return failedRun(toJobError(error));
  if (error instanceof ObjectStoreError) {
    app.log.error({ err: error, job: job._id }, "what a provider made could not be stored");
    return failedRun({ code: "storage_failed", message: "The provider's output could not be stored." });
  }
  throw error;
}

/** A provider's work is lost with its handle: if another worker has the job by now, the handle is passed to it. */
async function suspend(app: App, run: CalledRun, suspension: Suspension, signal: AbortSignal): Promise<void> {
  try {
    await untilBack(() => suspendJob(app, run, suspension), signal);
  } catch (error) {
    if (error instanceof LostLease && suspension.call)
      await wakeCall(app, run.claim.job._id, suspension.call.handle);
    throw error;
  }
}

function maxBytesOf({ config }: App, modality: Modality): number {
  const limitsMb = { image: config.maxImageMb, audio: config.maxAudioMb, video: config.maxVideoMb };
  return limitsMb[modality] * MIB;
}
