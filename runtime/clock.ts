// Time and ids come in through the App, so that tests choose them.
import { monotonicFactory } from "ulid";

export type Clock = { /** The current time. */ now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** Makes an id: prefix, underscore, 26 characters that sort by time of making. `newId("job")` -> "job_01K…". */
export type NewId = (prefix: string) => string;

export function createNewId(): NewId {
  const next = monotonicFactory();
  return (prefix) => `${prefix}_${next()}`;
}
