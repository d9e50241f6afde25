// The jobs that a worker runs, each from its claim until it is finalized or its lease is lost.
import { type Span, tracedStep } from "../../../runtime/log/tracing.ts";
import { waitAtMost } from "../../../runtime/service.ts";
import { createMemoryBudget } from "../../adapters/providers/memory-budget.ts";
import type { ProviderUsage } from "../../adapters/providers/provider.ts";
import type { GroupCommit } from "../../base/mongo/group-commit.ts";
import { untilBack } from "../../base/mongo/until-back.ts";
import type { App } from "../../kernel/app.ts";
import { chargeFor } from "../jobs/delivery-rules.ts";
import type { Claim } from "../jobs/local-dispatch.ts";
import { mayBeTriedAgain } from "../jobs/rules.ts";
import type { JobDoc, JobErrorDoc } from "../jobs/store.ts";
import { tracedRun } from "../jobs/trace.ts";
import type { Limiters } from "../limits/limiters.ts";
import { leaveProviders } from "./admit.ts";
import { endedWhileSuspended } from "./call-log.ts";
import { OUTCOME_UNKNOWN } from "./failures.ts";
import type { Task } from "./fetch-result.ts";
import { type EndedRun, LostLease, type RunOutcome } from "./finalize.ts";
import { CANCELLED, failedRun, type Run, runJob, type RunOptions } from "./run.ts";

/** What remains to be done for a job: at its provider, or to end it. */
export type RunTask =
  | Task
  | { readonly kind: "fail"; readonly error: JobErrorDoc; readonly usage?: ProviderUsage | undefined }
  | { readonly kind: "cancel" };

/** What may end a run from outside. */
type Ends = Pick<RunOptions, "stop" | "cancellation">;

export type Runs = {
  count(): number;
  ids(): string[];
  /** Resolves once the job is finalized, suspended or lost. */
  start(claim: Claim, task: RunTask): Promise<void>;
  /** Ends a run because another worker has the job, or it was taken over again: the run's result is discarded. */
  lose(jobId: string): void;
  /** Tells a run that the job's owner requested its cancellation. */
  cancel(jobId: string): void;
  /** The ids of jobs that have run for `ms` and that no one has asked to cancel. */
  uncancelled(ms: number): string[];
  /** Waits up to `ms` for all running jobs, and returns the ids of those that still run. */
  drain(ms: number): Promise<string[]>;
  /** Ends what still runs, without finalizing it. */
  abandon(): Promise<void>;
};

export type RunsOptions = {
  limiters: Limiters;
  settle: GroupCommit<EndedRun, void>;
  /** Whether there is no capacity to start another job. */
  isFull: () => boolean;
  /** Called when a job ends while there was no capacity for another. */
  onFreeSlot: () => void;
};

class Shutdown extends Error {
  override readonly name = "Shutdown";
}

type OneRun = {
  readonly abort: AbortController;
  readonly cancellation: AbortController;
  readonly sinceMs: number;
  readonly done: Promise<void>;
};

export function createRuns(app: App, { limiters, settle, isFull, onFreeSlot }: RunsOptions): Runs {
  const running = new Map<string, OneRun>();
  const finish = createFinish(app, { limiters, settle });
  const waited = app.metrics.duration("job_queue", "From accepting a job to its start.", []);

  function start(claim: Claim, task: RunTask): Promise<void> {
    const abort = new AbortController();
    const cancellation = new AbortController();
    if (claim.job.cancel_requested_at) cancellation.abort();
    const ends = { stop: abort.signal, cancellation: cancellation.signal };
    const done = tracedRun(app, claim, task.kind, (span) => {
      // A job that was suspended has waited in the queue once, before its first claim.
      if (claim.job.started_at === null)
        waited.observe({}, (claim.startedAt.getTime() - claim.job.created_at.getTime()) / 1000);
      return finish(claim, ends, { task, span });
    });
    const own: OneRun = { abort, cancellation, sinceMs: performance.now(), done };
    running.set(claim.job._id, own);
    void own.done.finally(() => {
      const wasFull = isFull();
      // A job that this worker lost and took over again has a newer run under the same id.
      if (running.get(claim.job._id) === own) running.delete(claim.job._id);
      if (wasFull) onFreeSlot();
    });
    return own.done;
  }

  const allDone = () => Promise.all([...running.values()].map(({ done }) => done));
  return {
    count: () => running.size,
    ids: () => [...running.keys()],
    start,
    cancel: (jobId) => running.get(jobId)?.cancellation.abort(),
    uncancelled: (ms) =>
      [...running].flatMap(([id, { cancellation, sinceMs }]) =>
        !cancellation.signal.aborted && performance.now() - sinceMs >= ms ? [id] : [],
      ),
    lose: (jobId) => running.get(jobId)?.abort.abort(new LostLease(jobId)),
    drain: async (ms) => {
      await waitAtMost(ms, allDone());
      return [...running.keys()];
    },
    abandon: async () => {
      for (const { abort } of running.values()) abort.abort(new Shutdown());
      await allDone();
    },
  };
}

