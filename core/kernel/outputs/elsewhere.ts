// The files with bytes in an object store, for backups: the place, length and digest of each.
import type { App } from "../app.ts";
import type { SnapshotTime } from "../../base/mongo/snapshot-time.ts";
import { objectKey } from "./rules.ts";
import { readFilesElsewhere } from "./store.ts";

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
