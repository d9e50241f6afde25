// The catalog as this core knows it: builds the index, keeps it up to date from the change stream, and hands it out only while it can
// vouch that nothing is missing that is older than a second.
import { EventEmitter, once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../../proto/codes.ts";
import type { App } from "../app.ts";
import { isDatabaseAway } from "../mongo/errors.ts";
import { buildIndex, loadNames } from "./build-index.ts";
import { createFollower, type Follower, FollowLost } from "./follow-changes.ts";
import { createFreshness } from "./freshness.ts";
import { renderProduct } from "./product-json.ts";
import { newEpoch } from "./prepare.ts";
import { type CatalogStateDoc, claimCatalogState, findCatalogState } from "./store.ts";
import { tellEdges } from "./tell-edges.ts";
import { advance, createView, newJsonCache, type Step, type View } from "./view.ts";

/** How long a question waits for the proof that the view is fresh before it is refused. */
const PATIENCE_MS = 500;
const UNAVAILABLE_RETRY_SECONDS = 1;
const RESTART_AFTER_MS = 500;
/** How long core's start waits for the first build; a large one goes on afterwards. */
const START_PATIENCE_MS = 5_000;
/** How long the view may lie behind the database before the stream is taken for dead. */
const MAX_LAG_MS = 3_000;
const LOOK_EVERY_MS = 500;
/** Build anew when so much of the index is waste: entries beside its base, and dead slots. */
const MIN_WASTE = 2_000;
const MAX_WASTE_PART = 0.1;
/** However large the catalog: every query passes over the entries beside the base. */
const MAX_WASTE = 50_000;

export type CatalogState = {
  readonly version: number;
  readonly revision: string;
  readonly nextEdgeMs: number;
  readonly fresh: boolean;
  readonly products: number;
};

export type LiveCatalog = {
  /** The view, for questions to be asked of it before anything is awaited. Throws catalog_unavailable. */
  current(): Promise<View>;
  /** Resolves when the view is another one than `view`, or after the time. */
  newer(view: View, timeoutMs: number): Promise<void>;
  state(): CatalogState;
  /** Resolves on a change of the view, on abort, or after the time. */
  changed(timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Whether there was a first build. */
  isBuilt(): boolean;
  /** Aborted when core stops. */
  readonly stopped: AbortSignal;
  /** Once; resolves when the first build is ready, or when it takes long. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** `baseUrl`: the public site's address, without a trailing slash. */
export function createLiveCatalog(
  app: Pick<App, "mongo" | "ownDatabase" | "clock" | "log">,
  baseUrl: string,
): LiveCatalog {
  const stop = new AbortController();
  const signals = new EventEmitter<{ changed: [] }>();
  // One for each watching gateway and each question that waits.
  signals.setMaxListeners(0);
  const freshness = createFreshness(app);
  let view: View | undefined;
  let edges = { lastMs: Number.NEGATIVE_INFINITY, nextMs: Number.POSITIVE_INFINITY, view };
  let running: Promise<void> = Promise.resolve();
  /** Whether every step since the view was built has reached it. Without that it stays right only while the database stands still. */
  let isFollowed = false;
  /** A build under way: steps that what it reads may lack. */
  let building: { steps: Step[] } | undefined;
  /** A build that is done but has read more than some version: it may show when it has come as far as all that it has read. */
  let coming: { view: View; readUpTo: number } | undefined;

  function show(next: View): void {
    view = next;
    freshness.note(next);
    signals.emit("changed");
  }

  function showWhenWhole(): void {
    if (!coming || coming.view.version < coming.readUpTo) return;
    show({ ...coming.view, generation: (view?.generation ?? 0) + 1 });
    coming = undefined;
    isFollowed = true;
  }

  async function build(signal: AbortSignal): Promise<void> {
    const mine = { steps: [] as Step[] };
    building = mine;
    try {
      // Before anything is read: a build follows a start, and whatever may have put another database in the place of the one before.
      await claimCatalogState(app.mongo.db, newEpoch());
      const { epoch, version } = await readState();
      const names = await loadNames(app);
      const json = newJsonCache();
      let slot = 0;
      const base = await buildIndex(app, {
        names,
        signal,
        onProduct: (product) => {
          const rendered = renderProduct(product, baseUrl);
          if (rendered) json.set(slot++, rendered);
        },
      });
      const readUpTo = (await readState()).version;
      signal.throwIfAborted();
      let built = createView(base, { epoch, version, names, json });
      for (const step of mine.steps) built = advance(built, step, baseUrl);
      coming = { view: built, readUpTo };
    } finally {
      building = undefined;
    }
    showWhenWhole();
  }

  async function readState(): Promise<CatalogStateDoc> {
    const state = await findCatalogState(app.mongo.db);
    if (!state) throw new Error("the catalog has no counter: the database was not migrated");
    return state;
  }

  function onStep(step: Step): void {
    building?.steps.push(step);
    if (view && isFollowed) show(advance(view, step, baseUrl));
    if (!coming) return;
    coming.view = advance(coming.view, step, baseUrl);
    showWhenWhole();
  }

  /** Builds another index beside the one in use when that has gathered too much waste. */
  function clearWaste(signal: AbortSignal): void {
    if (!view || !isFollowed || building || coming) return;
    const { wasteCount, productCount } = view.index;
    if (wasteCount <= Math.min(MAX_WASTE, Math.max(MIN_WASTE, productCount * MAX_WASTE_PART))) return;
    build(signal).catch((error: unknown) => {
      if (!signal.aborted)
        app.log.warn({ err: error }, "the catalog's index could not be built anew beside the old one");
    });
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      // Ends what belongs to this round when it fails: the stream, and a build in the background.
      const round = new AbortController();
      const signal = AbortSignal.any([stop.signal, round.signal]);
      const follower = createFollower(app, signal);
      try {
        // First the stream, then the build: what changes in between is heard of.
        await follower.start();
        await build(signal);
        const follow = follower.run((step) => {
          onStep(step);
          clearWaste(signal);
        });
        await Promise.race([follow, watchLag(follower, signal), watchEdges(signal)]);
      } catch (error) {
        if (stop.signal.aborted) break;
        if (error instanceof FollowLost || isDatabaseAway(error))
          app.log.warn({ err: error }, "the catalog is built anew");
        else app.log.error({ err: error }, "the catalog could not be followed; it is built anew");
        await delay(RESTART_AFTER_MS, undefined, { signal: stop.signal }).catch(() => {});
      } finally {
        round.abort(new Error("this round is over"));
        isFollowed = false;
        coming = undefined;
        await follower.stop();
      }
    }
  }

  /** Rejects when the view is another database's; reopens a stream that says nothing although there is news. */
  async function watchLag(follower: Follower, signal: AbortSignal): Promise<never> {
    let behindSinceMs = Number.POSITIVE_INFINITY;
    for (;;) {
      await delay(LOOK_EVERY_MS, undefined, { signal, ref: false });
      const latest = freshness.latest();
      if (!latest || !view) continue;
      if (latest.epoch !== view.epoch) throw new FollowLost("the database is another one");
      const nowMs = performance.now();
      behindSinceMs =
        latest.version > view.version ? Math.min(behindSinceMs, nowMs) : Number.POSITIVE_INFINITY;
      if (nowMs - behindSinceMs < MAX_LAG_MS) continue;
      behindSinceMs = Number.POSITIVE_INFINITY;
      follower.reopen();
    }
  }

  /** Tells of sales that begin and end. Rejects with the signal's reason. */
  async function watchEdges(signal: AbortSignal): Promise<never> {
    let quiet: { version: number; lastMs: number } | undefined;
    for (;;) {
      await delay(LOOK_EVERY_MS, undefined, { signal, ref: false });
      const latest = freshness.latest();
      if (!latest || !view || !isFollowed) continue;
      const { lastMs } = edgesOf(view);
      // Nothing was there to tell, and nothing has come to it.
      if (quiet?.version === latest.version && quiet.lastMs === lastMs) continue;
      try {
        const isQuiet = latest.version === view.version && !(await tellEdges(app, view, latest));
        quiet = isQuiet ? { version: latest.version, lastMs } : undefined;
      } catch (error) {
        signal.throwIfAborted();
        app.log.warn({ err: error }, "sales that begin or end could not be told; trying again");
      }
    }
  }

  async function changed(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const until = AbortSignal.any([signal, stop.signal, AbortSignal.timeout(timeoutMs)]);
    await once(signals, "changed", { signal: until }).catch(() => {});
  }

  async function newer(seen: View, timeoutMs: number): Promise<void> {
    if (view?.generation === seen.generation) await changed(timeoutMs, stop.signal);
  }

  function edgesOf(current: View): { lastMs: number; nextMs: number } {
    const nowMs = app.clock.now().getTime();
    if (edges.view !== current || nowMs >= edges.nextMs || nowMs < edges.lastMs)
      edges = { ...current.index.edges(nowMs), view: current };
    return edges;
  }

  return {
    current: async () => {
      if ((!view || !freshness.isFresh()) && !(await freshness.wait(PATIENCE_MS))) throw unavailable();
      if (!view) throw unavailable();
      return view;
    },
    newer,
    state: () => {
      if (!view) return { version: 0, revision: "", nextEdgeMs: Infinity, fresh: false, products: 0 };
      const { lastMs, nextMs } = edgesOf(view);
      return {
        version: view.version,
        revision: revisionOf(view, lastMs),
        nextEdgeMs: nextMs,
        fresh: freshness.isFresh(),
        products: view.index.productCount,
      };
    },
    changed,
    isBuilt: () => view !== undefined,
    stopped: stop.signal,
    start: async () => {
      running = run();
      if (!view) await changed(START_PATIENCE_MS, stop.signal);
    },
    stop: async () => {
      freshness.stop();
      stop.abort(new Error("core stops"));
      await running;
    },
  };
}

export function unavailable(): AppError {
  return new AppError("catalog_unavailable", { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS });
}

/** Equal at all cores that know the same products at the same side of every sale's edges. */
function revisionOf({ epoch, version }: View, lastEdgeMs: number): string {
  return Number.isFinite(lastEdgeMs)
    ? `${epoch}.${version}.${lastEdgeMs.toString(36)}`
    : `${epoch}.${version}`;
}
