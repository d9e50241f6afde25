// Finds files: those with the same bytes and the jobs that made them, and those with bytes in an object store, for backups.
import type { SnapshotTime } from "../../base/mongo/snapshot-time.ts";
import type { App } from "../app.ts";
import { objectKey } from "./rules.ts";
import { findMade, readFilesElsewhere } from "./store.ts";

/** Equal files are rare: copies of one small thing, or what a worker had stored before it was lost. */
const MOST_ALIKE = 20;

export type MadeFile = { readonly outputId: string; readonly accountId: string; readonly jobId: string };

/** Files of any account's jobs with these bytes that are still kept, or would be if their owner had not deleted them; the oldest first. */
export async function listMade(app: App, sha256: string): Promise<MadeFile[]> {
  const found = await findMade(app.mongo.db, sha256, { now: app.clock.now(), limit: MOST_ALIKE });
  return found.map(({ _id, metadata }) => ({
    outputId: _id,
    accountId: metadata.account_id,
    jobId: metadata.job_id,
  }));
}

export type ElsewhereObject = {
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly mime_type: string;
};

/** A snapshot of the moment. Files that have not arrived yet are left out, because nothing names them. */
export async function* objectsAt(
  { mongo }: Pick<App, "mongo">,
  moment: SnapshotTime,
): AsyncGenerator<ElsewhereObject> {
  for await (const { _id, length, metadata } of readFilesElsewhere(mongo.db, moment))
    yield {
      key: objectKey(metadata, _id),
      bytes: length,
      sha256: metadata.sha256,
      mime_type: metadata.mime_type,
    };
}
