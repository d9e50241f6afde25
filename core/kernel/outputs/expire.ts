// Removes files: expired ones, including those of jobs that were never finalized, and those of an account that is deleted.
import type { App } from "../app.ts";
import { objectKey } from "./rules.ts";
import { deleteBytes, deleteFiles, type FileDoc, findExpiredFiles, findFiles } from "./store.ts";

const FILES_PER_BATCH = 100;
/** One sweep stops here and the next one continues, so that no sweep runs for hours. */
const MAX_BATCHES = 100;

/**
 * Returns how many files it removed. Safe in several processes at the same time. Throws if the object store refused some, after removing
 * the others. Files in an object store that is no longer configured stay.
 */
export async function removeExpiredOutputs(app: App): Promise<number> {
  const { db } = app.mongo;
  const now = app.clock.now();
  let removed = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const inObjectStore = app.objects !== undefined;
    const files = await findExpiredFiles(db, now, { limit: FILES_PER_BATCH, inObjectStore });
    if (files.length === 0) break;
    const { count, refused } = await removeBytes(app, files);
    removed += count;
    if (refused) throw refused.reason;
  }
  return removed;
}

type Removed = { count: number; refused: PromiseRejectedResult | undefined };

/** Like removeFiles, but keeps the facts of files that their owner deleted before their time. */
export async function removeBytes(app: App, files: readonly FileDoc[]): Promise<Removed> {
  const now = app.clock.now();
  const known = files.filter(({ metadata }) => "known_until" in metadata && metadata.known_until > now);
  const [first, rest] = await Promise.all([
    removeAll(app, known, deleteBytes),
    removeFiles(
      app,
      files.filter((file) => !known.includes(file)),
    ),
  ]);
  return { count: first.count + rest.count, refused: first.refused ?? rest.refused };
}

/** Returns how many are gone, and the first refusal of the object store. */
export function removeFiles(app: App, files: readonly FileDoc[]): Promise<Removed> {
  return removeAll(app, files, deleteFiles);
}

async function removeAll(app: App, files: readonly FileDoc[], forget: typeof deleteFiles): Promise<Removed> {
  const results = await Promise.allSettled(files.map((file) => removeObject(app, file)));
  const ids = files.filter((_file, index) => results[index]?.status === "fulfilled").map(({ _id }) => _id);
  await forget(app.mongo.db, ids);
  return { count: ids.length, refused: results.find((result) => result.status === "rejected") };
}

async function removeObject(app: App, { _id, metadata }: FileDoc): Promise<void> {
  if (metadata.stored_in) await app.objects?.remove(objectKey(metadata, _id));
}

/** Throws if the object store refused some, after removing the others. Files that no job ever named expire like any file. */
export async function forgetOutputs(app: App, outputIds: readonly string[]): Promise<void> {
  const files = await findFiles(app.mongo.db, outputIds);
  const { refused } = await removeFiles(app, files);
  if (refused) throw refused.reason;
}
