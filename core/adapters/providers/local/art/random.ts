// Repeatable random numbers: the same text gives the same numbers on every machine.
import { mulberry32 } from "../../../../../runtime/covers/mulberry32.ts";

export type Random = {
  /** 0 <= x < 1. */
  next(): number;
  between(low: number, high: number): number;
  /** Of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** A separate stream, so that drawing one more star moves no mountain. */
  fork(label: string): Random;
};

export function createRandom(text: string): Random {
  const next = mulberry32(hashText(text));
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    pick: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T,
    fork: (label) => createRandom(`${text}/${label}`),
  };
}

/** FNV-1a over UTF-16 units, finished so that near texts land far apart. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return hash ^ (hash >>> 16);
}
