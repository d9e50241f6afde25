// What the queries of many stores have in common: the document with an id, many of them, and a new document.
import type { Filter, OptionalUnlessRequiredId } from "mongodb";
import type { Collection, Db } from "./client.ts";
import type { ReadContext, TxContext } from "./in-tx.ts";

type Opening<Doc extends { _id: string }> = (db: Db) => Collection<Doc>;

/** Options of a query for at most this many documents, which come in its first response. By default, that has 101. */
export function inOneBatch(count: number): { batchSize: number } {
  // One more, so that the cursor is at its end and closed.
  return { batchSize: count + 1 };
}

/** Finds the document with an id. */
export function findingById<Doc extends { _id: string }>(collection: Opening<Doc>) {
  return async (db: Db, id: string, { session }: ReadContext = {}): Promise<Doc | null> =>
    collection(db).findOne<Doc>({ _id: id } as Filter<Doc>, { ...(session && { session }) });
}

/** Inserts a document in a transaction. */
export function inserting<Doc extends { _id: string }>(collection: Opening<Doc>) {
  return async (db: Db, doc: Doc, { session }: TxContext): Promise<void> => {
    await collection(db).insertOne(doc as OptionalUnlessRequiredId<Doc>, { session });
  };
}
