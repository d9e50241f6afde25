// Files end on the full hour, so that one index of ends and digests finds what two did, and deliveries are listed by their jobs. The indexes
// of files that nothing asks for any more are dropped. Processes of the release before find what they need in the new one. They name the index
// `account_newest` of deliveries in a hint: it may only go once none of them runs.
import type { Db } from "../mongo/client.ts";
import { type Migration, updateNext } from "./migration.ts";

const DROPPED = [
  { collection: "outputs.files", index: "expires_at" },
  { collection: "outputs.files", index: "made_sha256" },
];

const END = "$metadata.expires_at";
const hour = { $dateTrunc: { date: END, unit: "hour" } };

export const fewerIndexes: Migration = {
  version: 4,
  what: "files end on the full hour; two indexes that each job paid for are gone",
  batch: async (batch) => {
    // Beside the transaction, which cannot do that; once is as good as twice.
    if (batch.after === null)
      for (const { collection, index } of DROPPED) await dropIndex(batch.db, collection, index);
    return updateNext(
      batch,
      "outputs.files",
      { "metadata.expires_at": { $type: "date" }, $expr: { $ne: [END, hour] } },
      [
        {
          $set: { "metadata.expires_at": { $dateAdd: { startDate: hour, unit: "hour", amount: 1 } } },
        },
      ],
    );
  },
};

async function dropIndex(db: Db, collection: string, index: string): Promise<void> {
  try {
    await db.collection(collection).dropIndex(index);
  } catch (error) {
    const { codeName } = error as { codeName?: string };
    if (codeName !== "IndexNotFound" && codeName !== "NamespaceNotFound") throw error;
  }
}
