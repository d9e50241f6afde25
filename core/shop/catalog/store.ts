// Documents of the catalog: products, categories, tags, and the counter of versions. Named queries only; no decisions.
import type { AnyBulkWriteOperation } from "mongodb";
import { type ProductStatus, PUBLIC_STATUSES } from "../../../proto/resources/product.ts";
import { type Collection, collectionId, collectionNamed, type Db } from "../../base/mongo/client.ts";
import { isDuplicateKey } from "../../base/mongo/errors.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";

/** CappedPositionLost, InvalidResumeToken, ChangeStreamFatalError, ChangeStreamHistoryLost. */
const HISTORY_LOST: readonly unknown[] = [136, 260, 280, 286];
/** How long the server holds an answer if there is no event. */
const AWAIT_MS = 250;

export type SaleDoc = { price_cents: number; starts_at: Date | null; ends_at: Date | null };

/**
 * One product of any status.
 *
 * Updates: only by writing the whole document in a transaction that also moves the counter when anything public changes, so that every
 * event of the change stream carries a whole product.
 * Deletion: never. An archived product is as good as gone, and the change feed can still report that it went.
 */
export type ProductDoc = {
  /** A uuid, which no answer reveals until the product is public. */
  _id: string;
  slug: string;
  name: string;
  tagline: string | null;
  description: string | null;
  status: ProductStatus;
  price_regular_cents: number | null;
  client_price_cents: number | null;
  sale: SaleDoc | null;
  pricing_tier: string | null;
  plus_only: boolean;
  /** Absolute, or a path on the public site. */
  demo_url: string | null;
  cover_image_url: string | null;
  category: string | null;
  subcategory: string | null;
  tags: string[];
  /** 0 to 5 with two decimals. */
  rating_average: number | null;
  rating_count: number;
  popularity: number;
  featured_rank: number | null;
  home_order: number | null;
  published_at: Date | null;
  /** When anything shown of the product last changed. */
  updated_at: Date;
  created_at: Date;
  // The fields below are for operators only.
  cost_cents: number | null;
  supplier_notes: string | null;
  download_key: string | null;
  /** The catalog version of its last public change; null while it has never been public. */
  catalog_version: number | null;
};

/** Updates: its name; its parent while nothing uses it. Deletion: by operators, while nothing uses it. */
export type CategoryDoc = { /** The slug. */ _id: string; name: string; parent: string | null };

/** Updates: its name. Deletion: by operators, while nothing uses it. */
export type TagDoc = { /** The slug. */ _id: string; name: string };

/**
 * The one counter.
 *
 * Updates: by one, in each transaction that changes anything public; a new epoch where the document came from elsewhere. Deletion: never.
 */
export type CatalogStateDoc = {
  _id: "catalog";
  version: number;
  /** Distinguishes this database's versions from those of another one. */
  epoch: string;
  /**
   * The collection in which the epoch was made, by the id that the server gave it. Absent before a core with the change feed's epoch
   * started.
   */
  made_in?: string;
  /** The last beginning or end of a sale that a version has announced; if several are at one moment, the one of the last product by id. */
  edges_told?: EdgeDoc;
};

export type EdgeDoc = { at: Date; id: string };

export const CATALOG_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "products",
    holds: "nothing of an account",
    indexes: [
      {
        name: "slug",
        key: { slug: 1 },
        options: { unique: true },
        why: "a slug names one product; imports find theirs by it",
      },
      {
        name: "catalog_version",
        key: { catalog_version: 1, _id: 1 },
        options: { partialFilterExpression: { catalog_version: { $gt: 0 } } },
        why: "the change feed: what changed since a version, oldest first; products that never were public are not in it",
      },
    ],
  },
  { name: "categories", holds: "nothing of an account", indexes: [] },
  { name: "tags", holds: "nothing of an account", indexes: [] },
  { name: "catalog_state", holds: "nothing of an account", indexes: [] },
];

