// Reads a file that arrives in pieces, by number of bytes, without keeping more in memory than was requested.
import type { AppError } from "../../../proto/codes.ts";
import { tooLarge, unsupported } from "./rules.ts";

export function truncated(): AppError {
  return unsupported("The file breaks off: there is less of it than it says.", "Send the whole file again.");
}

export function damaged(what: "audio" | "video"): AppError {
  const message = `The ${what} file is damaged, or is not what it begins like.`;
  return unsupported(message, "Save it again and send it whole.");
}

export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);
  #ended = false;
  #received = 0;
  #maxBytes: number;
  /** The position of the next byte. */
  position = 0;

  constructor(source: AsyncIterable<Uint8Array>, maxBytes: number) {
    this.#source = source[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
  }

  /** Sets the limit once the kind of file is known. Throws if more bytes have already arrived. */
  limit(maxBytes: number): void {
    this.#maxBytes = Math.min(this.#maxBytes, maxBytes);
    this.#checkSize();
  }

  /** Peeks at the next bytes; fewer at the end. */
  async peek(bytes: number): Promise<Buffer> {
    if (this.#held.length < bytes) {
      const pieces = [this.#held];
      let length = this.#held.length;
      while (length < bytes) {
        const piece = await this.#next();
        if (!piece) break;
        pieces.push(piece);
        length += piece.length;
      }
      this.#held = Buffer.concat(pieces);
    }
    return this.#held.subarray(0, bytes);
  }

  /** Reads this many bytes. Throws if the file ends before. */
  async read(bytes: number): Promise<Buffer> {
    const found = await this.peek(bytes);
    if (found.length < bytes) throw truncated();
    this.#held = this.#held.subarray(bytes);
    this.position += bytes;
    return found;
  }

  /** Passes on this many bytes as they arrive. */
  async *pass(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0;) {
      const piece = this.#held.length > 0 ? this.#held : await this.#next();
      if (!piece) throw truncated();
      const taken = piece.subarray(0, left);
      this.#held = piece.subarray(taken.length);
      this.position += taken.length;
      left -= taken.length;
      yield taken;
    }
  }

  /** Whatever has arrived, at least one byte. Throws at the end. */
  async some(): Promise<Buffer> {
    await this.peek(1);
    return this.read(this.#held.length || 1);
  }

  async skip(bytes: number): Promise<void> {
    for await (const _ of this.pass(bytes));
  }

  async atEnd(): Promise<boolean> {
    return (await this.peek(1)).length === 0;
  }

  /** All remaining bytes. */
  async rest(): Promise<Buffer> {
    const pieces = [this.#held];
    for (let piece = await this.#next(); piece; piece = await this.#next()) pieces.push(piece);
    const all = Buffer.concat(pieces);
    this.#held = Buffer.alloc(0);
    this.position += all.length;
    return all;
  }

  /** Stops reading and tells the sender. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #next(): Promise<Buffer | undefined> {
    while (!this.#ended) {
      const { done, value } = await this.#source.next();
      if (done) {
        this.#ended = true;
        return undefined;
      }
      this.#received += value.length;
      this.#checkSize();
      if (value.length > 0) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    return undefined;
  }

  #checkSize(): void {
    if (this.#received > this.#maxBytes) throw tooLarge(this.#maxBytes, "A file of this kind");
  }
}

const PIECE = Buffer.alloc(64 * 1024);

/** Zeros in place of removed data. */
export function* zeros(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= PIECE.length)
    yield PIECE.subarray(0, Math.min(left, PIECE.length));
}
