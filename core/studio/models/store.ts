// Documents of models. Named queries only; no decisions.
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { insertsOfMissing } from "../../base/mongo/upsert.ts";
import type { ModelDoc } from "../../kernel/definitions.ts";

export const MODEL_COLLECTIONS: readonly CollectionSpec[] = [
  // A few dozen documents that are always read together, so the id is the only index.
  { name: "models", holds: "nothing of an account", indexes: [] },
];

const models = collectionNamed<ModelDoc>("models");

export async function findModel(db: Db, slug: string, { session }: TxContext): Promise<ModelDoc | null> {
  return models(db).findOne({ _id: slug }, { session });
}

/** All models, including retired ones, in list order. */
export async function findModels(db: Db, { session }: ReadContext = {}): Promise<ModelDoc[]> {
  return models(db)
    .find({}, { ...(session && { session }) })
    .sort({ order: 1, _id: 1 })
    .toArray();
}

/**
 * Stores a model in place of one with the same slug, whose created_at stays, and whose order stays unless a new one is given. Returns the
 * stored model.
 */
export async function putModel(
  db: Db,
  model: Omit<ModelDoc, "order">,
  order: { fixed?: number; ifNew: number },
  { session }: TxContext,
): Promise<ModelDoc> {
  const { _id, created_at, ...rest } = model;
  const { fixed, ifNew } = order;
  const stored = await models(db).findOneAndUpdate(
    { _id },
    {
      $set: { ...rest, ...(fixed !== undefined && { order: fixed }) },
      $setOnInsert: { created_at, ...(fixed === undefined && { order: ifNew }) },
      $unset: { ...(!rest.fallbacks && { fallbacks: "" }), ...(!rest.costs && { costs: "" }) },
    },
    { upsert: true, returnDocument: "after", session },
  );
  if (!stored) throw new Error("an upsert answered no document");
  return stored;
}

/** Adds models with new slugs and leaves others unchanged. Returns the number of added models. */
export async function insertMissingModels(db: Db, missing: readonly ModelDoc[]): Promise<number> {
  const result = await models(db).bulkWrite(insertsOfMissing(missing), { ordered: false });
  return result.upsertedCount;
}

/** null if no model with this slug is in a state from which it may change. */
export async function setModelStatus(
  db: Db,
  slug: string,
  { to, from }: { to: ModelDoc["status"]; from: readonly ModelDoc["status"][] },
  now: Date,
): Promise<ModelDoc | null> {
  return models(db).findOneAndUpdate(
    { _id: slug, status: { $in: [...from] } },
    { $set: { status: to, updated_at: now } },
    { returnDocument: "after" },
  );
}
