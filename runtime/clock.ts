// The clock, the ids and the random numbers of a process. They reach the code through App, so that tests can choose them.
import { randomFillSync, randomInt } from "node:crypto";
import { monotonicFactory } from "ulid";

export type Clock = { /** The current time. */ now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** If this process's clock and the database's differ by more than this, the process is not ready. */
const MAX_SKEW_MS = 2_000;

/** Returns true, or one line for /readyz that says why not. `skewMs` is how far this machine's clock is ahead of the database's. */
export function checkSkew(skewMs: number): true | string {
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return true;
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
  return `this machine's clock is ${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} the database's; up to ${MAX_SKEW_MS / 1000} s are allowed`;
}

/** Makes an id: a prefix, an underscore and 26 characters that sort by creation time. `newId("job")` returns "job_01K…". */
export type NewId = (prefix: string) => string;

/** Returns an id without its prefix. Related ids are made from it. */
export function withoutPrefix(id: string): string {
  return id.slice(id.indexOf("_") + 1);
}

/** Ids sort by this clock. If the clock goes back, new ids still sort after the last one. */
export function createNewId(clock: Clock): NewId {
  const next = monotonicFactory(createRandom());
  return (prefix) => `${prefix}_${next(clock.now().getTime())}`;
}

/** A random whole number from 0 up to, but not including, 2^32. */
export function drawSeed(): number {
  return randomInt(2 ** 32);
}

/**
 * A random number from 0 up to, but not including, 1. It fetches random bytes a thousand at a time, because a call for a few bytes costs
 * more than the rest of an id.
 */
function createRandom(): () => number {
  const bytes = new Uint8Array(4_096);
  let at = bytes.length;
  return () => {
    if (at === bytes.length) {
      randomFillSync(bytes);
      at = 0;
    }
    return (bytes[at++] ?? 0) / 256;
  };
}
