// Upserts that leave existing documents alone.
import { isDuplicateKey } from "./errors.ts";

/** For bulkWrite: inserts those whose id is new and leaves the others as they are. */
export function insertsOfMissing<Doc extends { _id: string }>(wanted: readonly Doc[]) {
  return wanted.map(({ _id, ...fields }) => ({
    updateOne: { filter: { _id }, update: { $setOnInsert: fields }, upsert: true },
  }));
}

/** If two upserts run at the same time, the unique index refuses the later one; repeated, it finds the document of the earlier one. */
export async function upsertOnce<T>(upsert: () => Promise<T>): Promise<T> {
  return upsert().catch((error: unknown) => {
    if (isDuplicateKey(error)) return upsert();
    throw error;
  });
}
