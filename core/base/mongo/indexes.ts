// Collections and their indexes. Each slice lists its own with the reason for each; migrate.ts applies all of them.
import type { CreateIndexesOptions, IndexSpecification } from "mongodb";
import type { Fields } from "../documents/fields.ts";
import { type Db, PATIENT } from "./client.ts";

export type CollectionSpec = {
  readonly name: string;
  /** The classes of its documents' fields. */
  readonly holds: Fields | "nothing of an account";
  readonly indexes: readonly IndexSpec[];
};

/** Every option that an index may have here. */
export const INDEX_OPTIONS = ["unique", "partialFilterExpression", "expireAfterSeconds"] as const;

type IndexSpec = {
  readonly name: string;
  readonly key: IndexSpecification;
  readonly options?: Pick<CreateIndexesOptions, (typeof INDEX_OPTIONS)[number]>;
  /** The query or invariant that it serves. */
  readonly why: string;
};

/** By it MongoDB removes documents after their `expires_at`; `laterSeconds` is the time in between. */
export function expiryIndex(why: string, laterSeconds = 0): IndexSpec {
  return { name: "expires_at", key: { expires_at: 1 }, options: { expireAfterSeconds: laterSeconds }, why };
}

/** The number of collections that are created together, so that the server waits for its disk once. */
const MADE_TOGETHER = 8;

/** Creates what is missing. It is safe to run in several processes at the same time. */
export async function ensureCollections(db: Db, specs: readonly CollectionSpec[]): Promise<void> {
  const existing = new Set(
    (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
  );
  const missing = specs.filter(({ name }) => !existing.has(name));
  for (let at = 0; at < missing.length; at += MADE_TOGETHER)
    await Promise.all(missing.slice(at, at + MADE_TOGETHER).map((spec) => makeCollection(db, spec)));
  // One after the other, because building an index over existing documents keeps the server busy.
  for (const spec of specs) if (existing.has(spec.name)) await ensureIndexes(db, spec);
}

/** Transactions need their collections to exist. */
async function makeCollection(db: Db, spec: CollectionSpec): Promise<void> {
  await db.createCollection(spec.name).catch(ignoreExisting);
  await ensureIndexes(db, spec);
}

async function ensureIndexes(db: Db, { name, indexes }: CollectionSpec): Promise<void> {
  if (indexes.length === 0) return;
  await db.collection(name).createIndexes(
    indexes.map((index) => ({ ...index.options, key: toKey(index.key), name: index.name })),
    PATIENT,
  );
}

function toKey(key: IndexSpecification): Record<string, 1 | -1> {
  return key as Record<string, 1 | -1>;
}

function ignoreExisting(error: unknown): void {
  if ((error as { codeName?: string }).codeName !== "NamespaceExists") throw error;
}
