// Whether this core's view is current: it asks the database for the counter of versions, and if its own version is not behind, it knew
// everything at that moment. This still holds while a database that this process runs itself is stopped, because then no one can write.
import { createService } from "../../../runtime/service.ts";
import { withinMs } from "../../base/mongo/within-ms.ts";
import type { App } from "../../kernel/app.ts";
import { type CatalogStateDoc, findCatalogState } from "./store.ts";

/** The greatest age of an answer. */
const MAX_AGE_MS = 1_000;
const ASK_EVERY_MS = 250;
/** A slower answer proves too little. */
const ASK_TIMEOUT_MS = 800;

export type Freshness = {
  isFresh(): boolean;
  /** To be called whenever the view has moved. */
  note(view: { epoch: string; version: number }): void;
  /** Waits until isFresh(), up to this time; asks immediately. */
  wait(timeoutMs: number): Promise<boolean>;
  /** The version in the database when it was last asked; undefined while unknown. */
  latest(): CatalogStateDoc | undefined;
  stop(): Promise<void>;
};

export function createFreshness(app: Pick<App, "mongo" | "ownDatabase" | "log">): Freshness {
  let known: { epoch: string; version: number } | undefined;
  let freshAsOfMs = Number.NEGATIVE_INFINITY;
  let asked: { state: CatalogStateDoc; atMs: number } | undefined;
  let asking: Promise<void> | undefined;
  const waiting = new Set<() => void>();

  /** Whether nothing was missing when the database last answered. */
  const wasWhole = () =>
    asked !== undefined && known?.epoch === asked.state.epoch && known.version >= asked.state.version;
  const isFresh = () =>
    performance.now() - freshAsOfMs <= MAX_AGE_MS || (app.ownDatabase?.isStopped() === true && wasWhole());

  function settle(): void {
    // The counter is as it was when the question was sent: later writes are not in it.
    if (asked && wasWhole()) freshAsOfMs = Math.max(freshAsOfMs, asked.atMs);
    if (isFresh()) for (const wake of waiting) wake();
  }

  async function ask(): Promise<void> {
    const atMs = performance.now();
    try {
      const state = await withinMs(ASK_TIMEOUT_MS, findCatalogState(app.mongo.db));
      asked = state ? { state, atMs } : undefined;
    } catch {
      // The database is unavailable or too slow: the earlier proof expires on its own.
    }
    settle();
  }

  /** One question at a time. */
  function askOnce(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  const service = createService({ log: app.log });
  service.loop("ask for the version of the catalog", async () => {
    await askOnce();
    return ASK_EVERY_MS;
  });
  service.start();

  return {
    isFresh,
    note: (view) => {
      known = view;
      settle();
    },
    wait: (timeoutMs) => {
      if (isFresh()) return Promise.resolve(true);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const wake = () => resolve(true);
      waiting.add(wake);
      const timer = setTimeout(() => resolve(false), timeoutMs);
      void askOnce();
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(wake);
      });
    },
    latest: () => asked?.state,
    stop: () => service.stop(),
  };
}
