// Asks providers what became of calls: looks at the parked jobs that are due, a bounded number at a time, and goes on with each.
import type { App } from "../app.ts";
import { LOOK_EVERY_MS } from "./call-rules.ts";
import { ASK_TIMEOUT_MS, type Look, lookAt } from "./look.ts";
import { findDue, takeParked } from "./store-calls.ts";

/** Jobs that are looked at, or whose files are fetched, at a time. */
const MAX_AT_ONCE = 64;
/** Nobody else looks at a job for so long: time for a question and what is written after it. Two who look at once do no harm. */
const LOOK_LEASE_MS = ASK_TIMEOUT_MS + 5_000;

export type AskingOptions = Omit<Look, "app" | "row" | "job"> & {
  /** Told when there is room for more. */
  onRoom: () => void;
};

export type Asking = {
  /** Takes what is due as far as there is room. Answers after how long to look again. */
  step(): Promise<number>;
  /** Waits until nobody is being asked any more. What is only being fetched or begun is the runs' own. */
  ended(): Promise<void>;
};

export function createAsking(app: App, options: AskingOptions): Asking {
  const { onRoom, ...looking } = options;
  const asking = new Set<Promise<void>>();
  let collecting = 0;
  const count = () => asking.size + collecting;

  function free(): void {
    // Not one by one: rows are taken in batches.
    if (count() === MAX_AT_ONCE / 2 || count() === 0) onRoom();
  }

  function launch(look: Look): void {
    const ask = lookAt(look)
      .catch((error: unknown) => {
        // Nothing is lost: the row is due again by itself.
        app.log.warn({ err: error, job: look.job._id }, "a parked job could not be looked at");
        return undefined;
      })
      .then((collected) => {
        asking.delete(ask);
        if (collected) {
          collecting += 1;
          void collected.done.finally(() => {
            collecting -= 1;
            free();
          });
        }
        free();
      });
    asking.add(ask);
  }

  return {
    step: async () => {
      const room = MAX_AT_ONCE - count();
      if (room <= 0) return LOOK_EVERY_MS;
      const now = app.clock.now();
      const { ids, nextAt } = await findDue(app.mongo.db, now, room);
      const until = new Date(now.getTime() + LOOK_LEASE_MS);
      const taken = await takeParked(app.mongo.db, ids, { owner: app.newId("lok"), now, until });
      for (const one of taken) launch({ ...looking, ...one, app });
      if (ids.length === room) return 0;
      return Math.max(0, Math.min(LOOK_EVERY_MS, (nextAt?.getTime() ?? Infinity) - now.getTime()));
    },
    ended: async () => {
      await Promise.all(asking);
    },
  };
}
