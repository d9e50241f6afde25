// What must not be lost because the database is away for a while, or because others keep writing the same documents first.
import { setTimeout as sleep } from "node:timers/promises";
import { isPassing } from "./errors.ts";

const PAUSE_MS = 500;

/**
 * Does the work, again and again while the database is away or others are faster. Rejects with whatever else goes wrong, and with the reason of the signal.
 * `isRepeat` tells the work that it may have been done already: the answer may be what was lost.
 */
export async function untilBack<T>(work: (isRepeat: boolean) => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let isRepeat = false; ; isRepeat = true) {
    try {
      return await work(isRepeat);
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
    // Ends immediately when the signal is aborted; then its reason is what counts.
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
    signal.throwIfAborted();
  }
}
