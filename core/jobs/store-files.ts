// What jobs know of the files that they made and were given.
import type { ClientSession, Db } from "../mongo/client.ts";
import { type JobDoc, jobs } from "./store.ts";

/** From now on the job says of these outputs that they were deleted. */
export async function saveOutputsDeleted(
  db: Db,
  { accountId, jobId, outputIds }: { accountId: string; jobId: string; outputIds: readonly string[] },
  at: Date,
  session: ClientSession,
): Promise<void> {
  await jobs(db).updateOne(
    { _id: jobId, account_id: accountId },
    { $set: { "outputs.$[one].deleted_at": at } },
    { arrayFilters: [{ "one.output_id": { $in: [...outputIds] } }], session, hint: "_id_" },
  );
}

/** Which of these files jobs of the account that wait or run were given. */
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

/** As much of a job as its files are called by. */
export async function findFileOrigin(db: Db, accountId: string, jobId: string): Promise<FileOrigin | null> {
  return jobs(db).findOne(
    { _id: jobId, account_id: accountId },
    { projection: { _id: 0, prompt: 1, outputs: 1 } },
  );
}
