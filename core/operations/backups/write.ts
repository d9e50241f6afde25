// Writes a backup while the service goes on: every collection as it was at one moment, and a manifest with the digest of every file. An
// unfinished backup has another name, so that half a backup never looks like a whole one.
import { createHash } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StartupError } from "../../../runtime/process/startup-error.ts";
import { refuseHalfRestored, schemaVersionAt } from "../../base/migrations/restoring.ts";
import { findSchemaVersion } from "../../base/migrations/schema-version.ts";
import { isDatabaseAway } from "../../base/mongo/errors.ts";
import {
  dateOf,
  isTooOld,
  type SnapshotTime,
  newestSnapshotTime,
  readRaw,
} from "../../base/mongo/snapshot-time.ts";
import { flushFolder, writeCompressed } from "./disk.ts";
import { type BackupApp, copyObjects } from "./objects.ts";
import {
  backupName,
  fileOf,
  type Manifest,
  MANIFEST,
  MANIFEST_SUM,
  newManifest,
  outdated,
  PARTIAL,
  unfinishedBackups,
} from "./rules.ts";
import { listCollectionNames, saveLastBackup, serverVersion, setHistorySeconds } from "./store.ts";

export type BackupRequest = {
  /** The folder of backups, each in a folder of its own. */
  readonly folder: string;
  /** How many to keep, including this one; undefined keeps all. */
  readonly keep?: number | undefined;
  /** Whether the files of the object store are copied too, and not only named. */
  readonly files: boolean;
  readonly release: string;
};

export type Backup = {
  readonly path: string;
  readonly manifest: Manifest;
  readonly removed: readonly string[];
};

/** Servers keep a snapshot for five minutes. If we may, we ask for this long. */
const HISTORY_SECONDS = 6 * 60 * 60;
/** A new index or a fail-over can end the snapshot. Another one is just as good. */
const TRIES = 3;
const TELL_EVERY_MS = 10_000;
/** A backup that was not written to for this long was killed. */
const ABANDONED_MS = 60 * 60 * 1000;
const FOLDER_MODE = 0o700;

