// Makes a view of the whole public catalog: from the snapshot and later changes, or else from the products.
import { readSince } from "./read-since.ts";
import { buildIndex, loadNames, THREAD_FROM } from "./build-index.ts";
import type { Built } from "./current-view.ts";
import type { LargeView } from "./large-catalog.ts";
import { newEpoch } from "./prepare.ts";
import { renderProduct } from "./product-json.ts";
import { openSnapshot, type SnapshotApp } from "./snapshot.ts";
import { type CatalogStateDoc, claimCatalogState, findCatalogState } from "./store.ts";
import { advance, createView, newJsonCache, type View } from "./view.ts";

export type BuildFrom = {
  readonly baseUrl: string;
  /** Whether a snapshot is acceptable: not if the build is meant to clear waste away. */
  readonly maySnapshot: boolean;
  readonly largeFrom: number | undefined;
  /** Called with the index of a large catalog. */
  readonly onLarge: (view: LargeView) => void;
};

export async function buildView(app: SnapshotApp, from: BuildFrom, signal: AbortSignal): Promise<Built> {
  // This comes before anything is read: a build follows a start, and whatever may have replaced the database.
  await claimCatalogState(app.mongo.db, newEpoch());
  const { epoch, version } = await readState(app);
  const opened = from.maySnapshot ? await viewOfSnapshot(app, from, { epoch, version }, signal) : undefined;
  const view = opened ?? (await viewOfProducts(app, from, { epoch, version }, signal));
  const readUpTo = (await readState(app)).version;
  signal.throwIfAborted();
  return { view, readUpTo };
}

type State = Pick<CatalogStateDoc, "epoch" | "version">;

async function viewOfProducts(
  app: SnapshotApp,
  { baseUrl, largeFrom = THREAD_FROM, onLarge }: BuildFrom,
  { epoch, version }: State,
  signal: AbortSignal,
): Promise<View> {
  const names = await loadNames(app);
  const json = newJsonCache();
  let slot = 0;
  const base = await buildIndex(app, {
    names,
    signal,
    threadFrom: largeFrom,
    onProduct: (product) => {
      const rendered = renderProduct(product, baseUrl);
      if (rendered) json.set(slot++, rendered);
    },
  });
  if (base.count >= largeFrom)
    onLarge({ snapshot: { base, epoch, version, names }, json, sha256: undefined });
  return createView(base, { epoch, version, names, json });
}

/** Undefined if there is no usable snapshot, or too much has changed since. */
async function viewOfSnapshot(
  app: SnapshotApp,
  { baseUrl, onLarge }: BuildFrom,
  { epoch, version }: State,
  signal: AbortSignal,
): Promise<View | undefined> {
  const snapshot = await openSnapshot(app, epoch, signal);
  if (!snapshot) return undefined;
  const { base, names, version: since } = snapshot;
  const step = await readSince(app, snapshot, version);
  if (!step) {
    app.log.info(
      { since, version },
      "too much has changed since the catalog's snapshot; the index is rebuilt",
    );
    return undefined;
  }
  app.log.info(
    { products: base.count, since, version, changed: step.products.length },
    "the catalog's index was opened from its snapshot",
  );
  const json = newJsonCache();
  onLarge({ snapshot, json, sha256: snapshot.sha256 });
  const view = createView(base, { epoch, version: since, names, json });
  return advance(view, step, baseUrl);
}

async function readState(app: Pick<SnapshotApp, "mongo">): Promise<CatalogStateDoc> {
  const state = await findCatalogState(app.mongo.db);
  if (!state) throw new Error("the catalog has no counter: the database was not migrated");
  return state;
}
