// Runs one claimed job at its provider, outside any transaction. Whatever the provider does becomes an outcome of the job.
import { setTimeout as sleep } from "node:timers/promises";
import type { Modality } from "../../proto/resources/job.ts";
import type { App } from "../app.ts";
import { untilBack } from "../mongo/until-back.ts";
import { ObjectStoreError } from "../objects/object-store.ts";
import { type SavedOutputs, saveOutputs } from "../outputs/save.ts";
import type { StoredFile } from "../outputs/store.ts";
import { createIntake, type Room } from "../providers/room.ts";
import {
  type Provider,
  type ProviderCall,
  ProviderError,
  type ProviderOutput,
  type ProviderRequest,
} from "../providers/provider.ts";
import type { Claim } from "./intake.ts";
import { createProgress, type JobProgress } from "./progress.ts";
import type { Outcome } from "./settle.ts";
import type { JobErrorDoc } from "./store.ts";

const MAX_TRIES = 4;
const RETRY_BASE_MS = 500;
const MIB = 2 ** 20;

/** Why a run was stopped from outside; the job's own deadline is the only one that is an outcome. */
export class RunDeadline extends Error {
  override readonly name = "RunDeadline";
}

const failedWith = (error: JobErrorDoc): Run => ({ outcome: { kind: "failed", error }, files: [] });
const failed = (code: string, message: string): Run => failedWith({ code, message });

export const OUTCOME_UNKNOWN = failed(
  "outcome_unknown",
  "The worker stopped in the middle of the provider's call and nobody can tell what became of it.",
);

export type RunOptions = {
  /** Aborted when the lease is lost or the worker stops. */
  stop: AbortSignal;
  /** An earlier worker called the provider already: ask first what became of it. */
  recover: boolean;
  /** Shared by all jobs of the worker. */
  room: Room;
};

/** What became of a job, and the small files that are stored when it is settled. */
export type Run = { readonly outcome: Outcome; readonly files: readonly StoredFile[] };

/**
 * Calls the provider, again up to 3 times where its error says so, and stores what it made.
 * Throws only what is not the job's fault: a lost lease, a shutdown, the database away.
 */
export async function runJob(app: App, claim: Claim, { stop, recover, room }: RunOptions): Promise<Run> {
  const { job } = claim;
  const provider = app.providers.get(job.provider);
  if (!provider)
    return failed("provider_unavailable", `The provider of ${job.model_slug} is not set up here any more.`);
  // The deadline counts from the first claim, so that a job handed from worker to worker ends too.
  const leftMs = claim.startedAt.getTime() + job.run_timeout_ms - app.clock.now().getTime();
  // One controller for everything that ends the call: AbortSignal.any costs more than the rest of a short run.
  const ending = new AbortController();
  const onStop = () => ending.abort(stop.reason);
  if (stop.aborted) onStop();
  stop.addEventListener("abort", onStop, { once: true });
  const timer = setTimeout(() => ending.abort(new RunDeadline()), Math.max(0, leftMs));
  const endsAtMs = performance.now() + leftMs;
  const progress = createProgress(app, claim, {
    signal: ending.signal,
    onLost: (error) => ending.abort(error),
  });
  const intake = createIntake(room, maxBytesOf(app, job.modality), ending.signal);
  const call: ProviderCall = {
    signal: ending.signal,
    maxBytes: intake.maxBytes,
    makeRoom: intake.makeRoom,
    idempotencyKey: job._id,
    onProgress: progress.report,
    inputs: new Map(),
  };
  try {
    const attempt: Attempt = { provider, claim, call, progress, endsAtMs };
    const made = recover ? await recoverCall(attempt) : await callProvider(attempt);
    if ("outcome" in made) return made;
    // It is made and paid for: from here on only a lost lease or the end of the worker keeps it from being stored.
    clearTimeout(timer);
    await progress.written();
    const owner = { accountId: job.account_id, jobId: job._id };
    const { outputs, files }: SavedOutputs = await untilBack(
      () => saveOutputs(app, owner, made, call.signal),
      call.signal,
    );
    return { outcome: { kind: "completed", outputs }, files };
  } catch (error) {
    if (ending.signal.aborted) {
      if (!(ending.signal.reason instanceof RunDeadline)) throw ending.signal.reason;
      return failed(
        "provider_timeout",
        `The provider did not finish within ${Math.round(job.run_timeout_ms / 1000)} seconds.`,
      );
    }
    if (error instanceof ProviderError) return failedWith(toJobError(error));
    if (error instanceof ObjectStoreError) {
      app.log.error({ err: error, job: job._id }, "what a provider made could not be stored");
      return failed("storage_failed", "What the provider made could not be stored.");
    }
    throw error;
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", onStop);
    intake.release();
  }
}

