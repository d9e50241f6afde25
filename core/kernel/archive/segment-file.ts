// The contents of the two files of a segment: a header and its rows, packed. `gzip -dc FILE | bsondump -` shows them without this service.
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { decodeDocuments, encodeDocuments, type Stored } from "../../base/mongo/bson.ts";
import { sha256Of } from "./rules.ts";

const pack = promisify(gzip);
const unpack = promisify(gunzip);
/** The version of the layout. A reader that finds another one must not guess. */
const FORMAT = 1;
const SALT_BYTES = 16;
/** A larger unpacked file was not written by this service. */
const MOST_BYTES = 2 ** 30;

export type SegmentRow = {
  /** The facts, which no person wrote: numbers, times, steps. They are kept as long as the account's books. */
  readonly facts: Stored;
  /** The texts of users and operators, which are erased with the account; null if there are none. */
  readonly words: Stored | null;
};

export type PackedSegment = {
  readonly facts: Buffer;
  /** Undefined if no row has text. */
  readonly words: Buffer | undefined;
};

/** `header` repeats the record, so that a file describes itself. */
export async function packSegment(header: Stored, rows: readonly SegmentRow[]): Promise<PackedSegment> {
  const worded = rows.flatMap(({ words }, row) => (words ? [{ row, words }] : []));
  // The salt keeps the hash, which outlives the text, from revealing anything about it.
  const salt = randomBytes(SALT_BYTES).toString("hex");
  const words =
    worded.length === 0
      ? undefined
      : await pack(encodeDocuments([{ ...header, format: FORMAT, part: "words", salt }, ...worded]));
  const facts = rows.map((row) => row.facts);
  return { facts: await packFacts(header, words ? sha256Of(words) : null, facts), words };
}

export async function packFacts(
  header: Stored,
  wordsSha256: string | null,
  facts: readonly Stored[],
): Promise<Buffer> {
  const head = { ...header, format: FORMAT, part: "facts", words_sha256: wordsSha256 };
  return pack(encodeDocuments([head, ...facts]));
}

export type UnpackedFile = { readonly header: Stored; readonly rows: readonly Stored[] };

/** Throws if the bytes are not the file of a segment in a known layout. */
export async function unpackFile(bytes: Uint8Array): Promise<UnpackedFile> {
  const [header, ...rows] = decodeDocuments(await unpack(bytes, { maxOutputLength: MOST_BYTES }));
  if (header?.["format"] !== FORMAT)
    throw new Error(`has the format ${String(header?.["format"])}, not ${FORMAT}`);
  return { header, rows };
}
