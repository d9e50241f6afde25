// Restores a backup into an empty database. Until the caller says that everything is done, the database is marked, and nothing can be
// started on it.
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { StartupError } from "../../../runtime/process/startup-error.ts";
import {
  insertRestore,
  isHalfRestored,
  refuseHalfRestored,
  saveRestored,
} from "../../base/migrations/restoring.ts";
import { refuseNewer } from "../../base/migrations/schema-version.ts";
import type { SchemaDoc } from "../../base/migrations/store.ts";
import { decodeExactly } from "../../base/mongo/bson.ts";
import { documentsIn, readCompressed } from "./disk.ts";
import { type FoundBackup, listObjects } from "./find.ts";
import type { BackupApp } from "./objects.ts";
import { OBJECT_FOLDER } from "./rules.ts";
import { createEmpty, dropAll, insertRaw, listCollectionNames } from "./store.ts";

const BATCH_DOCUMENTS = 1_000;
const BATCH_BYTES = 8 * 2 ** 20;
const TELL_EVERY_MS = 10_000;
const STORE_MS = 30 * 60_000;
const SCHEMA = "schema";

/**
 * Throws a one-line StartupError if this code, or this database, cannot take the backup. Returns whether the database holds half a restore,
 * which has to be dropped first.
 */
export async function refuseUnfit(
  { mongo: { db }, objects }: Pick<BackupApp, "mongo" | "objects">,
  { manifest }: FoundBackup,
  { newest, again, files }: { newest: number; again: boolean; files: boolean },
): Promise<boolean> {
  refuseNewer(manifest.schema_version, newest);
  if (files && manifest.objects && !manifest.objects.copied)
    throw new StartupError(
      "This backup only names the files of the object store: it was made without --files.",
    );
  if (files && manifest.objects && !objects)
    throw new StartupError(
      "No object store is configured (ATELIER_S3_ENDPOINT), and this backup has files of one.",
    );
  const names = await listCollectionNames(db);
  if (names.length === 0) return false;
  if (!(await isHalfRestored(db)))
    throw new StartupError(
      `The database ${db.databaseName} is not empty: it has ${names.length} collections. A backup is restored into an empty one only: set ` +
        "ATELIER_MONGO_DATABASE to another name, or move or drop what is there yourself.",
    );
  if (!again) await refuseHalfRestored(db);
  return true;
}

export async function dropHalfRestored({ mongo }: Pick<BackupApp, "mongo">): Promise<void> {
  await dropAll(mongo.db);
}

/**
 * Restores all documents and, with `files`, the object store's files that are in the backup. Indexes and migrations are left to the caller.
 */
export async function restoreBackup(
  app: BackupApp,
  backup: FoundBackup,
  { files }: { files: boolean },
): Promise<void> {
  const { db } = app.mongo;
  const at = app.clock.now();
  await insertRestore(db, at);
  for (const collection of backup.manifest.collections)
    if (collection.name !== SCHEMA) await restoreCollection(app, backup, collection);
  if (files) await restoreObjects(app, backup);
  const { version, after } = await readSchema(backup);
  // A majority confirms this write, and with it everything before it.
  await saveRestored(db, { version, after, at });
}

type CollectionInfo = FoundBackup["manifest"]["collections"][number];

async function restoreCollection(
  { mongo: { db }, log }: BackupApp,
  { path }: FoundBackup,
  { name, file, documents }: CollectionInfo,
): Promise<void> {
  await createEmpty(db, name);
  let restored = 0;
  let toldAtMs = performance.now();
  for await (const batch of inBatches(documentsIn(readCompressed(join(path, file))))) {
    await insertRaw(db, name, batch);
    restored += batch.length;
    if (performance.now() - toldAtMs < TELL_EVERY_MS) continue;
    toldAtMs = performance.now();
    log.info({ collection: name, restored, documents }, "restoring");
  }
  if (restored !== documents)
    throw new StartupError(`${file} has ${restored} documents, and had ${documents} when it was written.`);
  log.info({ collection: name, documents }, "restored");
}

async function restoreObjects({ objects, log }: BackupApp, backup: FoundBackup): Promise<void> {
  if (!backup.manifest.objects || !objects) return;
  let put = 0;
  for await (const { key, bytes, sha256, mime_type: mimeType, copied } of listObjects(backup)) {
    if (!copied) continue;
    const stream = () => createReadStream(join(backup.path, OBJECT_FOLDER, key)) as AsyncIterable<Uint8Array>;
    await objects.put(
      { key, bytes: { length: bytes, stream }, mimeType, sha256 },
      AbortSignal.timeout(STORE_MS),
    );
    put += 1;
  }
  log.info({ files: put }, "put the files into the object store");
}

async function readSchema({ path, manifest }: FoundBackup): Promise<Pick<SchemaDoc, "version" | "after">> {
  const facts = manifest.collections.find(({ name }) => name === SCHEMA);
  if (facts)
    for await (const raw of documentsIn(readCompressed(join(path, facts.file)))) {
      const { version, after } = decodeExactly(raw) as {
        version: { valueOf(): number };
        after: string | null;
      };
      return { version: version.valueOf(), after };
    }
  return { version: manifest.schema_version, after: null };
}

async function* inBatches(documents: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let batch: Buffer[] = [];
  let bytes = 0;
  for await (const document of documents) {
    batch.push(document);
    bytes += document.length;
    if (batch.length < BATCH_DOCUMENTS && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