function maxBytesOf({ config }: App, modality: Modality): number {
  const limitsMb = { image: config.maxImageMb, audio: config.maxAudioMb, video: config.maxVideoMb };
  return limitsMb[modality] * MIB;
}

type Attempt = {
  readonly provider: Provider;
  readonly claim: Claim;
  readonly call: ProviderCall;
  readonly progress: JobProgress;
  /** When the run's deadline passes, on the clock of performance.now(). */
  readonly endsAtMs: number;
};

async function callProvider({
  provider,
  claim: { job },
  call,
  progress,
  endsAtMs,
}: Attempt): Promise<readonly ProviderOutput[]> {
  // All of it: a field of requests that is not handed on here does not compile.
  const request: Required<ProviderRequest> = {
    modality: job.modality,
    model: job.provider_model,
    prompt: job.prompt,
    params: job.params,
    options: job.provider_options,
  };
  for (let tries = 1; ; tries++) {
    try {
      const outputs = await untilAborted(provider.start(request, call), call.signal);
      if ("handle" in outputs || outputs.length === 0)
        throw new ProviderError("provider_bad_answer", "The provider answered with no output.");
      return outputs;
    } catch (error) {
      call.signal.throwIfAborted();
      if (!(error instanceof ProviderError))
        throw new ProviderError("provider_failed", "The provider failed.", { cause: error });
      if (!error.retryable || tries >= MAX_TRIES) throw error;
      const waitMs = retryDelayMs(tries, error.retryAfterMs);
      // A call before its time would be refused again, and one after the deadline cannot be made: nobody need wait for that.
      if (performance.now() + waitMs >= endsAtMs) throw error;
      progress.add("retrying", {
        reason: error.failure,
        message: error.message,
        try: tries + 1,
        wait_seconds: waitMs / 1000,
      });
      await sleep(waitMs, undefined, { signal: call.signal });
    }
  }
}

/** After a worker was lost in the middle of the call: look it up; call again only where that costs nothing twice. */
async function recoverCall(attempt: Attempt): Promise<readonly ProviderOutput[] | Run> {
  const { provider, call } = attempt;
  const found = provider.lookup ? await provider.lookup(call.idempotencyKey, call.signal) : undefined;
  switch (found?.state) {
    case "done":
      return found.outputs;
    case "failed":
      return failedWith(toJobError(found.error));
    case "never_started":
      return callProvider(attempt);
    default:
      return provider.safeToRepeat ? callProvider(attempt) : OUTCOME_UNKNOWN;
  }
}

/** An adapter that does not heed its signal must not hold the job beyond its deadline. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function toJobError(error: ProviderError): JobErrorDoc {
  return { code: error.failure, message: error.message };
}

/** What the provider asked for, however long, else 0.5 s, 1 s, 2 s, give or take a quarter. */
function retryDelayMs(tries: number, askedMs: number | undefined): number {
  return Math.round(askedMs ?? RETRY_BASE_MS * 2 ** (tries - 1) * (0.75 + Math.random() / 2));
}
