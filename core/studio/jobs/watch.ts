// Notifies waiting callers when a job has a new event, or a workflow has changed. Each tick makes one small query for everything that this
// process waits for, and reads each changed document once, however many callers wait for it. This process's own writes send a signal, so
// that their waiters do not wait for a tick.
import { createService } from "../../../runtime/service.ts";
import { isDatabaseAway } from "../../base/mongo/errors.ts";
import type { App } from "../../kernel/app.ts";
import { findVersions, readJobs } from "./store-reads.ts";
import type { JobDoc } from "./store.ts";

const TICK_MS = 150;
/** Ids in one query. */
const CHUNK = 500;
/** Jobs that are read together; with its history one may have some tens of kilobytes. */
const READ_CHUNK = 50;

/** What can be waited for: its version grows with each change. */
type Versioned = { readonly _id: string; readonly version: number };
type Waiter<Doc> = { version: number; wake: (doc: Doc | undefined) => void };

export type Watcher<Doc> = {
  /** Resolves to the document once it is newer than `version`, or to undefined after `timeoutMs` or when the signal is aborted. */
  changed(id: string, version: number, timeoutMs: number, signal: AbortSignal): Promise<Doc | undefined>;
  stop(): Promise<void>;
};

export type JobWatcher = Watcher<JobDoc>;

/** How to find changes. */
export type Watched<Doc> = {
  /** For the log: "look for changes of …". */
  readonly what: string;
  findVersions(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  read(ids: readonly string[]): Promise<readonly Doc[]>;
};

export function createJobWatcher(app: App): JobWatcher {
  const { db } = app.mongo;
  return createWatcher<JobDoc>(app, {
    what: "jobs",
    findVersions: (ids) => findVersions(db, ids),
    read: (ids) => readJobs(db, ids),
  });
}

export function createWatcher<Doc extends Versioned>(
  app: App,
  { what, findVersions, read }: Watched<Doc>,
): Watcher<Doc> {
  const waiting = new Map<string, Set<Waiter<Doc>>>();
  const service = createService({ log: app.log, isOutage: isDatabaseAway });
  service.every(TICK_MS, `look for changes of ${what}`, tick);
  service.start();
  app.signals.on("changed", onChanged);

  function onChanged(changed: readonly string[]): void {
    const waited = changed.filter((id) => waiting.has(id));
    // If that fails the next tick tries again.
    if (waited.length > 0) look(waited).catch(() => {});
  }

  async function tick(): Promise<void> {
    const ids = [...waiting.keys()];
    for (let i = 0; i < ids.length; i += CHUNK) await look(ids.slice(i, i + CHUNK));
  }

  async function look(wanted: readonly string[]): Promise<void> {
    const versions = await findVersions(wanted);
    const changed = [...versions].flatMap(([id, version]) => (isNews(id, version) ? [id] : []));
    for (let i = 0; i < changed.length; i += READ_CHUNK) {
      for (const doc of await read(changed.slice(i, i + READ_CHUNK))) {
        for (const waiter of waiting.get(doc._id) ?? []) if (doc.version > waiter.version) waiter.wake(doc);
      }
    }
  }

  function isNews(id: string, version: number): boolean {
    return [...(waiting.get(id) ?? [])].some((waiter) => version > waiter.version);
  }

  function add(id: string, waiter: Waiter<Doc>): void {
    const waiters = waiting.get(id) ?? new Set();
    waiting.set(id, waiters.add(waiter));
  }

  function remove(id: string, waiter: Waiter<Doc>): void {
    const waiters = waiting.get(id);
    waiters?.delete(waiter);
    if (waiters?.size === 0) waiting.delete(id);
  }

  return {
    changed: (id, version, timeoutMs, signal) => {
      if (signal.aborted || timeoutMs <= 0) return Promise.resolve(undefined);
      const { promise, resolve } = Promise.withResolvers<Doc | undefined>();
      const waiter: Waiter<Doc> = { version, wake: resolve };
      const giveUp = () => resolve(undefined);
      const timeout = setTimeout(giveUp, timeoutMs);
      signal.addEventListener("abort", giveUp, { once: true });
      add(id, waiter);
      return promise.finally(() => {
        clearTimeout(timeout);
        signal.removeEventListener("abort", giveUp);
        remove(id, waiter);
      });
    },
    stop: async () => {
      app.signals.off("changed", onChanged);
      for (const waiters of waiting.values()) for (const waiter of waiters) waiter.wake(undefined);
      await service.stop();
    },
  };
}
