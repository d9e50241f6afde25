// Whether this process takes on more than core can serve, judged by how long calls of core take. A queue that never empties shows in the fastest
// of them: once no call has been fast for a while, a longer queue would only make every caller wait longer (the idea of CoDel, RFC 8289).
import { AppError } from "../../proto/codes.ts";

/** Made once, because it refuses requests that should cost as little as possible; for the same reason it is counted and not logged. */
export const OVERLOADED = new AppError("service_unavailable", {
  message: "More requests arrive than the service can serve. Nothing was done.",
  retryAfterSeconds: 1,
});

/** A call that takes longer has waited for others. */
const FAST_MS = 50;
/** A burst that is over sooner is served whole, however large it is. */
const SUSTAINED_MS = 700;
/** While it is overloaded, the process keeps as many calls under way as core ends within this time. */
const QUEUE_MS = 100;
/** As few calls as these are never too many. */
const LEAST_CALLS = 64;
const WINDOW_MS = 500;

export type Load = {
  /** A call of core begins. Returns the function to call when it has ended, in whatever way. */
  begin(): () => void;
  /** True while further requests should be refused. */
  isFull(): boolean;
};

/** `now` is a clock in milliseconds. */
export function createLoad(now: () => number = () => performance.now()): Load {
  let underWay = 0;
  let lastFastMs = now();
  let windowMs = now();
  let ended = 0;
  let endedBefore = 0;

  function roll(atMs: number): void {
    const windows = Math.floor((atMs - windowMs) / WINDOW_MS);
    if (windows < 1) return;
    endedBefore = windows === 1 ? ended : 0;
    ended = 0;
    windowMs += windows * WINDOW_MS;
  }

  /** How many calls end within QUEUE_MS, by the window before and the present one; 0 where none has ended. */
  function endWithinQueueMs(atMs: number): number {
    roll(atMs);
    return ((endedBefore + ended) / (WINDOW_MS + atMs - windowMs)) * QUEUE_MS;
  }

  return {
    begin: () => {
      const begunMs = now();
      // The first call after a quiet time has nothing before it to compare with.
      if (underWay === 0) lastFastMs = begunMs;
      underWay += 1;
      return () => {
        const atMs = now();
        roll(atMs);
        underWay -= 1;
        ended += 1;
        if (atMs - begunMs < FAST_MS) lastFastMs = atMs;
      };
    },
    isFull: () => {
      if (underWay <= LEAST_CALLS) return false;
      const atMs = now();
      if (atMs - lastFastMs < SUSTAINED_MS) return false;
      const rate = endWithinQueueMs(atMs);
      // While core ends no call at all, it is frozen or away, which deadlines and its own refusals take care of.
      return rate > 0 && underWay > rate;
    },
  };
}
