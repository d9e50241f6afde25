// The form of a backup on the disk: its name, its manifest, and which backups are kept. This file is pure.
import { z } from "zod";

export const MANIFEST = "manifest.json";
/** The manifest's digest, in the form that `sha256sum --check` reads. */
export const MANIFEST_SUM = "manifest.json.sha256";
/** A folder with this ending is a backup that was never finished. */
export const PARTIAL = ".partial";
/** The list of an object store's files, and, if they were copied, the folder with them. */
export const OBJECT_LIST = "objects.jsonl.zst";
export const OBJECT_FOLDER = "objects";

/** Increased whenever an older reader would misunderstand what is written. */
const FORMAT = 1;
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
const storedFile = z.strictObject({
  /** Its name beside the manifest. */
  file: z.string().regex(/^[A-Za-z0-9._-]+$/),
  /** The size as it is stored. */
  stored_bytes: count,
  sha256: digest,
});

export const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** The schema version of the code that wrote it. */
  release: z.string(),
  schema_version: z.int().min(1),
  database: z.string(),
  mongodb: z.string(),
  /** The moment of the snapshot. */
  at: z.iso.datetime(),
  cluster_time: z.strictObject({ seconds: count, ordinal: count }),
  began_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
  collections: z.array(
    storedFile.extend({
      name: z.string(),
      documents: count,
      /** Before they were compressed. */ bytes: count,
    }),
  ),
  /** Files whose bytes are in an object store. Absent if there are none. */
  objects: storedFile
    .extend({
      named: count,
      bytes: count,
      /** Whether their bytes are in the backup too. */
      copied: z.boolean(),
      /** Files that did not exist, or differed from their record. */
      missing: count,
    })
    .optional(),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type BackedUpFile = z.infer<typeof storedFile>;
export type ObjectEntry = {
  key: string;
  bytes: number;
  sha256: string;
  mime_type: string;
  /** Whether its bytes are in the backup too. */
  copied: boolean;
};

export function newManifest(facts: Omit<Manifest, "format">): Manifest {
  return { format: FORMAT, ...facts };
}

/** Precise to the second, so that names sort in the order of the backups. */
export function backupName(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
}

/** Finished backups among the entries of a folder, the newest first. */
export function finishedBackups(entries: readonly string[]): string[] {
  return entries
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed();
}

/** The backups to remove if the newest `keep` are kept. */
export function outdated(entries: readonly string[], keep: number): string[] {
  return finishedBackups(entries).slice(keep);
}

/** Unfinished backups among the entries. */
export function unfinishedBackups(entries: readonly string[]): string[] {
  return entries.filter((name) => name.endsWith(PARTIAL) && NAME.test(name.slice(0, -PARTIAL.length)));
}

/** The name of a collection's file. Our collection names contain only letters, digits, dots and underscores. */
export function fileOf(collection: string): string {
  return `${collection}.bson.zst`;
}
