// The worker: claims jobs while it has capacity and runs them, keeps its leases alive and takes over lost ones.
import { randomUUID } from "node:crypto";
import { tracedBatch } from "../../../runtime/log/tracing.ts";
import { createService, type Service } from "../../../runtime/service.ts";
import { isDatabaseAway, isPassing } from "../../base/mongo/errors.ts";
import { createGroupCommit, type GroupCommit } from "../../base/mongo/group-commit.ts";
import { withinMs } from "../../base/mongo/within-ms.ts";
import type { App } from "../../kernel/app.ts";
import type { Claim, LocalDispatch, JobsApp } from "../jobs/local-dispatch.ts";
import { expireWaitingJobs } from "../jobs/release.ts";
import type { Limiters } from "../limits/limiters.ts";
import { admitWaiting, openLimiters } from "./admit.ts";
import { claimJobs } from "./claim.ts";
import { type EndedRun, finalizeJobs } from "./finalize.ts";
import { createPoller } from "./poller.ts";
import { rescueJobs } from "./rescue.ts";
import { createRuns, type Runs } from "./runs.ts";
import {
  endOtherLeases,
  extendLeases,
  findHeld,
  findCancelRequested,
  releaseLeases,
} from "./store-leases.ts";

/** The most jobs in one claim or rescue. */
const MAX_BATCH = 256;
/** How often an idle worker looks for work that no signal announced. */
const IDLE_POLL_MS = 100;
const RESCUE_EVERY_MS = 1_000;
/** How soon it notices that a minute is over, that a provider is to be tried again, or that an operator has changed a setting. */
const ADMIT_EVERY_MS = 500;
/** A request can set its own deadline, in seconds. */
const EXPIRE_EVERY_MS = 5_000;
/** How often a worker checks which of its jobs are to be cancelled, and how long one runs before that: most end sooner. */
const REQUEST_EVERY_MS = 500;
const MAX_SETTLED = 256;
/** Fewer jobs than this are finalized together even if they are all that run, because a transaction has its price too. */
const WHOLE_BATCH = 32;

export type Worker = {
  /** The name in its leases. */
  readonly id: string;
  /** The number of jobs that it runs. */
  running(): number;
  /** Stops claiming, waits up to `drainMs` for running jobs, and releases the leases of the rest. */
  stop(drainMs: number): Promise<void>;
};

export type WorkerOptions = {
  concurrency: number;
  leaseMs: number;
};

/** What the steps of one worker share. */
type Work = {
  readonly app: JobsApp;
  readonly worker: string;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly runs: Runs;
  readonly rescued: { inc(): void };
  /** Slots reserved for jobs that are being accepted. */
  taken: number;
  /** The last claim left nothing behind that this worker could have taken. */
  caughtUp: boolean;
  /** When the database was last unavailable. Its workers may be about to extend their leases. */
  awayAtMs: number;
  /** No one else runs jobs of a database that starts and ends with this process, so a lease that it finds has no worker. */
  mayFindOtherLeases: boolean;
};

export function startWorker(app: JobsApp, { concurrency, leaseMs }: WorkerOptions): Worker {
  const worker = `worker_${randomUUID()}`;
  const taking = createService({ log: app.log, isOutage: isPassing });
  // Its leases are kept for as long as it runs anything.
  const keeping = createService({ log: app.log, isOutage: isPassing });
  const limiters = openLimiters(app);
  const runs = createRuns(app, {
    limiters,
    settle: createFinalizeQueue(app, () =>
      finalizeTogether({ running: runs.count(), hasBacklog: !work.caughtUp }),
    ),
    isFull: () => roomOf(work) <= 0,
    onFreeSlot: () => ring(),
  });
  const work: Work = {
    app,
    worker,
    concurrency,
    leaseMs,
    runs,
    rescued: app.metrics.counter("jobs_rescued_total", "Jobs taken over because their lease ended.", []),
    taken: 0,
    caughtUp: false,
    awayAtMs: Number.NEGATIVE_INFINITY,
    mayFindOtherLeases: app.ownDatabase !== undefined,
  };
  const ring = taking.loop("claim jobs", () => noteOutage(work, claimStep));
  addSweeps(taking, work, limiters);
  keeping.every(leaseMs / 3, "keep leases", () => noteOutage(work, heartbeat));
  keeping.every(REQUEST_EVERY_MS, "look for jobs to cancel", () => requestStep(work));
  const asking = createPoller(app, {
    worker,
    leaseMs,
    runs,
    limiters,
    // Resumed jobs may take a slot next to newly claimed ones: otherwise they would always come first.
    hasPlace: () => !app.ownDatabase?.isShortOfSpace() && runs.count() < 2 * concurrency,
    stopping: taking.signal,
    onFreeSlot: () => look(),
  });
  const look = taking.loop("ask providers for calls", () => noteOutage(work, asking.step));
  const localDispatch = localDispatchOf(work, taking.signal);
  app.localDispatch.worker = localDispatch;
  app.signals.on("claimable", ring);
  app.signals.on("callable", look);
  app.signals.on("cancel-requested", runs.cancel);
  taking.start();
  keeping.start();
  return {
    id: worker,
    running: runs.count,
    stop: async (drainMs) => {
      if (app.localDispatch.worker === localDispatch) app.localDispatch.worker = undefined;
      app.signals.off("claimable", ring);
      app.signals.off("callable", look);
      await taking.stop();
      await asking.ended();
      const left = await runs.drain(drainMs);
      app.signals.off("cancel-requested", runs.cancel);
      await keeping.stop();
      if (left.length > 0)
        await releaseLeases(app.mongo.db, worker, left, app.clock.now()).catch((error: unknown) =>
          app.log.warn({ err: error }, "leases could not be released; they expire"),
        );
      await runs.abandon();
    },
  };
}