const STATE_ID = "catalog";
const PUBLIC = { status: { $in: [...PUBLIC_STATUSES] } };
/** Small enough that what a build reads is garbage before V8 moves it to the old generation. */
const READ_BATCH = 250;

const products = collectionNamed<ProductDoc>("products");
const categories = collectionNamed<CategoryDoc>("categories");
const tags = collectionNamed<TagDoc>("tags");
const states = collectionNamed<CatalogStateDoc>("catalog_state");

/** Does not change an existing counter. */
export async function ensureCatalogState(db: Db, epoch: string): Promise<void> {
  await states(db).updateOne({ _id: STATE_ID }, { $setOnInsert: { version: 0, epoch } }, { upsert: true });
}

/** Null before the database was migrated. */
export async function findCatalogState(
  db: Db,
  { session }: ReadContext = {},
): Promise<CatalogStateDoc | null> {
  return states(db).findOne({ _id: STATE_ID }, { ...(session && { session }) });
}

/** If another transaction has moved it in the meantime, this one starts again. */
export async function setCatalogVersion(
  db: Db,
  { version, edgesTold }: { version: number; edgesTold?: EdgeDoc },
  { session }: TxContext,
): Promise<void> {
  const change = { version, ...(edgesTold && { edges_told: edgesTold }) };
  await states(db).updateOne({ _id: STATE_ID }, { $set: change }, { session });
}

/** If no edge was ever announced, skips all edges up to this moment. */
export async function beginEdges(db: Db, at: Date): Promise<void> {
  await states(db).updateOne(
    { _id: STATE_ID, edges_told: { $exists: false } },
    { $set: { edges_told: { at, id: "" } } },
  );
}

/**
 * Gives the counter a new `epoch` if it was made in another collection: a restored backup continues from an earlier version, and would
 * otherwise use the same versions again with other contents.
 */
export async function claimCatalogState(db: Db, epoch: string): Promise<void> {
  const id = await collectionId(db, "catalog_state");
  if (id === undefined) return;
  await states(db).updateOne({ _id: STATE_ID, made_in: { $exists: false } }, { $set: { made_in: id } });
  await states(db).updateOne({ _id: STATE_ID, made_in: { $ne: id } }, { $set: { made_in: id, epoch } });
}

export async function findProductsBySlugs(
  db: Db,
  slugs: readonly string[],
  { session }: ReadContext = {},
): Promise<ProductDoc[]> {
  return products(db)
    .find({ slug: { $in: [...slugs] } }, { ...(session && { session }) })
    .toArray();
}

/** The products with these ids, in no particular order; missing ones are left out. */
export async function findProductsByIds(
  db: Db,
  ids: readonly string[],
  { session }: ReadContext = {},
): Promise<ProductDoc[]> {
  return products(db)
    .find({ _id: { $in: [...ids] } }, { ...(session && { session }) })
    .toArray();
}

/** Every public product, in no order. */
export function readPublicProducts(db: Db): AsyncIterable<ProductDoc> {
  return products(db).find(PUBLIC, { batchSize: READ_BATCH });
}

/** Public products whose id is at least `from` and less than `to`, by id. */
export function readPublicProductsBetween(
  db: Db,
  { from, to }: { from: string; to: string },
): AsyncIterable<ProductDoc> {
  return products(db)
    .find({ _id: { $gte: from, $lt: to }, ...PUBLIC }, { batchSize: READ_BATCH })
    .sort({ _id: 1 });
}

/** Public products that carry one of the categories, subcategories or tags. */
export function readPublicProductsNamed(
  db: Db,
  named: { categories: readonly string[]; tags: readonly string[] },
): AsyncIterable<ProductDoc> {
  const slugs = [...named.categories];
  return products(db).find(
    {
      ...PUBLIC,
      $or: [
        { category: { $in: slugs } },
        { subcategory: { $in: slugs } },
        { tags: { $in: [...named.tags] } },
      ],
    },
    { batchSize: READ_BATCH },
  );
}

