// Keeps when each key was last used, to the minute. Gathered in memory and written in bulk, so that no request waits for it.
import type { App } from "../app.ts";
import { saveKeyUse } from "./store.ts";

const MINUTE_MS = 60_000;
const FLUSH_MS = 10_000;
/** Keys that may wait to be written. Beyond it a use is forgotten: it is only a note for the owner, and memory has an end. */
const MAX_PENDING = 100_000;

export type KeyUsage = {
  /** A request with this key (its SHA-256) was let in. Costs a look into a map. */
  note(keySha256: string, at: Date): void;
  /** Writes what is new. Never throws: what could not be written is tried again with the next flush. */
  flush(): Promise<void>;
  /** Ends the timer and writes the rest. */
  stop(): Promise<void>;
};

/** Each key is written at most once a minute by each core. */
export function createKeyUsage(app: App): KeyUsage {
  /** Minute of the last use, of keys that are not written yet. */
  const pending = new Map<string, number>();
  /** Minute that was written last; forgotten once the minute is over. */
  const written = new Map<string, number>();

  let lastFlush = Promise.resolve();
  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();

  function note(keySha256: string, at: Date): void {
    const minute = at.getTime() - (at.getTime() % MINUTE_MS);
    if ((written.get(keySha256) ?? 0) >= minute) return;
    const known = pending.get(keySha256);
    if (known === undefined ? pending.size < MAX_PENDING : known < minute) pending.set(keySha256, minute);
  }

  function flush(): Promise<void> {
    // One after the other, so that whoever waits for a flush waits for those before it too.
    lastFlush = lastFlush.then(write);
    return lastFlush;
  }

  async function write(): Promise<void> {
    const batch = new Map(pending);
    pending.clear();
    const now = app.clock.now().getTime();
    for (const [hash, minute] of written) if (minute + MINUTE_MS <= now) written.delete(hash);
    for (const [hash, minute] of batch) written.set(hash, minute);
    try {
      await saveKeyUse(app.mongo.db, new Map([...batch].map(([hash, minute]) => [hash, new Date(minute)])));
    } catch (error) {
      app.log.warn({ err: error, keys: batch.size }, "last use of keys not written; trying again");
      for (const [hash, minute] of batch) {
        written.delete(hash);
        note(hash, new Date(minute));
      }
    }
  }

  return {
    note,
    flush,
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
