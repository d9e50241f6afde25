// Repeatable chance: the same text gives the same numbers on every machine.
import { mulberry32 } from "../../../../runtime/mulberry32.ts";

export type Random = {
  /** 0 <= x < 1. */
  next(): number;
  between(low: number, high: number): number;
  /** A whole number, both ends included. */
  whole(low: number, high: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  chance(probability: number): boolean;
  /** A stream of its own, so that drawing one more star moves no mountain. */
  fork(label: string): Random;
};

export function createRandom(text: string): Random {
  const next = mulberry32(hashText(text));
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    whole,
    pick: (list) => list[whole(0, list.length - 1)] ?? list[0],
    chance: (probability) => next() < probability,
    fork: (label) => createRandom(`${text}/${label}`),
  };
}

/** A number 0..1 for each integer place, without a stream: what stands at place 7 does not depend on who asked before. */
export function createPlaces(random: Random): (place: number, channel?: number) => number {
  const salt = Math.floor(random.next() * 4_294_967_296);
  return (place, channel = 0) => {
    let mixed = Math.imul(place | 0, 0x9e3779b1) ^ Math.imul(channel + 1, 0x85ebca6b) ^ salt;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296;
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
