// Makes a change of every sale that begins or ends: no write tells of it, so a copy that follows versions would keep the old price.
import type { App } from "../app.ts";
import { inTx } from "../mongo/in-tx.ts";
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

/** Products of one version; a large sale begins in several. */
const MAX_TOLD = 500;

/**
 * Tells the edges that have passed, `state` being the counter as it was last read. Only while `view` is as far as that: what it does not
 * know yet could have an edge of its own. Every core does so, and one of them succeeds. Gives whether there was anything to tell.
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
  await inTx(app.mongo, async (session) => {
    const { db } = app.mongo;
    const state = await findCatalogState(db, session);
    if (state?.version !== version || state.epoch !== epoch) return;
    const ids = [...new Set(edges.map(({ id }) => id))];
    const products = (await findProductsByIds(db, ids, session)).filter(
      (product) => isPublicStatus(product.status) && effectiveSale(product),
    );
    const replaced = products.map((product) => ({ ...product, catalog_version: version + 1 }));
    await writeProducts(db, { added: [], replaced }, session);
    await setCatalogVersion(db, { version: version + 1, edgesTold }, session);
  });
  return true;
}
