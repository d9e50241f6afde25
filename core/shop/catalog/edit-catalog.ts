// What operators change without an import: the status of a product, categories and tags.
import { z } from "zod";
import { AppError, invalidField, oneOf } from "../../../proto/codes.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { PRODUCT_STATUSES } from "../../../proto/resources/product.ts";
import type { App } from "../../kernel/app.ts";
import { nameSchema, slugSchema } from "./product-row.ts";
import {
  type CategoryDoc,
  deleteCategory,
  deleteTag,
  findCategories,
  findProductOfCategory,
  findProductOfTag,
  findProductsBySlugs,
  findTags,
  putCategories,
  putTags,
  type TagDoc,
} from "./store.ts";
import { writeCatalog } from "./write-catalog.ts";

type EditApp = Pick<App, "mongo" | "clock">;

const putSchema = z.object({ slug: slugSchema, name: nameSchema });

/** Throws not_found, and invalid_request for a status that does not exist. */
export async function setProductStatus(
  app: EditApp,
  slug: string,
  wantedStatus: string,
): Promise<{ before: string; status: string; version: number }> {
  const status = oneOf("status", PRODUCT_STATUSES, wantedStatus);
  const { answer, version } = await writeCatalog(app, async (tx) => {
    const [before] = await findProductsBySlugs(app.mongo.db, [slug], tx);
    if (!before) throw noSuch("product");
    return { answer: before.status, products: [{ before, wanted: { ...before, status } }] };
  });
  return { before: answer, status, version };
}

/** Adds it or renames it. Throws invalid_request. */
export async function putCategory(
  app: EditApp,
  input: { slug: string; name: string; parent: string },
): Promise<CategoryDoc> {
  const { slug, name } = parseRequest(putSchema, input);
  const wanted: CategoryDoc = { _id: slug, name, parent: input.parent || null };
  const { db } = app.mongo;
  await writeCatalog(app, async (tx) => {
    const all = await findCategories(db, tx);
    const before = all.find(({ _id }) => _id === slug);
    const parent = all.find(({ _id }) => _id === wanted.parent);
    if (wanted.parent !== null && (!parent || parent.parent !== null || wanted.parent === slug))
      throw invalidField("parent", "must be a top category");
    if (before && before.parent !== wanted.parent) {
      const isUsed =
        all.some((category) => category.parent === slug) ||
        (await findProductOfCategory(db, slug, false, tx)) !== null;
      if (isUsed)
        throw invalidField("parent", "cannot change while products or subcategories use the category");
    }
    const isRenamed = before !== undefined && before.name !== name;
    return {
      answer: undefined,
      write: () => putCategories(db, [wanted], tx),
      isPublic: isRenamed && (await findProductOfCategory(db, slug, true, tx)) !== null,
    };
  });
  return wanted;
}

/** Throws not_found, and invalid_request while a product or category uses it. */
export async function removeCategory(app: EditApp, slug: string): Promise<void> {
  const { db } = app.mongo;
  await writeCatalog(app, async (tx) => {
    const all = await findCategories(db, tx);
    if (!all.some(({ _id }) => _id === slug)) throw noSuch("category");
    if (all.some(({ parent }) => parent === slug)) throw invalidField("slug", "still has subcategories");
    const user = await findProductOfCategory(db, slug, false, tx);
    if (user) throw invalidField("slug", `is still used, for example by the product ${user.slug}`);
    return {
      answer: undefined,
      write: async () => {
        await deleteCategory(db, slug, tx);
      },
    };
  });
}

/** Adds it or renames it. Throws invalid_request. */
export async function putTag(app: EditApp, input: { slug: string; name: string }): Promise<TagDoc> {
  const { slug, name } = parseRequest(putSchema, input);
  const { db } = app.mongo;
  await writeCatalog(app, async (tx) => {
    const before = (await findTags(db, tx)).find(({ _id }) => _id === slug);
    const isRenamed = before !== undefined && before.name !== name;
    return {
      answer: undefined,
      write: () => putTags(db, [{ _id: slug, name }], tx),
      isPublic: isRenamed && (await findProductOfTag(db, slug, true, tx)) !== null,
    };
  });
  return { _id: slug, name };
}

/** Throws not_found, and invalid_request while a product has it. */
export async function removeTag(app: EditApp, slug: string): Promise<void> {
  const { db } = app.mongo;
  await writeCatalog(app, async (tx) => {
    const user = await findProductOfTag(db, slug, false, tx);
    if (user) throw invalidField("slug", `is still used, for example by the product ${user.slug}`);
    return {
      answer: undefined,
      write: async () => {
        if (!(await deleteTag(db, slug, tx))) throw noSuch("tag");
      },
    };
  });
}

function noSuch(what: string): AppError {
  return new AppError("not_found", {
    message: `There is no ${what} with this slug.`,
    hint: `List what there is, and check the slug.`,
  });
}