/** Products that last changed publicly after `since` and not after `upTo`, oldest first. */
export function readChangedProducts(
  db: Db,
  { since, upTo, onlyPublic }: { since: number; upTo: number; onlyPublic: boolean },
): AsyncIterable<ProductDoc> {
  return products(db)
    .find(
      { catalog_version: { $gt: since, $lte: upTo }, ...(onlyPublic && PUBLIC) },
      { batchSize: READ_BATCH },
    )
    .sort({ catalog_version: 1, _id: 1 });
}

/** By slug. */
export function readProducts(db: Db, status: ProductStatus | undefined): AsyncIterable<ProductDoc> {
  return products(db)
    .find(status ? { status } : {}, { batchSize: READ_BATCH })
    .sort({ slug: 1 });
}

/** An estimate, returned immediately. */
export async function estimateProducts(db: Db): Promise<number> {
  return products(db).estimatedDocumentCount();
}

/** Whole documents: an event of the change stream then needs no second read. */
export async function writeProducts(
  db: Db,
  { added, replaced }: { added: readonly ProductDoc[]; replaced: readonly ProductDoc[] },
  { session }: TxContext,
): Promise<void> {
  const operations: AnyBulkWriteOperation<ProductDoc>[] = [
    ...added.map((document) => ({ insertOne: { document } })),
    ...replaced.map(({ _id, ...replacement }) => ({ replaceOne: { filter: { _id }, replacement } })),
  ];
  if (operations.length > 0) await products(db).bulkWrite(operations, { session });
}