/** Throws a StartupError for what the operator can fix. A backup that failed leaves nothing behind. */
export async function writeBackup(app: BackupApp, request: BackupRequest): Promise<Backup> {
  await refuseHalfRestored(app.mongo.db);
  await mkdir(request.folder, { recursive: true, mode: FOLDER_MODE });
  const name = backupName(app.clock.now());
  const path = join(request.folder, name);
  const partial = `${path}${PARTIAL}`;
  const before = await setHistorySeconds(app.mongo.db, HISTORY_SECONDS);
  let manifest: Manifest;
  try {
    manifest = await writeWhole(app, request, partial);
    await rename(partial, path);
    await flushFolder(request.folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw isTooOld(error) ? tookTooLong() : error;
  } finally {
    if (before !== undefined) await setHistorySeconds(app.mongo.db, before).catch(() => {});
  }
  await saveLastBackup(app.mongo.db, {
    at: new Date(manifest.at),
    ended_at: new Date(manifest.ended_at),
    documents: manifest.collections.reduce((sum, { documents }) => sum + documents, 0),
    stored_bytes: manifest.collections.reduce((sum, { stored_bytes }) => sum + stored_bytes, 0),
  });
  const removed =
    request.keep === undefined ? [] : await removeOutdated(request.folder, request.keep, app.clock.now());
  return { path, manifest, removed };
}

async function writeWhole(app: BackupApp, request: BackupRequest, partial: string): Promise<Manifest> {
  for (let tries = 1; ; tries++) {
    try {
      await mkdir(partial, { mode: FOLDER_MODE });
      return await writeOnce(app, request, partial);
    } catch (error) {
      if (!isDatabaseAway(error) || isTooOld(error) || tries >= TRIES) throw error;
      app.log.warn(
        { err: error as Error },
        "the moment of this backup is gone; beginning again with another",
      );
      await rm(partial, { recursive: true, force: true });
    }
  }
}

async function writeOnce(app: BackupApp, request: BackupRequest, folder: string): Promise<Manifest> {
  const { db } = app.mongo;
  const beganAt = app.clock.now();
  // Every database that a core was ever started on has accounts; only then it has a version, too.
  const known = await findSchemaVersion(db);
  if (known === undefined) throw new StartupError(`The database ${db.databaseName} is empty.`);
  const moment = await newestSnapshotTime(app.mongo, "accounts");
  const collections: Manifest["collections"] = [];
  for (const name of await listCollectionNames(db)) {
    const written = await writeCollection(app, { folder, name, moment });
    // A restored database gets its empty collections from the code.
    if (written) collections.push(written);
  }
  const objects = await copyObjects(app, { folder, moment, backups: request.folder, copies: request.files });
  const manifest = newManifest({
    release: request.release,
    schema_version: (await schemaVersionAt(db, moment)) ?? known,
    database: db.databaseName,
    mongodb: await serverVersion(db),
    at: dateOf(moment).toISOString(),
    cluster_time: { seconds: moment.getHighBits() >>> 0, ordinal: moment.getLowBits() >>> 0 },
    began_at: beganAt.toISOString(),
    ended_at: app.clock.now().toISOString(),
    collections,
    ...(objects && { objects }),
  });
  await writeManifest(folder, manifest);
  return manifest;
}

async function writeCollection(
  { mongo, log }: BackupApp,
  { folder, name, moment }: { folder: string; name: string; moment: SnapshotTime },
): Promise<Manifest["collections"][number] | undefined> {
  let documents = 0;
  let toldAtMs = performance.now();
  const counted = async function* () {
    for await (const document of readRaw(mongo.db, name, moment)) {
      documents += 1;
      yield document;
      if (performance.now() - toldAtMs < TELL_EVERY_MS) continue;
      toldAtMs = performance.now();
      log.info({ collection: name, documents }, "backing up");
    }
  };
  const written = await writeCompressed(folder, fileOf(name), counted());
  if (!written) return undefined;
  log.info({ collection: name, documents, bytes: written.bytes }, "backed up");
  return { name, documents, ...written };
}

async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  const sum = createHash("sha256").update(text).digest("hex");
  await writeFile(join(folder, MANIFEST), text, { mode: 0o600, flag: "wx", flush: true });
  await writeFile(join(folder, MANIFEST_SUM), `${sum}  ${MANIFEST}\n`, {
    mode: 0o600,
    flag: "wx",
    flush: true,
  });
  await flushFolder(folder);
}

/** Also removes what a killed backup left. Returns the names of the removed backups. */
async function removeOutdated(folder: string, keep: number, now: Date): Promise<string[]> {
  const entries = await readdir(folder);
  const old = outdated(entries, keep);
  for (const name of old) {
    // It is renamed first: a half-removed backup must not look whole.
    await rename(join(folder, name), join(folder, `${name}${PARTIAL}`));
    await rm(join(folder, `${name}${PARTIAL}`), { recursive: true, force: true });
  }
  for (const name of unfinishedBackups(entries)) {
    const path = join(folder, name);
    if (now.getTime() - (await lastWritten(path)) > ABANDONED_MS)
      await rm(path, { recursive: true, force: true });
  }
  return old;
}

async function lastWritten(path: string): Promise<number> {
  const files = (await readdir(path)).map((name) => join(path, name));
  const times = await Promise.all([path, ...files].map(async (one) => (await stat(one)).mtimeMs));
  return Math.max(...times);
}

function tookTooLong(): StartupError {
  return new StartupError(
    "MongoDB no longer has the moment that this backup is of: reading everything took longer than it keeps its history. Set its " +
      "minSnapshotHistoryWindowInSeconds (300 unless it was changed) to more than that takes, then make the backup again.",
  );
}
