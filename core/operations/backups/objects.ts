// The files of the object store in a backup: always named with their digests, and copied if requested. Files never change, so a file that
// an earlier backup beside it has is linked and not fetched again.
import { copyFile, link, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartupError } from "../../../runtime/process/startup-error.ts";
import { inParts } from "../../base/mongo/read-some.ts";
import type { SnapshotTime } from "../../base/mongo/snapshot-time.ts";
import { type ObjectStore, ObjectStoreError } from "../../base/objects/object-store.ts";
import type { App } from "../../kernel/app.ts";
import { type ElsewhereObject, objectsAt } from "../../kernel/outputs/find-files.ts";
import { digestOf, writeCompressed, writePlain } from "./disk.ts";
import { finishedBackups, type Manifest, OBJECT_FOLDER, OBJECT_LIST, type ObjectEntry } from "./rules.ts";

export type BackupApp = Pick<App, "mongo" | "log" | "objects" | "clock">;

const IN_PARALLEL = 8;
/** The object does not exist, or is shorter than its record says. */
const NOT_THERE: ReadonlySet<number | undefined> = new Set([404, 416]);

type ObjectRequest = { folder: string; moment: SnapshotTime; backups: string; copies: boolean };

/** Undefined if the object store has no file. */
export async function copyObjects(
  app: BackupApp,
  request: ObjectRequest,
): Promise<Manifest["objects"] | undefined> {
  const copy = request.copies ? await createCopier(app, request) : undefined;
  const total = { named: 0, bytes: 0, missing: 0 };
  const lines = async function* () {
    for await (const part of inParts(objectsAt(app, request.moment), IN_PARALLEL)) {
      const entries = await Promise.all(
        part.map(async (one): Promise<ObjectEntry> => ({ ...one, copied: copy ? await copy(one) : false })),
      );
      for (const entry of entries) {
        total.named += 1;
        total.bytes += entry.bytes;
        if (copy && !entry.copied) total.missing += 1;
        yield Buffer.from(`${JSON.stringify(entry)}\n`);
      }
    }
  };
  const list = await writeCompressed(request.folder, OBJECT_LIST, lines());
  return list && { ...list, ...total, copied: request.copies };
}

/**
 * Returns false for a file that no longer exists, since its owner may delete it in the meantime, and for one that differs from its record.
 */
async function createCopier(
  app: BackupApp,
  request: ObjectRequest,
): Promise<(one: ElsewhereObject) => Promise<boolean>> {
  const { objects, log } = app;
  if (!objects)
    throw new StartupError("No object store is configured (ATELIER_S3_ENDPOINT): leave --files out.");
  const [earlier] = finishedBackups(await readdir(request.backups));
  return async (one) => {
    const path = join(request.folder, OBJECT_FOLDER, one.key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    if (earlier && (await linked(join(request.backups, earlier, OBJECT_FOLDER, one.key), path, one)))
      return true;
    const found = await fetchTo(objects, path, one);
    if (found === one.sha256) return true;
    await rm(path, { force: true });
    log.warn({ key: one.key }, found ? "a stored file is not what its record says" : "a stored file is gone");
    return false;
  };
}

/** The digest of the fetched bytes; undefined if there are none. */
async function fetchTo(
  objects: ObjectStore,
  path: string,
  { key, bytes }: ElsewhereObject,
): Promise<string | undefined> {
  try {
    return (await writePlain(path, objects.read(key, 0, bytes))).sha256;
  } catch (error) {
    if (error instanceof ObjectStoreError && NOT_THERE.has(error.status)) return undefined;
    throw error;
  }
}

/** A file that was damaged on this disk is fetched again. */
async function linked(from: string, to: string, { sha256 }: ElsewhereObject): Promise<boolean> {
  if ((await digestOf(from).catch(() => undefined)) !== sha256) return false;
  try {
    await link(from, to);
  } catch {
    // The file system does not support links.
    await copyFile(from, to);
  }
  return true;
}
