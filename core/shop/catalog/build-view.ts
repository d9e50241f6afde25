// Makes a view of the whole public catalog: from the snapshot and later changes, or else from the products.
import type { App } from "../../kernel/app.ts";
import { THREAD_FROM, buildIndex, loadNames } from "./build-index.ts";
import { type Built, maxWasteOf } from "./current-view.ts";
import type { TaxonomyNames } from "./indexed-product.ts";
import type { LargeView } from "./large-catalog.ts";
import { renderProduct } from "./product-json.ts";
import { type Snapshot, type SnapshotApp, openSnapshot } from "./snapshot.ts";
import {
  type CatalogStateDoc,
  type ProductDoc,
  claimCatalogState,
  findCatalogState,
  readChangedProducts,
  readPublicProductsNamed,
} from "./store.ts";
import { type Step, type View, advance, createView, newJsonCache } from "./view.ts";
import { newEpoch } from "./write-catalog.ts";

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

/** Undefined if so much has changed that a build would follow immediately. */
async function readSince(
  app: Pick<App, "mongo">,
  { base, version: since, names: before }: Snapshot,
  upTo: number,
): Promise<Step | undefined> {
  const { db } = app.mongo;
  const names = await loadNames(app);
  const named = renamed(before, names);
  const changed = new Map<string, ProductDoc>();
  const most = maxWasteOf(base.count);
  const gather = async (products: AsyncIterable<ProductDoc>): Promise<boolean> => {
    for await (const product of products) {
      changed.set(product._id, product);
      if (changed.size > most) return false;
    }
    return true;
  };
  if (!(await gather(readChangedProducts(db, { since, upTo, onlyPublic: false })))) return undefined;
  const hasEvent = named.categories.length + named.tags.length > 0;
  if (hasEvent && !(await gather(readPublicProductsNamed(db, named)))) return undefined;
  return { version: upTo, products: [...changed.values()], deletedIds: [], ...(hasEvent && { names }) };
}

/** What has another name, or none any more. */
function renamed(before: TaxonomyNames, now: TaxonomyNames): { categories: string[]; tags: string[] } {
  const differing = <Name>(old: ReadonlyMap<string, Name>, current: ReadonlyMap<string, Name>) =>
    [...new Set([...old.keys(), ...current.keys()])].filter(
      (slug) => JSON.stringify(old.get(slug)) !== JSON.stringify(current.get(slug)),
    );
  return {
    categories: differing(before.categories, now.categories),
    tags: differing(before.tags, now.tags),
  };
}
