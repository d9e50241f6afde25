// Restores a backup, from the first check of its files to the audit of what was restored.
import { FIRST_VERSION, MIGRATIONS } from "../base/migrations/list.ts";
import { endRestore } from "../base/migrations/restoring.ts";
import type { App } from "../kernel/app.ts";
import { type AuditApp, auditAccounts, type AuditReport } from "../operations/audit/audit-accounts.ts";
import { checkBackup, findBackup, type FoundBackup } from "../operations/backups/find.ts";
import type { BackupApp } from "../operations/backups/objects.ts";
import { dropHalfRestored, refuseUnfit, restoreBackup } from "../operations/backups/restore.ts";
import { migrate } from "./migrate.ts";

export type RestoreRequest = {
  /** A backup, or a folder of them, of which the newest is used. */
  readonly folder: string;
  /** Whether files of an object store that are in the backup are put into the configured one. */
  readonly files: boolean;
  /** Drops what an interrupted restore has left. */
  readonly again: boolean;
};

export type Restored = { readonly backup: FoundBackup; readonly audit: Omit<AuditReport, "done"> };

/** Throws a one-line StartupError for what the operator can fix; the database is then unchanged, or marked. */
export async function restoreDatabase(
  app: BackupApp & Pick<App, "plans">,
  { folder, files, again }: RestoreRequest,
): Promise<Restored> {
  const backup = await findBackup(folder);
  // What can be refused quickly is refused before gigabytes are read.
  const newest = FIRST_VERSION + MIGRATIONS.length;
  const drops = await refuseUnfit(app, backup, { newest, again, files });
  await checkBackup(backup, (file) => app.log.info({ file }, "is what was written"));
  if (drops) await dropHalfRestored(app);
  await restoreBackup(app, backup, { files });
  await migrate(app);
  const audit = await auditAll(app);
  // Also if the audit found something: it may have been there before the backup, and then only the running service can fix it.
  await endRestore(app.mongo.db);
  return { backup, audit };
}

async function auditAll(app: AuditApp): Promise<Restored["audit"]> {
  const all: AuditReport["findings"] = [];
  let last: Omit<AuditReport, "done" | "findings"> = { accounts: 0, entries: 0, jobs: 0, book: [] };
  for await (const { findings, done: _, ...counts } of auditAccounts(app)) {
    all.push(...findings);
    last = counts;
  }
  return { ...last, findings: all };
}
