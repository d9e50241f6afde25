// Lists of whole numbers that grow without ever being copied, and bytes that grow by doubling: what a build gathers into.

const CHUNK_BITS = 16;
const CHUNK = 1 << CHUNK_BITS;

/** Numbers from 0 to 2^32 - 1. */
export type Numbers = {
  readonly length: number;
  get(i: number): number;
  set(i: number, value: number): void;
  push(value: number): void;
  copyTo(target: Uint32Array, at: number): void;
};

export function createNumbers(): Numbers {
  const chunks: Uint32Array[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    get: (i) => (chunks[i >>> CHUNK_BITS] as Uint32Array)[i & (CHUNK - 1)] as number,
    set: (i, value) => {
      (chunks[i >>> CHUNK_BITS] as Uint32Array)[i & (CHUNK - 1)] = value;
    },
    push: (value) => {
      if ((length & (CHUNK - 1)) === 0) chunks.push(new Uint32Array(CHUNK));
      (chunks[length >>> CHUNK_BITS] as Uint32Array)[length & (CHUNK - 1)] = value;
      length++;
    },
    copyTo: (target, at) => {
      chunks.forEach((chunk, i) => {
        const from = i * CHUNK;
        target.set(chunk.subarray(0, Math.min(CHUNK, length - from)), at + from);
      });
    },
  };
}

/** Texts as UTF-8, one after another. */
export type Texts = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each text begins; one more for the end. */
  readonly offsets: Uint32Array<ArrayBuffer>;
};

export function textAt({ bytes, offsets }: Texts, i: number): Uint8Array {
  return bytes.subarray(offsets[i], offsets[i + 1]);
}

export function createTexts(): { add(text: string): void; finish(): Texts } {
  const encoder = new TextEncoder();
  const ends = createNumbers();
  let bytes = new Uint8Array(CHUNK);
  let length = 0;
  return {
    add: (text) => {
      // A UTF-16 code unit is at most three bytes of UTF-8.
      const needed = length + text.length * 3;
      if (needed > bytes.length) {
        const grown = new Uint8Array(Math.max(needed, bytes.length * 2));
        grown.set(bytes);
        bytes = grown;
      }
      length += encoder.encodeInto(text, bytes.subarray(length)).written;
      ends.push(length);
    },
    finish: () => {
      const offsets = new Uint32Array(ends.length + 1);
      ends.copyTo(offsets, 1);
      return { bytes: bytes.slice(0, length), offsets };
    },
  };
}
