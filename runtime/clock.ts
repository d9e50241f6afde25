// Time and ids come in through the App, so that tests choose them.
import { randomFillSync } from "node:crypto";
import { monotonicFactory } from "ulid";

export type Clock = { /** The current time. */ now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** Makes an id: prefix, underscore, 26 characters that sort by time of making. `newId("job")` -> "job_01K…". */
export type NewId = (prefix: string) => string;

/** An id without its prefix: what ids are made of that follow from another one. */
export function withoutPrefix(id: string): string {
  return id.slice(id.indexOf("_") + 1);
}

export function createNewId(): NewId {
  const next = monotonicFactory(createRandom());
  return (prefix) => `${prefix}_${next()}`;
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
