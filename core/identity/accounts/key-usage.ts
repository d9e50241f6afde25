// Records when each key was last used, to the minute. Uses are gathered in memory and written in bulk, so that no request waits for them.
import { createService } from "../../../runtime/service.ts";
import { isDatabaseAway } from "../../base/mongo/errors.ts";
import type { App } from "../../kernel/app.ts";
import { saveKeyUse } from "./store-keys.ts";

const MINUTE_MS = 60_000;
const FLUSH_MS = 10_000;
/** Keys that may wait to be written. Above it a use is dropped: it only informs the owner, and memory is limited. */
const MAX_PENDING = 100_000;

export type KeyUsage = {
  /** Records that a request with this key (its SHA-256) was admitted. Costs one map lookup. */
  note(keySha256: string, at: Date): void;
  /** Writes what is new. Rejects if that fails; the next flush tries again. */
  flush(): Promise<void>;
  /** Writes the rest. Never rejects. */
  stop(): Promise<void>;
};

/** Each key is written at most once a minute by each core. */
export function createKeyUsage(app: App): KeyUsage {
  /** Minute of the last use, of keys that are not written yet. */
  const pending = new Map<string, number>();
  /** Minute that was written last; forgotten once the minute is over. */
  const written = new Map<string, number>();

  const service = createService({ log: app.log, isOutage: isDatabaseAway });
  service.every(FLUSH_MS, "write when keys were last used", flush);
  service.start();

  function note(keySha256: string, at: Date): void {
    const minute = at.getTime() - (at.getTime() % MINUTE_MS);
    if ((written.get(keySha256) ?? 0) >= minute) return;
    const known = pending.get(keySha256);
    if (known === undefined ? pending.size < MAX_PENDING : known < minute) pending.set(keySha256, minute);
  }

  async function flush(): Promise<void> {
    const batch = new Map(pending);
    pending.clear();
    const now = app.clock.now().getTime();
    for (const [hash, minute] of written) if (minute + MINUTE_MS <= now) written.delete(hash);
    for (const [hash, minute] of batch) written.set(hash, minute);
    try {
      await saveKeyUse(app.mongo.db, new Map([...batch].map(([hash, minute]) => [hash, new Date(minute)])));
    } catch (error) {
      for (const [hash, minute] of batch) {
        written.delete(hash);
        note(hash, new Date(minute));
      }
      throw error;
    }
  }

  return {
    note,
    flush,
    stop: async () => {
      await service.stop();
      await flush().catch((error: unknown) =>
        app.log.warn({ err: error, keys: pending.size }, "last use of keys not written"),
      );
    },
  };
}
