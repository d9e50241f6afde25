// The process behind `npm run atelier -- backup`: it opens the database itself and needs no core, so it can also run before an upgrade.
import { parseArgs } from "node:util";
import { systemClock } from "../../runtime/clock.ts";
import { StartupError } from "../../runtime/process/startup-error.ts";
import { RELEASE } from "../../runtime/release.ts";
import { openObjectStore } from "../base/objects/object-store.ts";
import { type Backup, writeBackup } from "../operations/backups/write.ts";
import { runCommand } from "./command.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: "string" }, files: { type: "boolean" }, json: { type: "boolean" } },
});

await runCommand(
  {
    name: "backup",
    json: values.json ?? false,
    needsMongo: "a backup is made of the database that it names",
  },
  async ({ config, mongo, log, show }) => {
    const [folder] = positionals;
    if (folder === undefined) throw new StartupError("Name the folder in which backups are kept.");
    const objects = openObjectStore(config);
    try {
      const app = { mongo, log, objects, clock: systemClock };
      const request = { folder, keep: toKeep(values.keep), files: values.files ?? false, release: RELEASE };
      const backup = await writeBackup(app, request);
      show(forMachines(backup), inWords(backup));
    } finally {
      await objects?.close();
    }
  },
);

function toKeep(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const keep = Number(text);
  if (!Number.isInteger(keep) || keep < 1) throw new StartupError("--keep takes a number from 1 up.");
  return keep;
}

function forMachines({ path, manifest, removed }: Backup) {
  const { at, schema_version, objects } = manifest;
  return { ok: true, path, at, schema_version, ...sums(manifest), objects: objects ?? null, removed };
}

function inWords({ path, manifest, removed }: Backup): string[] {
  const { at, objects } = manifest;
  const { documents, stored_bytes } = sums(manifest);
  return [
    `${path}: ${documents} documents of ${at}, ${megabytes(stored_bytes)} MB`,
    ...(objects
      ? [
          objects.copied
            ? `${objects.named - objects.missing} files of the object store, ${megabytes(objects.bytes)} MB; ${objects.missing} were not there`
            : `${objects.named} files are in the object store and not in this backup (--files copies them)`,
        ]
      : []),
    ...removed.map((name) => `removed ${name}`),
  ];
}

function sums({ collections }: Backup["manifest"]): { documents: number; stored_bytes: number } {
  return {
    documents: collections.reduce((sum, { documents }) => sum + documents, 0),
    stored_bytes: collections.reduce((sum, { stored_bytes }) => sum + stored_bytes, 0),
  };
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
