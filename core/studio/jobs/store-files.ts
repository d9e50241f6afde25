// The files in jobs: outputs and inputs.
import type { Db } from "../../base/mongo/client.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { type JobDoc, jobs } from "./store.ts";

/** Marks these outputs in the job as deleted. */
export async function saveOutputsDeleted(
  db: Db,
  { accountId, jobId, outputIds }: { accountId: string; jobId: string; outputIds: readonly string[] },
  at: Date,
  { session }: TxContext,
): Promise<void> {
  await jobs(db).updateOne(
    { _id: jobId, account_id: accountId },
    { $set: { "outputs.$[one].deleted_at": at } },
    { arrayFilters: [{ "one.output_id": { $in: [...outputIds] } }], session, hint: "_id_" },
  );
}

/** Which of these files are inputs of waiting or running jobs of the account. */
export async function findGivenFiles(
  db: Db,
  accountId: string,
  fileIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const live = await jobs(db)
    .find(
      {
        state: { $in: ["reserved", "running"] },
        account_id: accountId,
        "inputs.file_id": { $in: [...fileIds] },
      },
      { projection: { inputs: 1 }, hint: "live" },
    )
    .toArray();
  return new Set(live.flatMap(({ inputs = [] }) => inputs.map(({ file_id }) => file_id)));
}

export type FileOrigin = Pick<JobDoc, "prompt" | "outputs">;

/** The part of a job from which its files' names are made. */
export async function findFileOrigin(db: Db, accountId: string, jobId: string): Promise<FileOrigin | null> {
  return jobs(db).findOne(
    { _id: jobId, account_id: accountId },
    { projection: { _id: 0, prompt: 1, outputs: 1 } },
  );
}
