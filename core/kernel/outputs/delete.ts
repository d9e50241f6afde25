// Removes files of a job at their owner's request. From then on no one can read them, but the service still knows that it made them for as
// long as they would have been kept.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../app.ts";
import { removeBytes } from "./expire.ts";
import { fullHour } from "./rules.ts";
import { findOutputFiles, type OutputDoc, type OutputFile, saveDeleted, setExpiry } from "./store.ts";

/** After this time, a request that was given the file has become a job, or never will. */
const ON_ITS_WAY_MS = 10 * 60 * 1000;

/** Called in the transaction in which their job says so. */
export async function markDeleted(
  app: App,
  { accountId, jobId, outputs }: { accountId: string; jobId: string; outputs: readonly OutputDoc[] },
  tx: TxContext,
): Promise<void> {
  const outputIds = outputs.map(({ output_id }) => output_id);
  const thumbnailIds = outputs.flatMap(thumbnailIdsOf);
  await saveDeleted(app.mongo.db, { accountId, jobId }, { outputIds, thumbnailIds, now: tx.now }, tx);
}

/**
 * Removes the bytes of marked files. Files that a job may still want to read are kept until it cannot any more, and files that the object
 * store does not delete for the moment are kept until the next sweep. `mayBeRead` returns which of these files were given to jobs that may
 * still read them.
 */
export async function removeDeleted(
  app: App,
  outputs: readonly OutputDoc[],
  mayBeRead: (fileIds: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const thumbnails = new Set(outputs.flatMap(thumbnailIdsOf));
  const ids = [...outputs.map(({ output_id }) => output_id), ...thumbnails];
  // An output without bytes keeps only its document.
  const marked = (await findOutputFiles(db, ids)).filter(
    ({ _id, metadata: { deleted_at, known_until } }) =>
      deleted_at !== undefined && (known_until !== undefined || thumbnails.has(_id)),
  );
  const given = marked.filter(({ metadata: { needed_until: until } }) => until !== undefined && until > now);
  const wanted = given.length === 0 ? NONE : await mayBeRead(given.map(({ _id }) => _id));
  const kept = given.filter(
    ({ _id, metadata: { needed_at: at = now } }) =>
      wanted.has(_id) || now.getTime() - at.getTime() < ON_ITS_WAY_MS,
  );
  for (const { _id, metadata } of kept) await setExpiry(db, _id, wantedUntil(metadata));
  const { refused } = await removeBytes(
    app,
    marked.filter((file) => !kept.includes(file)),
  );
  if (refused) app.log.warn({ err: refused.reason as unknown }, "deleted files could not be removed yet");
}

/** When no job may want to read it any more, or it would have expired. */
function wantedUntil({
  needed_until: until = new Date(0),
  known_until: known,
}: OutputFile["metadata"]): Date {
  const end = fullHour(until);
  return known && known < end ? known : end;
}

const NONE: ReadonlySet<string> = new Set();

function thumbnailIdsOf({ thumbnails = [] }: OutputDoc): string[] {
  return thumbnails.map(({ file_id }) => file_id);
}
