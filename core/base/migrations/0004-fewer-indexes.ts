// Files expire on the full hour, so one index of expiry and digest replaces two, and deliveries are listed by their jobs. Unused indexes of
// files are dropped. Processes of the release before can use the new index for files. They name the index `account_newest` of deliveries in
// a hint, so it may be dropped only when none of them runs.
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
    // Indexes cannot be dropped in a transaction; repeating this is harmless.
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
