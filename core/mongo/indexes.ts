// Collections and their indexes. Each slice lists its own, with the reason for each; migrate.ts applies them all.
import type { CreateIndexesOptions, IndexSpecification } from "mongodb";
import { type Db, PATIENT } from "./client.ts";

export type CollectionSpec = {
  readonly name: string;
  readonly indexes: readonly {
    readonly name: string;
    readonly key: IndexSpecification;
    readonly options?: CreateIndexesOptions;
    /** Which query or which invariant it serves. */
    readonly why: string;
  }[];
};

/** Makes what is missing; does nothing when all is there. Safe to run in several processes at once. */
export async function ensureCollections(db: Db, specs: readonly CollectionSpec[]): Promise<void> {
  const existing = new Set(
    (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
  );
  for (const { name, indexes } of specs) {
    // Transactions want their collections made beforehand.
    if (!existing.has(name)) await db.createCollection(name).catch(ignoreExisting);
    if (indexes.length === 0) continue;
    await db.collection(name).createIndexes(
      indexes.map((index) => ({ ...index.options, key: toKey(index.key), name: index.name })),
      PATIENT,
    );
  }
}

function toKey(key: IndexSpecification): Record<string, 1 | -1> {
  return key as Record<string, 1 | -1>;
}

function ignoreExisting(error: unknown): void {
  if ((error as { codeName?: string }).codeName !== "NamespaceExists") throw error;
}