type Finish = (
  claim: Claim,
  ends: Ends,
  run: { readonly task: RunTask; readonly span: Span | undefined },
) => Promise<void>;

/** Does what remains for a job, and finalizes it. Never rejects. */
function createFinish(app: App, { limiters, settle }: Pick<RunsOptions, "limiters" | "settle">): Finish {
  const memory = createMemoryBudget(app.config.workerAnswersMb * 2 ** 20);
  const ended = app.metrics.counter(
    "jobs_ended_total",
    "Jobs that this worker ended; code: why one failed.",
    ["state", "code"],
  );
  const credits = app.metrics.counter(
    "job_credits_total",
    "Credits of jobs that this worker ended, by what became of them: spent, or refunded.",
    ["what"],
  );
  const overDelivered = app.metrics.counter(
    "provider_over_delivered_total",
    "Completed jobs for which a provider made more than was asked for, at the operator's cost.",
    ["provider"],
  );
  const countCredits = (job: JobDoc, outcome: RunOutcome) => {
    const delivered = outcome.kind === "completed" ? outcome.delivered : undefined;
    const spent =
      outcome.kind !== "completed" ? 0 : delivered ? chargeFor(job.credits, delivered) : job.credits;
    if (spent > 0) credits.inc({ what: "spent" }, spent);
    if (spent < job.credits) credits.inc({ what: "refunded" }, job.credits - spent);
    if (delivered && delivered.got > delivered.asked)
      overDelivered.inc({ provider: job.call?.provider ?? job.provider });
  };
  const leasesLost = app.metrics.counter(
    "jobs_leases_lost_total",
    "Jobs that this worker ran and lost: another one had taken them over.",
    [],
  );

  async function runOne(claim: Claim, ends: Ends, task: RunTask): Promise<Run | "suspended"> {
    if (task.kind === "cancel") return CANCELLED;
    if (task.kind === "fail")
      return failedRun(task.error, endedWhileSuspended(app, claim.job, task.error, task.usage));
    if (!mayBeTriedAgain(claim.job))
      return failedRun(OUTCOME_UNKNOWN, endedWhileSuspended(app, claim.job, OUTCOME_UNKNOWN));
    return runJob(app, claim, { ...ends, task, memory, limiters });
  }

  return async (claim, ends, { task, span }) => {
    try {
      const run = await runOne(claim, ends, task);
      noteOutcome(span, run);
      if (run === "suspended") return;
      await tracedStep(app.tracing, "finalize job", {}, (settling) =>
        // A provider's result is kept while the database is unavailable, until it is finalized or another worker has the job.
        untilBack((isRepeat) => settle({ claim, ...run, isRepeat, span: settling }), ends.stop),
      );
      const { outcome } = run;
      countCredits(claim.job, outcome);
      ended.inc({ state: outcome.kind, ...(outcome.kind === "failed" && { code: outcome.error.code }) });
      await leaveProviders(app, limiters, claim.job);
    } catch (error) {
      // The lease ends and a worker takes the job over, from the state in the database.
      if (error instanceof LostLease) {
        leasesLost.inc();
        span?.fail("lease_lost");
        app.log.warn({ job: claim.job._id }, "lost the lease of a job; its result is dropped");
      } else if (!(error instanceof Shutdown)) {
        app.log.error({ err: error, job: claim.job._id }, "a job could not be finished here");
      }
    }
  };
}

function noteOutcome(span: Span | undefined, run: Run | "suspended"): void {
  if (!span) return;
  span.set({ "atelier.run.outcome": run === "suspended" ? run : run.outcome.kind });
  if (run !== "suspended" && run.outcome.kind === "failed") span.fail(run.outcome.error.code);
}
