// Services Catalog and CatalogAdmin: decode, record what operators change, call the verb, encode.
import { invalidField } from "../../../proto/codes.ts";
import type { CatalogDefinition } from "../../../proto/types/atelier/v1/Catalog.ts";
import type { CatalogAdminDefinition } from "../../../proto/types/atelier/v1/CatalogAdmin.ts";
import { isDatabaseAway } from "../../base/mongo/errors.ts";
import { recordWrite } from "../../identity/audit-trail/record-write.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { putCategory, putTag, removeCategory, removeTag, setProductStatus } from "./edit-catalog.ts";
import { getProduct } from "./get-product.ts";
import { importProducts } from "./import-products.ts";
import { listChanges } from "./list-changes.ts";
import { listOffers } from "./list-offers.ts";
import { listProducts } from "./list-products.ts";
import { listSlugs, listTaxonomy } from "./list-taxonomy.ts";
import { type Catalog, unavailable } from "./live-catalog.ts";
import { toRow } from "./product-row.ts";
import { isProductStatus } from "./rules.ts";
import { countUses, findCategories, findTags, readProducts } from "./store.ts";
import { watchCatalog } from "./watch-catalog.ts";

/** The number of rows of an import that one record of the audit trail names. */
const NAMED_ROWS = 5;

export function catalogHandlers(catalog: Catalog): Handlers<CatalogDefinition> {
  return {
    ListProducts: (request) => orUnavailable(listProducts(catalog, request)),
    GetProduct: ({ slug }) => orUnavailable(getProduct(catalog, slug)),
    WatchCatalog: (_request, { signal }) => watchCatalog(catalog, signal),
    ListChanges: (request) => orCutOff(listChanges(catalog, request)),
    ListOffers: (request) => orCutOff(listOffers(catalog, request)),
    ListTaxonomy: () => listTaxonomy(catalog),
    ListSlugs: (request) => listSlugs(catalog, request),
  };
}

async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw isDatabaseAway(error) ? unavailable() : error;
  }
}

async function* orCutOff<T>(answers: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* answers;
  } catch (error) {
    throw isDatabaseAway(error) ? unavailable() : error;
  }
}

export function catalogAdminHandlers(app: App): Handlers<CatalogAdminDefinition> {
  const { db } = app.mongo;
  return {
    ImportProducts: ({ rows, dry_run: dryRun, create_missing: createMissing }, call) => {
      const work = () => importProducts(app, { rows, dryRun, createMissing });
      if (dryRun) return work();
      const lines = rows.slice(0, NAMED_ROWS).map(({ line }) => line);
      const detail = `${rows.length} rows, lines ${lines.join(", ")}${rows.length > NAMED_ROWS ? "…" : ""}`;
      return recordWrite(app, call, { target: "products", detail }, work);
    },
    async *ExportProducts({ status }) {
      if (status !== "" && !isProductStatus(status)) throw invalidField("status", "is not a status");
      for await (const product of readProducts(db, status === "" ? undefined : status))
        yield { json: JSON.stringify(toRow(product)) };
    },
    SetProductStatus: ({ slug, status }, call) =>
      recordWrite(app, call, { target: slug, detail: status }, async () => ({
        slug,
        ...(await setProductStatus(app, slug, status)),
      })),
    ListCategories: async () => {
      const [categories, uses] = await Promise.all([findCategories(db), countUses(db)]);
      return {
        categories: categories.map(({ _id, name, parent }) => ({
          slug: _id,
          name,
          parent: parent ?? "",
          products: uses.categories.get(_id) ?? 0,
        })),
      };
    },
    PutCategory: (request, call) =>
      recordWrite(app, call, { target: request.slug, detail: request.name }, async () => {
        const { _id, name, parent } = await putCategory(app, request);
        return { slug: _id, name, parent: parent ?? "", products: await usesOf("categories", _id) };
      }),
    RemoveCategory: ({ slug }, call) =>
      recordWrite(app, call, { target: slug }, async () => {
        await removeCategory(app, slug);
        return {};
      }),
    ListTags: async () => {
      const [tags, uses] = await Promise.all([findTags(db), countUses(db)]);
      return { tags: tags.map(({ _id, name }) => ({ slug: _id, name, products: uses.tags.get(_id) ?? 0 })) };
    },
    PutTag: (request, call) =>
      recordWrite(app, call, { target: request.slug, detail: request.name }, async () => {
        const { _id, name } = await putTag(app, request);
        return { slug: _id, name, products: await usesOf("tags", _id) };
      }),
    RemoveTag: ({ slug }, call) =>
      recordWrite(app, call, { target: slug }, async () => {
        await removeTag(app, slug);
        return {};
      }),
  };

  async function usesOf(kind: "categories" | "tags", slug: string): Promise<number> {
    return (await countUses(db))[kind].get(slug) ?? 0;
  }
}
