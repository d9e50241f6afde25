// One round of following the catalog: opens the stream, builds a view and passes every step to it, until something breaks.
import { createService } from "../../../runtime/service.ts";
import { isDatabaseAway } from "../../base/mongo/errors.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { buildView } from "./build-view.ts";
import type { CurrentView } from "./current-view.ts";
import { createFollower, FollowLost } from "./follow-changes.ts";
import type { Freshness } from "./freshness.ts";
import { createLargeCatalog } from "./large-catalog.ts";
import { effectiveSale, isPublicStatus } from "./rules.ts";
import type { SnapshotApp } from "./snapshot.ts";
import {
  beginEdges,
  type CatalogStateDoc,
  findCatalogState,
  findProductsByIds,
  setCatalogVersion,
  writeProducts,
} from "./store.ts";
import type { View } from "./view.ts";

/** How far the view may lag behind the database before the stream is considered dead. */
const MAX_LAG_MS = 3_000;
const POLL_EVERY_MS = 500;
/** A transaction that announces sales does no harm when the round is over. */
const STOP_LOOKS_MS = 1_000;
/** The most products of one version; a large sale begins in several. */
const MAX_TOLD = 500;

export type Following = {
  readonly app: SnapshotApp;
  readonly baseUrl: string;
  readonly largeFrom: number | undefined;
  readonly current: CurrentView;
  readonly freshness: Pick<Freshness, "latest">;
};

/** Rejects with the cause of the end. `onFollowing` is called once the view is built and every step reaches it. */
export async function followCatalog(
  following: Following,
  stopping: AbortSignal,
  onFollowing: () => void,
): Promise<never> {
  const { app, baseUrl, largeFrom, current } = following;
  // Aborts what belongs to this round: the stream, and a build in the background.
  const round = new AbortController();
  const signal = AbortSignal.any([stopping, round.signal]);
  const follower = createFollower(app, signal);
  const looks = createService({ log: app.log, isOutage: isDatabaseAway });
  const lost = () => round.abort(new FollowLost("the database is another one"));
  looks.every(POLL_EVERY_MS, "see how far the catalog lags", lookForLag(following, follower.reopen, lost));
  looks.every(POLL_EVERY_MS, "tell of sales that begin or end", lookForEdges(following));
  const large = createLargeCatalog(app, baseUrl);
  looks.every(POLL_EVERY_MS, "keep the catalog's index", large.keepIndex);
  looks.every(POLL_EVERY_MS, "load the catalog's texts", large.loadTexts);
  const build = (maySnapshot: boolean) =>
    current.replace(() => buildView(app, { baseUrl, maySnapshot, largeFrom, onLarge: large.note }, signal));
  try {
    // The stream opens before the build begins, so that changes in between are received.
    await follower.start();
    await build(true);
    onFollowing();
    looks.start();
    const follow = follower.run((step) => {
      current.onStep(step);
      if (!current.isWasteful()) return;
      // The new view is built beside the one in use.
      build(false).catch((error: unknown) => {
        if (!signal.aborted)
          app.log.warn({ err: error }, "the catalog's index could not be rebuilt next to the old one");
      });
    });
    return await Promise.race([follow, aborted(signal)]);
  } finally {
    round.abort(new Error("this round is over"));
    current.lose();
    await Promise.all([follower.stop(), looks.stop(STOP_LOOKS_MS)]);
  }
}

/** Rejects with the signal's reason. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

/** Detects a view of another database, and a stream that is silent although there is news. */
function lookForLag({ current, freshness }: Following, onDead: () => void, onOther: () => void): () => void {
  let behindSinceMs = Number.POSITIVE_INFINITY;
  return () => {
    const [view, latest] = [current.get(), freshness.latest()];
    if (!latest || !view) return;
    if (latest.epoch !== view.epoch) return onOther();
    const nowMs = performance.now();
    behindSinceMs = latest.version > view.version ? Math.min(behindSinceMs, nowMs) : Number.POSITIVE_INFINITY;
    if (nowMs - behindSinceMs < MAX_LAG_MS) return;
    behindSinceMs = Number.POSITIVE_INFINITY;
    onDead();
  };
}

/** Announces sales that have begun or ended. */
function lookForEdges({ app, current, freshness }: Following): () => Promise<void> {
  let quiet: { version: number; lastMs: number } | undefined;
  return async () => {
    const [view, latest] = [current.followed(), freshness.latest()];
    if (!latest || !view) return;
    const { lastMs } = current.edgesOf(view);
    // There was nothing to announce, and nothing has come to it.
    if (quiet?.version === latest.version && quiet.lastMs === lastMs) return;
    const isQuiet = latest.version === view.version && !(await tellEdges(app, view, latest));
    quiet = isQuiet ? { version: latest.version, lastMs } : undefined;
  };
}

/**
 * Announces the starts and ends of sales that have passed; `state` is the counter as last read. It does so only if `view` has reached that
 * version, because an unknown change could have one too. Every core tries, and one succeeds. Returns whether there was anything to
 * announce.
 */
async function tellEdges(
  app: Pick<App, "mongo" | "clock">,
  view: Pick<View, "epoch" | "version" | "index">,
  { epoch, version, edges_told: told }: CatalogStateDoc,
): Promise<boolean> {
  const now = app.clock.now();
  if (!told) {
    await beginEdges(app.mongo.db, now);
    return true;
  }
  if (epoch !== view.epoch || version !== view.version) return false;
  const edges = view.index
    .edgesAfter({ atMs: told.at.getTime(), id: told.id }, now.getTime())
    .slice(0, MAX_TOLD);
  const last = edges.at(-1);
  if (!last) return false;
  const edgesTold = { at: new Date(last.atMs), id: last.id };
  await inTx(app, async (tx) => {
    const { db } = app.mongo;
    const state = await findCatalogState(db, tx);
    if (state?.version !== version || state.epoch !== epoch) return;
    const ids = [...new Set(edges.map(({ id }) => id))];
    const products = (await findProductsByIds(db, ids, tx)).filter(
      (product) => isPublicStatus(product.status) && effectiveSale(product),
    );
    const replaced = products.map((product) => ({ ...product, catalog_version: version + 1 }));
    await writeProducts(db, { added: [], replaced }, tx);
    await setCatalogVersion(db, { version: version + 1, edgesTold }, tx);
  });
  return true;
}