/** For a catalog that is made before anyone reads it: inserts outside any transaction, and skips products with a slug or id that exists. */
export async function insertMissingProducts(db: Db, documents: readonly ProductDoc[]): Promise<void> {
  try {
    await products(db).insertMany(documents, { ordered: false });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** By slug. */
export async function findCategories(db: Db, { session }: ReadContext = {}): Promise<CategoryDoc[]> {
  return categories(db)
    .find({}, { ...(session && { session }) })
    .sort({ _id: 1 })
    .toArray();
}

/** By slug. */
export async function findTags(db: Db, { session }: ReadContext = {}): Promise<TagDoc[]> {
  return tags(db)
    .find({}, { ...(session && { session }) })
    .sort({ _id: 1 })
    .toArray();
}

export async function putCategories(db: Db, all: readonly CategoryDoc[], tx: TxContext): Promise<void> {
  await putAll<CategoryDoc>(categories(db), all, tx);
}

export async function putTags(db: Db, all: readonly TagDoc[], tx: TxContext): Promise<void> {
  await putAll<TagDoc>(tags(db), all, tx);
}

/** Adds them or replaces those with the same slug. */
async function putAll<Doc extends { _id: string }>(
  collection: Collection<Doc>,
  documents: readonly Doc[],
  { session }: TxContext,
): Promise<void> {
  if (documents.length === 0) return;
  await (collection as unknown as Collection<{ _id: string }>).bulkWrite(
    documents.map((replacement) => ({
      replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true },
    })),
    { session },
  );
}

/** Whether there was one. */
export async function deleteCategory(db: Db, slug: string, { session }: TxContext): Promise<boolean> {
  return (await categories(db).deleteOne({ _id: slug }, { session })).deletedCount > 0;
}

/** Whether there was one. */
export async function deleteTag(db: Db, slug: string, { session }: TxContext): Promise<boolean> {
  return (await tags(db).deleteOne({ _id: slug }, { session })).deletedCount > 0;
}

/** One product that names the category as category or subcategory, among all products or only the public ones. */
export async function findProductOfCategory(
  db: Db,
  slug: string,
  onlyPublic: boolean,
  { session }: TxContext,
): Promise<ProductDoc | null> {
  return products(db).findOne(
    { ...(onlyPublic && PUBLIC), $or: [{ category: slug }, { subcategory: slug }] },
    { session },
  );
}

/** One product that has the tag, among all products or only the public ones. */
export async function findProductOfTag(
  db: Db,
  slug: string,
  onlyPublic: boolean,
  { session }: TxContext,
): Promise<ProductDoc | null> {
  return products(db).findOne({ ...(onlyPublic && PUBLIC), tags: slug }, { session });
}

/** How many products of any status have each category, subcategory and tag. */
export async function countUses(
  db: Db,
): Promise<{ categories: Map<string, number>; tags: Map<string, number> }> {
  const group = (field: string, unwind: boolean) =>
    products(db)
      .aggregate<{ _id: string; count: number }>([
        ...(unwind ? [{ $unwind: `$${field}` }] : [{ $match: { [field]: { $ne: null } } }]),
        { $group: { _id: `$${field}`, count: { $sum: 1 } } },
      ])
      .toArray();
  const [top, sub, ofTags] = await Promise.all([
    group("category", false),
    group("subcategory", false),
    group("tags", true),
  ]);
  const toMap = (rows: readonly { _id: string; count: number }[]) =>
    new Map(rows.map(({ _id, count }) => [_id, count]));
  return { categories: toMap([...top, ...sub]), tags: toMap(ofTags) };
}

/** True if the server no longer has the events after a position. */
export function isHistoryLost(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return HISTORY_LOST.includes(code);
}

export type CatalogEvent =
  | { readonly kind: "product"; readonly product: ProductDoc }
  | { readonly kind: "deleted"; readonly id: string }
  | { readonly kind: "category"; readonly slug: string }
  | { readonly kind: "tag"; readonly slug: string }
  | { readonly kind: "version"; readonly version: number };

/** The position of a change stream; opaque. */
export type StreamPosition = { readonly token: unknown };

export type CatalogStream = {
  /** The next event, or null if none came for a while. Rejects if the stream broke; then it cannot be used any more. */
  next(): Promise<CatalogEvent | null>;
  /** The position after the last event that next() returned; undefined before the stream has first answered. */
  position(): StreamPosition | undefined;
  close(): Promise<void>;
};

/**
 * A stream of the changes from now on, or from a position. Nothing is sent before the first next(). `onOpen` is called once the server has
 * begun it, though nothing may have changed yet.
 */
export function openCatalogStream(
  db: Db,
  after: StreamPosition | undefined,
  onOpen: () => void,
): CatalogStream {
  const stream = db.watch([{ $match: { "ns.coll": { $in: CATALOG_COLLECTIONS.map(({ name }) => name) } } }], {
    // Only an edit outside this code is an update; then the whole product is read.
    fullDocument: "updateLookup",
    maxAwaitTimeMS: AWAIT_MS,
    ...(after && { resumeAfter: after.token }),
  });
  stream.once("resumeTokenChanged", onOpen);
  return {
    next: async () => {
      const change = await stream.tryNext();
      return change === null ? null : toEvent(change as RawChange);
    },
    position: () => (stream.resumeToken === undefined ? undefined : { token: stream.resumeToken }),
    close: () => stream.close(),
  };
}

type RawChange = {
  operationType: string;
  ns?: { coll?: string };
  documentKey?: { _id: string };
  fullDocument?: unknown;
};

function toEvent({ operationType, ns, documentKey, fullDocument }: RawChange): CatalogEvent | null {
  if (!documentKey) {
    if (operationType === "invalidate" || operationType === "drop" || operationType === "rename")
      throw new Error(`the catalog's collection was changed by ${operationType}`);
    return null;
  }
  const { _id: id } = documentKey;
  switch (ns?.coll) {
    case "products":
      return fullDocument
        ? { kind: "product", product: fullDocument as ProductDoc }
        : { kind: "deleted", id };
    case "categories":
      return { kind: "category", slug: id };
    case "tags":
      return { kind: "tag", slug: id };
    case "catalog_state":
      return fullDocument ? { kind: "version", version: (fullDocument as CatalogStateDoc).version } : null;
    default:
      return null;
  }
}
