// Public keys that sign receipts, or have signed some. Named queries only; no decisions.
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";

/**
 * A public key that may have signed receipts.
 *
 * Updates: never. Deletion: never, since receipts stay valid.
 * Guarantees: it is stored before its first signature.
 */
export type ReceiptKeyDoc = {
  /** The thumbprint. */
  _id: string;
  /** The key in base64url. */
  x: string;
  added_at: Date;
};

export const SIGNING_COLLECTIONS: readonly CollectionSpec[] = [
  { name: "receipt_keys", holds: "nothing of an account", indexes: [] },
];

const receiptKeys = collectionNamed<ReceiptKeyDoc>("receipt_keys");

/** The oldest first. */
export async function findReceiptKeys(db: Db): Promise<ReceiptKeyDoc[]> {
  return receiptKeys(db).find().sort({ added_at: 1, _id: 1 }).toArray();
}

export async function saveReceiptKey(db: Db, { _id, ...key }: ReceiptKeyDoc): Promise<void> {
  await receiptKeys(db).updateOne({ _id }, { $setOnInsert: key }, { upsert: true });
}
