// Which accounts were deleted, and whether everything of theirs is gone. Named queries only; no decisions.
import { counted, keptFields } from "../../base/documents/fields.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";

/**
 * One account that its owner has deleted. Nothing about the person is in it.
 *
 * Updates: when everything is erased. Deletion: never; a backup that is restored can be gone through again by it.
 */
export type DeletionDoc = {
  /** The account. */
  _id: string;
  deleted_at: Date;
  /** When everything was erased for the first time. Null while its jobs still run, or the erasure is not finished. */
  erased_at: Date | null;
  /**
   * When everything was erased for the last time, except what the classes of fields count. Null or absent if that is still to be done: late
   * requests may have written something, and earlier releases left some of it behind.
   */
  fields_erased_at?: Date | null;
};

const DELETION_FIELDS = keptFields<DeletionDoc>()({
  ...counted("_id", "deleted_at", "erased_at", "fields_erased_at"),
});

export const PRIVACY_COLLECTIONS: readonly CollectionSpec[] = [
  { name: "account_deletions", holds: DELETION_FIELDS, indexes: [] },
];

const deletions = collectionNamed<DeletionDoc>("account_deletions");

export async function insertDeletion(db: Db, doc: DeletionDoc, { session }: TxContext): Promise<void> {
  await deletions(db).insertOne(doc, { session });
}

/** Accounts that may not be fully erased, the earliest deletion first. Few accounts are ever deleted, so all are checked. */
export async function findUnerased(db: Db): Promise<DeletionDoc[]> {
  return deletions(db)
    .find({ $or: [{ erased_at: null }, { fields_erased_at: null }] })
    .sort({ _id: 1 })
    .toArray();
}

export async function saveErased(
  db: Db,
  accountId: string,
  { at, isLast }: { at: Date; isLast: boolean },
): Promise<void> {
  await deletions(db).updateOne({ _id: accountId }, [
    { $set: { erased_at: { $ifNull: ["$erased_at", at] }, ...(isLast && { fields_erased_at: at }) } },
  ]);
}
