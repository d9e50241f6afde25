// What a process needs to know about backups.
import type { App } from "../../kernel/app.ts";
import type { Slice } from "../../kernel/slice.ts";
import { BACKUP_COLLECTIONS, findLastBackup } from "./store.ts";

export const backupsSlice: Slice = {
  name: "operations/backups",
  collections: BACKUP_COLLECTIONS,
  observe: (app) =>
    app.metrics.gauge(
      "backup_last_success_timestamp",
      "The moment of the last backup that was finished, in seconds since 1970; 0 before the first.",
      () => lastBackupSeconds(app),
    ),
};

/** The time of the last good backup, in seconds since 1970; 0 if there was none. */
export async function lastBackupSeconds({ mongo }: Pick<App, "mongo">): Promise<number> {
  const last = await findLastBackup(mongo.db);
  return (last?.at.getTime() ?? 0) / 1000;
}
