// Reads the whole public catalog into a view.
import type { App } from "../app.ts";
import { buildIndex, loadNames } from "./build-index.ts";
import type { Built } from "./current-view.ts";
import { newEpoch } from "./prepare.ts";
import { renderProduct } from "./product-json.ts";
import { type CatalogStateDoc, claimCatalogState, findCatalogState } from "./store.ts";
import { createView, newJsonCache } from "./view.ts";

export async function buildView(
  app: Pick<App, "mongo">,
  baseUrl: string,
  signal: AbortSignal,
): Promise<Built> {
  // Before anything is read: a build follows a start, and whatever may have put another database in the place of the one before.
  await claimCatalogState(app.mongo.db, newEpoch());
  const { epoch, version } = await readState(app);
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
  const readUpTo = (await readState(app)).version;
  signal.throwIfAborted();
  return { view: createView(base, { epoch, version, names, json }), readUpTo };
}

async function readState(app: Pick<App, "mongo">): Promise<CatalogStateDoc> {
  const state = await findCatalogState(app.mongo.db);
  if (!state) throw new Error("the catalog has no counter: the database was not migrated");
  return state;
}
