// Tells waiting callers when a job has a new event. Each tick makes one small query for all jobs that this process waits for, and reads
// each changed job once, however many wait for it. This process's own writes send a signal, so that nobody waits a whole tick for those.
import { createService } from "../../runtime/service.ts";
import type { App } from "../app.ts";
import { isDatabaseAway } from "../mongo/errors.ts";
import { findVersions, readJobs } from "./store-reads.ts";
import type { JobDoc } from "./store.ts";

const TICK_MS = 150;
/** Ids in one query. */
const CHUNK = 500;
/** Jobs that are read together; with its history one may have some tens of kilobytes. */
const READ_CHUNK = 50;

type Waiter = { version: number; wake: (job: JobDoc | undefined) => void };

export type JobWatcher = {
  /** Resolves to the job once it has events after `version`, or to undefined after `timeoutMs` or when the signal is aborted. */
  changed(
    jobId: string,
    version: number,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<JobDoc | undefined>;
  stop(): Promise<void>;
};

export function createJobWatcher(app: App): JobWatcher {
  const waiting = new Map<string, Set<Waiter>>();
  const service = createService({ log: app.log, isOutage: isDatabaseAway });
  service.every(TICK_MS, "look for changes of jobs", tick);
  service.start();
  app.signals.on("changed", onChanged);

  function onChanged(jobIds: readonly string[]): void {
    const waited = jobIds.filter((id) => waiting.has(id));
    // Where that fails the next tick looks again.
    if (waited.length > 0) look(waited).catch(() => {});
  }

  async function tick(): Promise<void> {
    const ids = [...waiting.keys()];
    for (let i = 0; i < ids.length; i += CHUNK) await look(ids.slice(i, i + CHUNK));
  }

  async function look(jobIds: readonly string[]): Promise<void> {
    const versions = await findVersions(app.mongo.db, jobIds);
    const changed = [...versions].flatMap(([id, version]) => (isNews(id, version) ? [id] : []));
    for (let i = 0; i < changed.length; i += READ_CHUNK) {
      for (const job of await readJobs(app.mongo.db, changed.slice(i, i + READ_CHUNK))) {
        for (const waiter of waiting.get(job._id) ?? []) if (job.version > waiter.version) waiter.wake(job);
      }
    }
  }

  function isNews(jobId: string, version: number): boolean {
    return [...(waiting.get(jobId) ?? [])].some((waiter) => version > waiter.version);
  }

  function add(jobId: string, waiter: Waiter): void {
    const waiters = waiting.get(jobId) ?? new Set();
    waiting.set(jobId, waiters.add(waiter));
  }

  function remove(jobId: string, waiter: Waiter): void {
    const waiters = waiting.get(jobId);
    waiters?.delete(waiter);
    if (waiters?.size === 0) waiting.delete(jobId);
  }

  return {
    changed: (jobId, version, timeoutMs, signal) => {
      if (signal.aborted || timeoutMs <= 0) return Promise.resolve(undefined);
      const { promise, resolve } = Promise.withResolvers<JobDoc | undefined>();
      const waiter: Waiter = { version, wake: resolve };
      const giveUp = () => resolve(undefined);
      const timeout = setTimeout(giveUp, timeoutMs);
      signal.addEventListener("abort", giveUp, { once: true });
      add(jobId, waiter);
      return promise.finally(() => {
        clearTimeout(timeout);
        signal.removeEventListener("abort", giveUp);
        remove(jobId, waiter);
      });
    },
    stop: async () => {
      app.signals.off("changed", onChanged);
      for (const waiters of waiting.values()) for (const waiter of waiters) waiter.wake(undefined);
      await service.stop();
    },
  };
}
