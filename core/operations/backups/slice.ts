// What a process needs to know about backups.
import type { Slice } from "../../kernel/slice.ts";
import { lastBackupSeconds } from "./last.ts";
import { BACKUP_COLLECTIONS } from "./store.ts";

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
