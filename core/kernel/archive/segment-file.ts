// What stands in the two files of a segment: a header and its rows, packed. `gzip -dc FILE | bsondump -` shows them without this service.
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { decodeDocuments, encodeDocuments, type Stored } from "../../base/mongo/bson.ts";
import { sha256Of } from "./rules.ts";

const pack = promisify(gzip);
const unpack = promisify(gunzip);
/** Of the files' layout; a reader that meets another one must not guess. */
const FORMAT = 1;
const SALT_BYTES = 16;
/** A file that unpacks to more is not one of ours. */
const MOST_BYTES = 2 ** 30;

export type SegmentRow = {
  /** What nobody wrote: numbers, times, steps. Stays for as long as the account's books. */
  readonly facts: Stored;
  /** What somebody wrote, which goes with the account; null where there is nothing. */
  readonly words: Stored | null;
};

export type PackedSegment = {
  readonly facts: Buffer;
  /** Undefined where no row has words. */
  readonly words: Buffer | undefined;
};

/** `header` is what the record says too, so that a file tells by itself what it is. */
export async function packSegment(header: Stored, rows: readonly SegmentRow[]): Promise<PackedSegment> {
  const worded = rows.flatMap(({ words }, row) => (words ? [{ row, words }] : []));
  // The salt keeps the hash, which outlives the words, from telling anything of them.
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

/** Throws where the bytes are no file of a segment in a layout that is known. */
export async function unpackFile(bytes: Uint8Array): Promise<UnpackedFile> {
  const [header, ...rows] = decodeDocuments(await unpack(bytes, { maxOutputLength: MOST_BYTES }));
  if (header?.["format"] !== FORMAT)
    throw new Error(`has the format ${String(header?.["format"])}, not ${FORMAT}`);
  return { header, rows };
}
