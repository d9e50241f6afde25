// Corrupts files for tests, in the same way for one seed.
import { mulberry32 } from "../../runtime/covers/mulberry32.ts";

export type Breaker = {
  /** A whole number from 0 to `most` - 1. */
  below(most: number): number;
  /** Flipped bits, large numbers, pieces removed, doubled or taken from another file; sometimes only noise. */
  broken(whole: Buffer, other: Buffer): Buffer;
};

export function createBreaker(seed: number): Breaker {
  const random = mulberry32(seed);
  const below = (most: number) => Math.floor(random() * most);
  return { below, broken };

  function broken(whole: Buffer, other: Buffer): Buffer {
    let bytes = Buffer.from(whole);
    for (let faults = 1 + below(4); faults > 0 && bytes.length > 0; faults--) {
      const at = below(bytes.length);
      const length = 1 + below(Math.max(1, bytes.length >> 2));
      const part = bytes.subarray(at, at + length);
      switch (below(7)) {
        case 0:
          bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
          break;
        case 1:
          bytes.fill(0xff, at, Math.min(bytes.length, at + 1 + below(8)));
          break;
        case 2:
          bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
          break;
        case 3:
          bytes = Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
          break;
        case 4:
          bytes = bytes.subarray(0, at);
          break;
        case 5:
          bytes = Buffer.concat([bytes.subarray(0, at), other.subarray(below(other.length))]);
          break;
        default:
          // The beginning is unchanged.
          for (let i = 16 + below(64); i < bytes.length; i += 1 + below(16)) bytes[i] = below(256);
      }
    }
    return bytes;
  }
}
