// Turns every beginning and end of a sale into a change: no write announces it, so a copy that follows versions would keep the old price.
import type { App } from "../../kernel/app.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import { effectiveSale, isPublicStatus } from "./rules.ts";
import {
  beginEdges,
  type CatalogStateDoc,
  findCatalogState,
  findProductsByIds,
  setCatalogVersion,
  writeProducts,
} from "./store.ts";
import type { View } from "./view.ts";

/** The most products of one version; a large sale begins in several. */
const MAX_TOLD = 500;

/**
 * Announces the starts and ends of sales that have passed; `state` is the counter as last read. It does so only if `view` has reached that
 * version, because an unknown change could have one too. Every core tries, and one succeeds. Returns whether there was anything to
 * announce.
 */
export async function tellEdges(
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
