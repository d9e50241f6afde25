// The worker: claims jobs while it has room, runs them, settles them together, keeps its leases alive and takes over lost ones.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createBell } from "../../runtime/process/bell.ts";
import { createGroupCommit } from "../mongo/group-commit.ts";
import { isDatabaseAway, isWriteConflict } from "../mongo/errors.ts";
import { untilBack } from "../mongo/until-back.ts";
import { withinMs } from "../mongo/within-ms.ts";
import { createRoom } from "../providers/room.ts";
import { claimJobs } from "./claim.ts";
import type { Claim, Intake, JobsApp } from "./intake.ts";
import { expireWaitingJobs } from "./release.ts";
import { rescueJobs } from "./rescue.ts";
import { MAX_RESCUES } from "./rules.ts";
import { OUTCOME_UNKNOWN, runJob } from "./run.ts";
import { LostLease, settleJobs, type EndedRun } from "./settle.ts";
import { extendLeases, findHeld, giveBackLeases } from "./store.ts";

const MAX_BATCH = 256;
/** Fewer jobs than this are settled together even when they are all that run: a transaction has its price too. */
const WHOLE_BATCH = 32;
/** How often an idle worker looks for work that no signal told it of. */
const IDLE_POLL_MS = 100;
const RESCUE_EVERY_MS = 1_000;
const EXPIRE_EVERY_MS = 60_000;
const AWAY_PAUSE_MS = 500;

export type Worker = {
  /** Name that its leases carry. */
  readonly id: string;
  /** Jobs it is running. */
  running(): number;
  /** Stops claiming, waits up to `drainMs` for running jobs, gives the leases of the rest back. */
  stop(drainMs: number): Promise<void>;
};

export type WorkerOptions = {
  concurrency: number;
  leaseMs: number;
};

class Shutdown extends Error {
  override readonly name = "Shutdown";
}

