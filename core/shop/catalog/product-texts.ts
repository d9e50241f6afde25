// The texts of a large catalog's products in memory, each compressed separately against a shared dictionary, so that a page is made without
// the database. They are typed arrays, so that a thread can make them and hand them over without a copy.
import { deflateRawSync } from "node:zlib";
import { inflateSync } from "fflate";
import type { Arrays } from "./index/arrays-file.ts";

export type ProductTexts = Arrays & {
  /** The offset of each slot's text, counted through all pieces; NO_TEXT if it is not here. */
  readonly places: Uint32Array<ArrayBuffer>;
  readonly pieces: Readonly<Record<number, Uint8Array<ArrayBuffer>>>;
  readonly dictionary: Uint8Array<ArrayBuffer>;
};

export type TextsBuilder = {
  /** The text is left out if it is extremely long or there is no space left. */
  add(slot: number, text: string): void;
  finish(): ProductTexts;
};

/** As far as deflate looks back. */
export const DICTIONARY_BYTES = 2 ** 15;
const NO_TEXT = 0xffffffff;
// More than 32 MiB, because the system gets such a large allocation back whole.
const PIECE_BYTES = 2 ** 25 + 2 ** 12;
/** The compressed length is before each text. */
const LENGTH_BYTES = 2;
/** A text takes less than a fifth of its length, some 170 bytes for a product of the demonstration catalog: enough for two million. */
const MAX_BYTES = 384 * 2 ** 20;
/** The longest description and its sale fit easily. */
const MAX_TEXT_BYTES = 2 ** 16 - 1;

/** Shared by all texts, and used only between two lines of findText. */
const scratch = Buffer.allocUnsafeSlow(MAX_TEXT_BYTES);

/** For this many slots. `maxBytes` limits the compressed texts. */
export function createTextsBuilder(
  count: number,
  dictionary: Uint8Array<ArrayBuffer>,
  maxBytes = MAX_BYTES,
): TextsBuilder {
  const places = new Uint32Array(count).fill(NO_TEXT);
  const pieces: Record<number, Uint8Array<ArrayBuffer>> = {};
  let piece = -1;
  let at = PIECE_BYTES;
  let bytes = 0;
  return {
    add: (slot, text) => {
      const raw = Buffer.from(text);
      const packed = deflateRawSync(raw, { dictionary });
      const needed = LENGTH_BYTES + packed.length;
      if (raw.length > MAX_TEXT_BYTES || packed.length > MAX_TEXT_BYTES || bytes + needed > maxBytes) return;
      if (at + needed > PIECE_BYTES) {
        pieces[++piece] = new Uint8Array(PIECE_BYTES);
        at = 0;
      }
      const into = pieces[piece] as Uint8Array;
      into[at] = packed.length & 0xff;
      into[at + 1] = packed.length >>> 8;
      into.set(packed, at + LENGTH_BYTES);
      places[slot] = piece * PIECE_BYTES + at;
      at += needed;
      bytes += needed;
    },
    finish: () => {
      const last = pieces[piece];
      if (last) pieces[piece] = last.slice(0, at);
      return { count, places, pieces, dictionary };
    },
  };
}

/** Undefined if it is not here. */
export function findText({ places, pieces, dictionary }: ProductTexts, slot: number): string | undefined {
  const place = places[slot] ?? NO_TEXT;
  if (place === NO_TEXT) return undefined;
  const piece = pieces[Math.floor(place / PIECE_BYTES)];
  if (!piece) return undefined;
  const at = place % PIECE_BYTES;
  const from = at + LENGTH_BYTES;
  const length = (piece[at] as number) | ((piece[at + 1] as number) << 8);
  // This decompressor is in JavaScript: node's own takes five times as long for so few bytes, mostly to create and drop a decompressor.
  const raw = inflateSync(piece.subarray(from, from + length), { dictionary, out: scratch });
  return scratch.toString("utf8", 0, raw.length);
}
