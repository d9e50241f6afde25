// The metric for the alert on missing backups.
import type { App } from "../../kernel/app.ts";
import { findLastBackup } from "./store.ts";

/** The time of the last good backup, in seconds since 1970; 0 if there was none. */
export async function lastBackupSeconds({ mongo }: Pick<App, "mongo">): Promise<number> {
  const last = await findLastBackup(mongo.db);
  return (last?.at.getTime() ?? 0) / 1000;
}
