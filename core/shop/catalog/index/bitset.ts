// Sets of slots as bits, 32 to a word. Indexes are in bounds by construction; `as number` asserts that where a check would run a million
// times.

export function wordsFor(count: number): number {
  return (count + 31) >>> 5;
}

/** Sets the bits 0 to count - 1. */
export function fullBits(count: number): Uint32Array<ArrayBuffer> {
  const bits = new Uint32Array(wordsFor(count)).fill(0xffffffff);
  if (count % 32 !== 0) bits[bits.length - 1] = 2 ** (count % 32) - 1;
  return bits;
}

export function hasBit(bits: Uint32Array, i: number): boolean {
  return (((bits[i >>> 5] as number) >>> (i & 31)) & 1) === 1;
}

export function setBit(bits: Uint32Array, i: number): void {
  bits[i >>> 5] = (bits[i >>> 5] as number) | (1 << (i & 31));
}

export function clearBit(bits: Uint32Array, i: number): void {
  bits[i >>> 5] = (bits[i >>> 5] as number) & ~(1 << (i & 31));
}

export function andInto(target: Uint32Array, other: Uint32Array): void {
  for (let w = 0; w < target.length; w++) target[w] = (target[w] as number) & (other[w] as number);
}

export function orInto(target: Uint32Array, other: Uint32Array): void {
  for (let w = 0; w < target.length; w++) target[w] = (target[w] as number) | (other[w] as number);
}

export function setAll(target: Uint32Array, slots: Uint32Array, from = 0, to = slots.length): void {
  for (let i = from; i < to; i++) setBit(target, slots[i] as number);
}

export function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let w = 0; w < bits.length; w++) count += countWord(bits[w] as number);
  return count;
}

/** Counts the bits that are set in both. */
export function countCommon(a: Uint32Array, b: Uint32Array): number {
  let count = 0;
  for (let w = 0; w < a.length; w++) count += countWord((a[w] as number) & (b[w] as number));
  return count;
}

export function haveCommon(a: Uint32Array, b: Uint32Array): boolean {
  for (let w = 0; w < a.length; w++) if (((a[w] as number) & (b[w] as number)) !== 0) return true;
  return false;
}

/** Writes the numbers of the set bits, ascending, to `out`; returns how many. */
export function listBits(bits: Uint32Array, out: Uint32Array): number {
  let count = 0;
  for (let w = 0; w < bits.length; w++) {
    let word = bits[w] as number;
    while (word !== 0) {
      const bit = 31 - Math.clz32(word & -word);
      out[count++] = (w << 5) | bit;
      word &= word - 1;
    }
  }
  return count;
}

function countWord(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
