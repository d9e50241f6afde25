// Time, ids and seeds come in through the App, so that tests choose them.
import { randomFillSync, randomInt } from "node:crypto";
import { monotonicFactory } from "ulid";

export type Clock = { /** The current time. */ now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** More than this between a process's own clock and the database's, and the process is not ready. */
const MAX_SKEW_MS = 2_000;

/** For /readyz: true, or one line that says why not. `skewMs` is how far this machine's clock is ahead of the database's. */
export function checkSkew(skewMs: number): true | string {
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return true;
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
  return `this machine's clock is ${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} the database's; up to ${MAX_SKEW_MS / 1000} s are allowed`;
}

/** Makes an id: prefix, underscore, 26 characters that sort by time of making. `newId("job")` -> "job_01K…". */
export type NewId = (prefix: string) => string;

/** An id without its prefix, from which related ids are made. */
export function withoutPrefix(id: string): string {
  return id.slice(id.indexOf("_") + 1);
}

/** Ids sort by this clock. If the clock goes back, new ids still sort after the last one. */
export function createNewId(clock: Clock): NewId {
  const next = monotonicFactory(createRandom());
  return (prefix) => `${prefix}_${next(clock.now().getTime())}`;
}

/** A whole number from 0 to below 2^32. */
export function drawSeed(): number {
  return randomInt(2 ** 32);
}

/** From 0 to below 1. Takes random bytes by the thousand, because each call for some costs more than the rest of an id. */
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
