// Reads segments. The files are first compared with their record: a changed, lost or exchanged file is never mistaken for the rows.
import { isDeepStrictEqual } from "node:util";
import type { Stored } from "../../base/mongo/bson.ts";
import { isDatabaseAway } from "../../base/mongo/errors.ts";
import { isObjectStoreAway } from "../../base/objects/object-store.ts";
import { readKept } from "../outputs/keep.ts";
import type { FilesApp } from "../outputs/open.ts";
import { sha256Of } from "./rules.ts";
import { type SegmentRow, unpackFile, type UnpackedFile } from "./segment-file.ts";
import type { Segment, SegmentFile } from "./store.ts";

/** A segment that differs from its record. The error is for operators and contains nothing of the rows. */
export class BrokenSegment extends Error {
  override readonly name = "BrokenSegment";
}

/** Returns the rows in order, without text if that was erased with their account. Throws BrokenSegment. */
export async function readSegment(app: FilesApp, segment: Segment): Promise<SegmentRow[]> {
  const { facts, words, words_erased_at: erasedAt } = segment;
  const [{ header, rows }, said] = await Promise.all([
    readFile(app, segment, facts),
    words && !erasedAt ? readFile(app, segment, words) : undefined,
  ]);
  const { account_id, kind, number, first, last, from, until, previous, cut } = segment;
  const record = { account_id, kind, number, first, last, from, until, previous, cut };
  for (const [name, value] of Object.entries({ ...record, words_sha256: words?.sha256 ?? null }))
    if (!isDeepStrictEqual(header[name], value))
      throw broken(segment, facts, `says another ${name} than its record`);
  if (rows.length !== segment.rows)
    throw broken(segment, facts, `has ${rows.length} rows, and its record says ${segment.rows}`);
  const wordsOf = new Map(said?.rows.map(({ row, words: some }) => [row, some as Stored]));
  return rows.map((row, i) => ({ facts: row, words: wordsOf.get(i) ?? null }));
}

async function readFile(app: FilesApp, segment: Segment, file: SegmentFile): Promise<UnpackedFile> {
  let bytes: Buffer;
  try {
    bytes = await readWhole(app, file);
  } catch (error) {
    if (isPassing(error)) throw error;
    throw broken(segment, file, `cannot be read (${(error as Error).message})`, error);
  }
  if (sha256Of(bytes) !== file.sha256)
    throw broken(segment, file, "is not what was sealed: its hash differs");
  return unpackFile(bytes).catch((error: unknown) => {
    throw broken(segment, file, (error as Error).message, error);
  });
}

export async function readWhole(
  app: FilesApp,
  { file_id, bytes }: Omit<SegmentFile, "sha256">,
): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(readKept(app, file_id, { offset: 0, length: bytes })));
}

function broken(segment: Segment, file: SegmentFile, what: string, cause?: unknown): BrokenSegment {
  return new BrokenSegment(`archive segment ${segment._id}: its file ${file.file_id} ${what}`, { cause });
}

/** This says nothing about the file: its store is unavailable for the moment. */
function isPassing(error: unknown): boolean {
  return isDatabaseAway(error) || isObjectStoreAway(error);
}
