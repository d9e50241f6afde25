// npm run bench -- backup [JOBS]: a backup of so many ended jobs (20,000, or up to 1,000,000) of 100 accounts, each with two entries of the
// ledger, a delivery and an Idempotency-Key, while others are accepted; then its restoring into another database, with the audit.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Backup, writeBackup } from "../core/operations/backups/write.ts";
import type { JobsApp } from "../core/studio/jobs/intake.ts";
import { type Restored, restoreDatabase } from "../core/entry/restore-database.ts";
import { whileAccepting } from "./support/accepting.ts";
import { insertFinishedJobs } from "./support/history.ts";
import { timed } from "./support/stats.ts";
import { createCustomers, onBenchApp, openBenchApp } from "./support/world.ts";

const DEFAULT_JOBS = 20_000;
const MOST_JOBS = 1_000_000;
const CALLERS = 16;
const QUIET_MS = 10_000;

export async function run(): Promise<void> {
  const count = Number(process.argv[3] ?? DEFAULT_JOBS);
  if (!Number.isSafeInteger(count) || count < 1 || count > MOST_JOBS)
    throw new Error(`jobs: a number from 1 to ${MOST_JOBS}`);
  const folder = mkdtempSync(join(tmpdir(), "atelier-bench-backup-"));
  try {
    await onBenchApp("backup", async (app) => {
      await timed(`${count} jobs inserted`, () => insertFinishedJobs(app, count, { announced: true }));
      await backUp(app, folder);
      await restore(app, folder);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function backUp(app: JobsApp, folder: string): Promise<void> {
  const callers = await createCustomers(app, CALLERS);
  const quiet = await whileAccepting(app, callers, () => sleep(QUIET_MS));
  let backup: Backup | undefined;
  const busy = await whileAccepting(app, callers, () =>
    timed("backed up", async () => {
      backup = await writeBackup(app, { folder, files: false, release: "bench" });
    }),
  );
  const collections = backup?.manifest.collections ?? [];
  const documents = collections.reduce((sum, one) => sum + one.documents, 0);
  const bytes = collections.reduce((sum, one) => sum + one.stored_bytes, 0);
  console.log(`${documents} documents, ${(bytes / 1e6).toFixed(0)} MB in files`);
  console.log(`jobs accepted meanwhile: ${busy.toFixed(0)} a second, ${quiet.toFixed(0)} without\n`);
}

async function restore(app: JobsApp, folder: string): Promise<void> {
  const other = await openBenchApp(app.mongo.uri, "restored");
  let restored: Restored | undefined;
  await timed("checked, restored and audited", async () => {
    restored = await restoreDatabase(other.app, { folder, files: false, again: false });
  });
  await other.close();
  console.log(restored?.audit);
}
