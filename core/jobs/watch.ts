// Tells waiting callers when a job has a new event. One small query a tick for all waited jobs of this process, and a signal
// from this process's own writes, so that nobody waits a whole tick for those.
import type { App } from "../app.ts";
import { isDatabaseAway } from "../mongo/errors.ts";
import { findVersions } from "./store.ts";

const TICK_MS = 150;
/** Ids in one query. */
const CHUNK = 500;

type Waiter = { version: number; wake: (changed: boolean) => void };

export type JobWatcher = {
  /** Resolves true when the job has events after `version`, false after `timeoutMs` or when the signal is aborted. */
  changed(jobId: string, version: number, timeoutMs: number, signal: AbortSignal): Promise<boolean>;
  stop(): void;
};

export function createJobWatcher(app: App): JobWatcher {
  const waiting = new Map<string, Set<Waiter>>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;

  app.signals.on("changed", onChanged);

  function onChanged(jobIds: readonly string[]): void {
    const waited = jobIds.filter((id) => waiting.has(id));
    if (waited.length > 0) void look(waited);
  }

  async function tick(): Promise<void> {
    // A slow database must not gather queries.
    if (looking) return;
    looking = true;
    const ids = [...waiting.keys()];
    for (let i = 0; i < ids.length; i += CHUNK) await look(ids.slice(i, i + CHUNK));
    looking = false;
  }

  async function look(jobIds: readonly string[]): Promise<void> {
    try {
      for (const [id, version] of await findVersions(app.mongo.db, jobIds)) {
        for (const waiter of waiting.get(id) ?? []) if (version > waiter.version) waiter.wake(true);
      }
    } catch (error) {
      // The next tick asks again.
      if (!isDatabaseAway(error)) app.log.error({ err: error }, "could not look for changes of jobs");
    }
  }

  function add(jobId: string, waiter: Waiter): void {
    const waiters = waiting.get(jobId) ?? new Set();
    waiting.set(jobId, waiters.add(waiter));
    timer ??= setInterval(() => void tick(), TICK_MS);
  }

  function remove(jobId: string, waiter: Waiter): void {
    const waiters = waiting.get(jobId);
    waiters?.delete(waiter);
    if (waiters?.size === 0) waiting.delete(jobId);
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    changed: (jobId, version, timeoutMs, signal) => {
      if (signal.aborted || timeoutMs <= 0) return Promise.resolve(false);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const waiter: Waiter = { version, wake: resolve };
      const giveUp = () => resolve(false);
      const timeout = setTimeout(giveUp, timeoutMs);
      signal.addEventListener("abort", giveUp, { once: true });
      add(jobId, waiter);
      return promise.finally(() => {
        clearTimeout(timeout);
        signal.removeEventListener("abort", giveUp);
        remove(jobId, waiter);
      });
    },
    stop: () => {
      app.signals.off("changed", onChanged);
      for (const waiters of waiting.values()) for (const waiter of waiters) waiter.wake(false);
    },
  };
}