export function startWorker(app: JobsApp, { concurrency, leaseMs }: WorkerOptions): Worker {
  const id = `worker_${randomUUID()}`;
  const running = new Map<string, Running>();
  const stopping = new AbortController();
  const bell = createBell();
  const memory = createRoom(app.config.workerAnswersMb * 2 ** 20);
  /** Places set aside for jobs that are being accepted. */
  let taken = 0;
  /** The last claim left nothing behind that this worker could have taken. */
  let caughtUp = false;
  const settle = createGroupCommit<EndedRun, void>({
    // With a backlog throughput counts. Without one latency does: half of what runs, so that callers who wait for their jobs come back in
    // two groups, and while the jobs of one are settled those of the other are accepted.
    maxBatch: () =>
      caughtUp ? Math.min(MAX_BATCH, Math.max(WHOLE_BATCH, Math.ceil(running.size / 2))) : MAX_BATCH,
    commit: (runs, batch) => settleJobs(app, runs, batch),
    isHopeless: isDatabaseAway,
    turns: app.mongo.turns,
  });
  const ended = app.metrics.counter("jobs_ended_total", "Jobs that this worker ended.", ["state"]);
  const rescued = app.metrics.counter("jobs_rescued_total", "Jobs taken over because their lease ended.", []);
  const leasesLost = app.metrics.counter(
    "jobs_leases_lost_total",
    "Jobs that this worker ran and lost: another one had taken them over.",
    [],
  );
  /** When the database was last away. Its workers may be about to come back for their leases. */
  let awayAtMs = Number.NEGATIVE_INFINITY;
  app.signals.on("claimable", bell.ring);
  // What waits already does so a little longer: each job that is run makes files.
  const room = () =>
    app.ownDatabase?.isShortOfRoom() ? 0 : Math.min(concurrency - running.size - taken, MAX_BATCH);

  const intake: Intake = {
    worker: id,
    leaseMs,
    take: (wanted) => {
      const places = caughtUp && !stopping.signal.aborted ? Math.max(0, Math.min(wanted, room())) : 0;
      taken += places;
      return places;
    },
    start: (places, claims) => {
      taken -= places;
      for (const claim of claims) start(claim, false);
    },
  };
  app.intake.worker = intake;

  const loops = [
    claimLoop(),
    every(leaseMs / 3, heartbeat),
    every(Math.min(RESCUE_EVERY_MS, leaseMs / 2), rescue),
    every(EXPIRE_EVERY_MS, () => expireWaitingJobs(app)),
  ];

  async function claimLoop(): Promise<void> {
    while (!stopping.signal.aborted) {
      bell.reset();
      const limit = room();
      const options = { worker: id, limit, leaseMs, onLate: startLate };
      const claims = limit > 0 ? await guarded(() => claimJobs(app, options)) : [];
      caughtUp = claims !== undefined && claims.length < limit;
      for (const claim of claims ?? []) start(claim, false);
      if (!claims) await bell.wait(AWAY_PAUSE_MS);
      else if (claims.length === 0 || running.size >= concurrency) await bell.wait(IDLE_POLL_MS);
    }
  }

  function startLate(claims: readonly Claim[]): void {
    app.log.warn({ jobs: claims.length }, "jobs were claimed after the time for it was over");
    for (const claim of claims) start(claim, false);
  }

  async function every(ms: number, work: () => Promise<unknown>): Promise<void> {
    while (await pause(ms, stopping.signal)) await guarded(work);
  }

  function start(claim: Claim, recover: boolean): void {
    const abort = new AbortController();
    const own: Running = { claim, abort, done: finish(claim, abort.signal, recover) };
    running.set(claim.job._id, own);
    void own.done.finally(() => {
      // A job that this worker lost and took over again has a newer run under the same id.
      const wasFull = room() <= 0;
      if (running.get(claim.job._id) === own) running.delete(claim.job._id);
      if (wasFull) bell.ring();
    });
  }

  async function finish(claim: Claim, signal: AbortSignal, recover: boolean): Promise<void> {
    try {
      const run =
        claim.job.rescues > MAX_RESCUES
          ? OUTCOME_UNKNOWN
          : await runJob(app, claim, { stop: signal, recover, room: memory });
      // What a provider made is worth keeping while the database is away: until it is settled or another worker has the job.
      await untilBack((isRepeat) => settle({ claim, ...run, isRepeat }), signal);
      ended.inc({ state: run.outcome.kind });
    } catch (error) {
      // The lease ends and a worker takes the job over, from the state that is in the database.
      if (error instanceof LostLease) {
        leasesLost.inc();
        app.log.warn({ job: claim.job._id }, "lost the lease of a job; its result is dropped");
      } else if (!(error instanceof Shutdown)) {
        app.log.error({ err: error, job: claim.job._id }, "a job could not be finished here");
      }
    }
  }

  async function heartbeat(): Promise<void> {
    const ids = [...running.keys()];
    if (ids.length === 0) return;
    const until = new Date(app.clock.now().getTime() + leaseMs);
    // One that gets no answer must not keep the next one from trying on another connection.
    if ((await withinMs(leaseMs / 3, extendLeases(app.mongo.db, id, ids, until))) === ids.length) return;
    const held = await withinMs(leaseMs / 3, findHeld(app.mongo.db, id, ids));
    for (const jobId of ids) if (!held.has(jobId)) running.get(jobId)?.abort.abort(new LostLease(jobId));
  }

  async function rescue(): Promise<void> {
    // Nobody could keep a lease while the database was away. Those who live do so now; what still has ended then has no worker.
    if (performance.now() - awayAtMs < leaseMs) return;
    for (const claim of await rescueJobs(app, { worker: id, limit: MAX_BATCH, leaseMs })) {
      running.get(claim.job._id)?.abort.abort(new LostLease(claim.job._id));
      rescued.inc();
      app.log.warn(
        { job: claim.job._id, rescues: claim.job.rescues },
        "took over a job whose worker is gone",
      );
      start(claim, true);
    }
  }

  async function guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error)) app.log.error({ err: error }, "the worker met an error and goes on");
      else if (!isWriteConflict(error)) awayAtMs = performance.now();
      return undefined;
    }
  }

  return {
    id,
    running: () => running.size,
    stop: async (drainMs) => {
      stopping.abort();
      if (app.intake.worker === intake) app.intake.worker = undefined;
      app.signals.off("claimable", bell.ring);
      bell.ring();
      await loops[0];
      const drained = new AbortController();
      const all = Promise.all([...running.values()].map(({ done }) => done)).finally(() => drained.abort());
      await pause(drainMs, drained.signal);
      const left = [...running.values()];
      const leftIds = left.map(({ claim }) => claim.job._id);
      if (left.length > 0) await guarded(() => giveBackLeases(app.mongo.db, id, leftIds, app.clock.now()));
      for (const { abort } of left) abort.abort(new Shutdown());
      await all;
      await Promise.all(loops);
    },
  };
}

type Running = { readonly claim: Claim; readonly abort: AbortController; readonly done: Promise<void> };

/** Waits; false when the signal ended the wait. */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
