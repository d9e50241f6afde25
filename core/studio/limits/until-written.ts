// Changes of a document that several processes write: read, decide, and write unless another process was faster.
import { setTimeout as sleep } from "node:timers/promises";

const MAX_TRIES = 50;
const PAUSE_MS = 4;

/** Repeats `tryOnce` until it returns something; undefined means that another process was faster. */
export async function untilWritten<T>(what: string, tryOnce: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const done = await tryOnce();
    if (done !== undefined) return done;
    await sleep(Math.random() * PAUSE_MS * tries);
  }
  throw new Error(`${what} lost every write to another process`);
}
