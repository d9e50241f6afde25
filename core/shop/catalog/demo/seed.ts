// Fills an empty catalog with the demonstration products.
import type { App } from "../../../kernel/app.ts";
import { isPublicStatus } from "../rules.ts";
import {
  findCatalogState,
  insertMissingProducts,
  type ProductDoc,
  putCategories,
  putTags,
} from "../store.ts";
import { writeCatalog } from "../write-catalog.ts";
import { demoProduct } from "./product.ts";
import { DEMO_CATEGORIES, SHELVES } from "./shelves.ts";

const DEFAULT_COUNT = 300;
/** The number of documents in one insert. */
const CHUNK = 2_000;

/**
 * Does nothing if the catalog was ever written to. Returns how many products were made. A million products do not fit into one transaction,
 * so the counter only moves once all exist: an interrupted seed starts again and finds what it has already made.
 */
export async function seedDemoCatalog(app: Pick<App, "mongo" | "clock" | "config">): Promise<number> {
  const { db } = app.mongo;
  const count = app.config.demoProducts ?? DEFAULT_COUNT;
  const state = await findCatalogState(db);
  if (count === 0 || !state || state.version > 0) return 0;
  const today = new Date(app.clock.now());
  today.setUTCHours(0, 0, 0, 0);
  for (let from = 0; from < count; from += CHUNK) {
    const numbers = Array.from({ length: Math.min(CHUNK, count - from) }, (_, i) => from + i);
    await insertMissingProducts(
      db,
      numbers.map((i) => stamped(demoProduct(i, today))),
    );
  }
  await writeCatalog(app, async (tx) => ({
    answer: undefined,
    write: async () => {
      await putCategories(
        db,
        [
          ...DEMO_CATEGORIES.map(({ slug, name }) => ({ _id: slug, name, parent: null })),
          ...SHELVES.map(({ slug, name, category }) => ({ _id: slug, name, parent: category })),
        ],
        tx,
      );
      const tags = [...new Set(SHELVES.flatMap((shelf) => shelf.tags))];
      await putTags(
        db,
        tags.map((tag) => ({ _id: tag, name: tag.replaceAll("-", " ") })),
        tx,
      );
    },
    isPublic: true,
  }));
  return count;
}

/** They are public from the first version on. */
function stamped(product: Omit<ProductDoc, "catalog_version">): ProductDoc {
  return { ...product, catalog_version: isPublicStatus(product.status) ? 1 : null };
}
