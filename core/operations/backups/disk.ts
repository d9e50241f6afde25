// Streams of a backup's files: compressed and counted on the way to the disk, checked and decompressed on the way back. Memory holds only a
// few megabytes of them, however large they are.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { StartupError } from "../../../runtime/process/startup-error.ts";
import type { BackedUpFile } from "./rules.ts";

const PRIVATE = 0o600;
/** Documents are joined to pieces of this size before they are compressed. */
const PIECE_BYTES = 2 ** 20;
const LENGTH_BYTES = 4;

/**
 * Writes a file that does not exist yet, through to the disk. Returns its facts; `bytes` is the size before compression. If there is
 * nothing to write, there is no file.
 */
export async function writeCompressed(
  folder: string,
  file: string,
  parts: AsyncIterable<Uint8Array>,
): Promise<(BackedUpFile & { bytes: number }) | undefined> {
  const pieces = inPieces(parts);
  const first = await pieces.next();
  if (first.done) return undefined;
  let bytes = first.value.length;
  const counted = async function* () {
    yield first.value;
    for await (const piece of pieces) {
      bytes += piece.length;
      yield piece;
    }
  };
  const source = Readable.from(counted(), { objectMode: false });
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  // An error at either end ends both.
  const [stored] = await Promise.all([writePlain(join(folder, file), compress), pipeline(source, compress)]);
  return { file, ...stored, bytes };
}

/** The same for bytes as they come. */
export async function writePlain(
  path: string,
  parts: AsyncIterable<Uint8Array>,
): Promise<{ stored_bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let stored = 0;
  const digested = async function* () {
    for await (const part of parts) {
      hash.update(part);
      stored += part.length;
      yield part;
    }
  };
  // `flush`: a backup that is reported as written has to survive a power cut.
  const out = createWriteStream(path, { flags: "wx", mode: PRIVATE, flush: true });
  await pipeline(digested, out);
  return { stored_bytes: stored, sha256: hash.digest("hex") };
}

/** Makes sure that the last writes, including directories, are on the disk. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Throws a one-line StartupError that says what is wrong with the file, or that it does not exist. */
export async function checkFile(
  path: string,
  { stored_bytes, sha256 }: { stored_bytes: number; sha256: string },
): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw damaged(path, "is missing");
  if (found.size !== stored_bytes)
    throw damaged(path, `has ${found.size} bytes, and had ${stored_bytes} when it was written`);
  if ((await digestOf(path)) !== sha256)
    throw damaged(path, "is not what was written: its SHA-256 is another one");
}

export async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path, { highWaterMark: PIECE_BYTES }))
    hash.update(part as Buffer);
  return hash.digest("hex");
}

export function damaged(path: string, how: string): StartupError {
  return new StartupError(`This backup cannot be used: ${path} ${how}. Take another one.`);
}

export function readCompressed(path: string): AsyncIterable<Buffer> {
  const unpacked = createZstdDecompress({ chunkSize: PIECE_BYTES });
  const source = createReadStream(path, { highWaterMark: PIECE_BYTES });
  source.once("error", (error) => unpacked.destroy(error));
  return source.pipe(unpacked) as AsyncIterable<Buffer>;
}

/** The documents of a stream that has one after the other, each beginning with its own length. */
export async function* documentsIn(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const part of parts) {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part]);
    let at = 0;
    while (rest.length - at >= LENGTH_BYTES) {
      const length = rest.readInt32LE(at);
      if (length <= LENGTH_BYTES) throw new Error(`a document cannot have ${length} bytes`);
      if (rest.length - at < length) break;
      yield rest.subarray(at, at + length);
      at += length;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw new Error("the last document is cut off");
}

async function* inPieces(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const part of parts) {
    held.push(part);
    heldBytes += part.length;
    if (heldBytes < PIECE_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    heldBytes = 0;
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}
