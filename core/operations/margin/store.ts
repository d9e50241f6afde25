// The newest margins, stored for the operator's page and metrics, because computing them reads every ledger. Named queries only.
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import { isDuplicateKey } from "../../base/mongo/errors.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import type { MarginBy, MarginLine } from "./margin-rules.ts";

/** The groupings of the page and the metrics. */
export const KEPT_BY = ["model", "provider"] as const satisfies readonly MarginBy[];

/** Updates: each pass. Deletion: never. */
export type MarginDoc = {
  _id: "newest";
  /** When a worker began to compute. */
  taken_at: Date;
  /** Absent until the first pass has ended. */
  month?: string;
  at?: Date;
  lines?: Readonly<Record<(typeof KEPT_BY)[number], readonly MarginLine[]>>;
};

export const MARGIN_COLLECTIONS: readonly CollectionSpec[] = [
  { name: "margins", holds: "nothing of an account", indexes: [] },
];

const margins = collectionNamed<MarginDoc>("margins");

/** Whether this worker computes now: no other has begun since `before`. */
export async function takeMargin(db: Db, { before, now }: { before: Date; now: Date }): Promise<boolean> {
  try {
    const { modifiedCount, upsertedCount } = await margins(db).updateOne(
      { _id: "newest", taken_at: { $lt: before } },
      { $set: { taken_at: now } },
      { upsert: true },
    );
    return modifiedCount + upsertedCount > 0;
  } catch (error) {
    // If a newer document exists, the upsert finds its id taken.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

export async function saveMargin(
  db: Db,
  newest: Required<Pick<MarginDoc, "month" | "at" | "lines">>,
): Promise<void> {
  await margins(db).updateOne({ _id: "newest" }, { $set: newest });
}

export async function findMargin(db: Db): Promise<MarginDoc | null> {
  return margins(db).findOne({ _id: "newest" });
}
