// Collections for a build: lists of numbers that grow without ever being copied, and bytes that grow by doubling.

/** The numbers in the first piece, and in each further one. */
const FIRST = 2 ** 16;
// A little more than 32 MiB: the system allocates such a large piece separately, and gets it back whole. Smaller ones stay with the process
// permanently if a longer-lived one is among them.
const PIECE = 2 ** 23 + 2 ** 10;
const FIRST_BYTES = 2 ** 16;

type Piece = Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

export type Numbers = {
  readonly length: number;
  get(i: number): number;
  set(i: number, value: number): void;
  push(value: number): void;
  copyTo(target: Uint32Array | Float64Array, at: number): void;
  /** Drops all numbers, so that their memory is free while the list itself is still referenced. */
  clear(): void;
};

/** From 0 to 2^32 - 1 in a Uint32Array, any number in a Float64Array. */
export function createNumbers(Kind: { new (length: number): Piece } = Uint32Array): Numbers {
  let first = new Kind(FIRST);
  let pieces: Piece[] = [];
  let length = 0;

  function set(i: number, value: number): void {
    if (i < FIRST) {
      first[i] = value;
      return;
    }
    const at = i - FIRST;
    const piece = Math.floor(at / PIECE);
    if (piece === pieces.length) pieces.push(new Kind(PIECE));
    (pieces[piece] as Piece)[at - piece * PIECE] = value;
  }

  return {
    get length() {
      return length;
    },
    get: (i) => {
      if (i < FIRST) return first[i] as number;
      const at = i - FIRST;
      const piece = Math.floor(at / PIECE);
      return (pieces[piece] as Piece)[at - piece * PIECE] as number;
    },
    set,
    push: (value) => set(length++, value),
    copyTo: (target, at) => {
      target.set(first.subarray(0, Math.min(FIRST, length)), at);
      pieces.forEach((piece, i) => {
        const from = FIRST + i * PIECE;
        target.set(piece.subarray(0, Math.min(PIECE, length - from)), at + from);
      });
    },
    clear: () => {
      first = new Kind(0);
      pieces = [];
      length = 0;
    },
  };
}

/** Texts as UTF-8, one after another. */
export type Texts = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The start of each text; one more for the end. */
  readonly offsets: Uint32Array<ArrayBuffer>;
};

export function textAt({ bytes, offsets }: Texts, i: number): Uint8Array {
  return bytes.subarray(offsets[i], offsets[i + 1]);
}

export function createTexts(): { add(text: string): void; finish(): Texts } {
  const encoder = new TextEncoder();
  const ends = createNumbers();
  let bytes = new Uint8Array(FIRST_BYTES);
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
