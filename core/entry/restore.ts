// The process behind `npm run atelier -- restore`: restores a backup into an empty database, before anything is started on it.
import { parseArgs } from "node:util";
import { systemClock } from "../../runtime/clock.ts";
import { StartupError } from "../../runtime/process/startup-error.ts";
import { openObjectStore } from "../base/objects/object-store.ts";
import { loadPlans } from "../identity/accounts/plans.ts";
import { checkBackup, findBackup } from "../operations/backups/find.ts";
import { type CommandFrame, type CommandOutput, runCommand, runWithoutDatabase } from "./command.ts";
import { restoreDatabase } from "./restore-database.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: "boolean" },
    files: { type: "boolean" },
    again: { type: "boolean" },
    json: { type: "boolean" },
  },
});
/** The number of findings that are printed; more would hide the first. */
const MAX_PRINTED = 20;

const options = { name: "restore", json: values.json ?? false };
const needsMongo = "a backup is restored into the database that it names";
await (values.check ? runWithoutDatabase(options, check) : runCommand({ ...options, needsMongo }, restore));

function namedFolder(): string {
  const [folder] = positionals;
  if (folder === undefined) throw new StartupError("Name a backup, or the folder in which backups are kept.");
  return folder;
}

async function check({ log, show }: CommandOutput): Promise<void> {
  const backup = await findBackup(namedFolder());
  await checkBackup(backup, (file) => log.info({ file }, "is what was written"));
  const { path, manifest } = backup;
  show({ ok: true, path, manifest }, [`${path} is whole; it is of ${manifest.at}`]);
}

async function restore({ config, mongo, log, show, fail }: CommandFrame): Promise<void> {
  const folder = namedFolder();
  const objects = openObjectStore(config);
  try {
    const app = { mongo, log, objects, clock: systemClock, plans: () => loadPlans({ mongo }) };
    const { files = false, again = false } = values;
    const { backup, audit } = await restoreDatabase(app, { folder, files, again });
    const { path, manifest } = backup;
    const isClean = audit.findings.length === 0;
    const left = manifest.objects && !files ? manifest.objects.named : 0;
    show({ ok: isClean, path, at: manifest.at, files_expected: left, audit }, [
      `${path} is restored into ${mongo.db.databaseName}: everything is as it was at ${manifest.at}`,
      `checked ${audit.accounts} accounts, ${audit.entries} ledger entries, ${audit.jobs} jobs${isClean ? ": all is right" : ""}`,
      ...(left > 0 ? [`${left} files are expected in the object store`] : []),
    ]);
    const words = audit.findings.map(({ account_id, what }) => `${account_id} ${what}`);
    if (!isClean)
      fail(
        `the audit finds fault: ${[...words.slice(0, MAX_PRINTED), ...more(words.length - MAX_PRINTED)].join("; ")}`,
      );
  } finally {
    await objects?.close();
  }
}

function more(left: number): string[] {
  return left > 0 ? [`and ${left} more`] : [];
}