/** Regular checks, with or without a signal. */
function addSweeps(taking: Service, work: Work, limiters: Limiters): void {
  const { app, leaseMs } = work;
  taking.loop("take over lost jobs", async () => {
    await noteOutage(work, rescueStep);
    return Math.min(RESCUE_EVERY_MS, leaseMs / 2);
  });
  taking.every(EXPIRE_EVERY_MS, "end jobs that waited too long", () =>
    noteOutage(work, () => expireWaitingJobs(app)),
  );
  taking.every(ADMIT_EVERY_MS, "let waiting jobs call providers", () =>
    noteOutage(work, () => admitWaiting(app, limiters)),
  );
}

function roomOf({ app, runs, concurrency, taken }: Work): number {
  // Waiting work is delayed a little longer: each running job creates files.
  return app.ownDatabase?.isShortOfSpace() ? 0 : Math.min(concurrency - runs.count() - taken, MAX_BATCH);
}

function localDispatchOf(work: Work, stopping: AbortSignal): LocalDispatch {
  return {
    worker: work.worker,
    leaseMs: work.leaseMs,
    take: (wanted) => {
      const places = work.caughtUp && !stopping.aborted ? Math.max(0, Math.min(wanted, roomOf(work))) : 0;
      work.taken += places;
      return places;
    },
    start: (places, claims) => {
      work.taken -= places;
      for (const claim of claims) void work.runs.start(claim, { kind: "start" });
    },
  };
}

async function noteOutage<T>(work: Work, step: (work: Work) => Promise<T>): Promise<T> {
  try {
    return await step(work);
  } catch (error) {
    if (isDatabaseAway(error)) work.awayAtMs = performance.now();
    throw error;
  }
}

/** Fills the free slots. Returns how long to wait before the next step. */
async function claimStep(work: Work): Promise<number> {
  const { app, worker, leaseMs, runs } = work;
  const limit = roomOf(work);
  const onLate = (late: readonly Claim[]) => {
    app.log.warn({ jobs: late.length }, "jobs were claimed after the time for it was over");
    for (const claim of late) void runs.start(claim, { kind: "start" });
  };
  let claims: readonly Claim[] | undefined;
  try {
    claims = limit > 0 ? await claimJobs(app, { worker, limit, leaseMs, onLate }) : [];
  } finally {
    work.caughtUp = claims !== undefined && claims.length < limit;
  }
  for (const claim of claims) void runs.start(claim, { kind: "start" });
  return claims.length === 0 || runs.count() >= work.concurrency ? IDLE_POLL_MS : 0;
}

async function heartbeat({ app, worker, leaseMs, runs }: Work): Promise<void> {
  const ids = runs.ids();
  if (ids.length === 0) return;
  const until = new Date(app.clock.now().getTime() + leaseMs);
  // A claim without a response must not keep the next one from trying another connection.
  if ((await withinMs(leaseMs / 3, extendLeases(app.mongo.db, worker, ids, until))) === ids.length) return;
  const held = await withinMs(leaseMs / 3, findHeld(app.mongo.db, worker, ids));
  for (const jobId of ids) if (!held.has(jobId)) runs.lose(jobId);
}

/** Receives cancellation requests that another process recorded. */
async function requestStep({ app, worker, runs }: Work): Promise<void> {
  const ids = runs.uncancelled(REQUEST_EVERY_MS);
  if (ids.length === 0) return;
  for (const jobId of await findCancelRequested(app.mongo.db, worker, ids)) runs.cancel(jobId);
}

async function rescueStep(work: Work): Promise<void> {
  const { app, worker, leaseMs, runs, rescued, awayAtMs } = work;
  if (work.mayFindOtherLeases) {
    await endOtherLeases(app.mongo.db, worker, app.clock.now());
    work.mayFindOtherLeases = false;
  }
  // No lease could be extended while the database was unavailable. Live workers extend theirs now; a lease that is still expired after that
  // has no worker.
  if (performance.now() - awayAtMs < leaseMs) return;
  for (const claim of await rescueJobs(app, { worker, limit: MAX_BATCH, leaseMs })) {
    runs.lose(claim.job._id);
    rescued.inc();
    app.log.warn({ job: claim.job._id, rescues: claim.job.rescues }, "took over a job whose worker is gone");
    void runs.start(claim, { kind: "recover" });
  }
}

/**
 * With a backlog, throughput counts. Without one, latency does: batches take half of what runs, so that callers who wait for their jobs
 * return in two groups, and the jobs of one group are finalized while those of the other are accepted.
 */
export function finalizeTogether({ running, hasBacklog }: { running: number; hasBacklog: boolean }): number {
  return hasBacklog ? MAX_SETTLED : Math.min(MAX_SETTLED, Math.max(WHOLE_BATCH, Math.ceil(running / 2)));
}

/** Jobs that end together are finalized in one transaction. */
export function createFinalizeQueue(app: App, maxBatch: () => number): GroupCommit<EndedRun, void> {
  return createGroupCommit<EndedRun, void>({
    maxBatch,
    commit: (runs, batch) =>
      tracedBatch(
        app.tracing,
        "commit finalized jobs",
        runs.map(({ span }) => span),
        () => finalizeJobs(app, runs, batch),
      ),
    isHopeless: isDatabaseAway,
    contention: app.mongo.contention,
  });
}
