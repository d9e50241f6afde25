// Detects that more requests arrive than can be served. A queue that never empties shows in the fastest of core's calls: if none has been
// fast for a while, a longer queue would only make every caller wait longer. The idea is that of CoDel (RFC 8289). Requests also wait in
// their sockets while this process is busy with others, which no call shows: a turn of the event loop reads all requests that have arrived,
// so there the queue shows in long turns.
import { performance } from "node:perf_hooks";
import { AppError } from "../../proto/codes.ts";

/** Created once, because refusals must cost as little as possible. For the same reason they are counted but not logged. */
export const OVERLOADED = new AppError("service_unavailable", {
  message: "More requests arrive than the service can serve. Nothing was done.",
  retryAfterSeconds: 1,
});

/** A call that takes longer has waited for others. */
const FAST_MS = 50;
/** Requests that a longer turn has read have waited for others. Most take several turns. */
const LONG_TURN_MS = 25;
/** How often the event loop is checked. */
export const TICK_MS = 100;
/** A burst that ends sooner is served in full, however large it is. */
const SUSTAINED_MS = 700;
/** For this long after a refusal, the queue that a burst may make would come on top of what is left of the one before. */
const REMEMBERED_MS = 5_000;
const SUSTAINED_AGAIN_MS = 100;
/** During overload, the process keeps as many calls in flight as core completes within this time. */
const QUEUE_MS = 50;
/** This many calls are never too many. */
const LEAST_CALLS = 64;
const WINDOW_MS = 500;

export type Load = {
  /** Records the start of a core call. Returns the function to call when the call has ended, with or without success. */
  begin(): () => void;
  /** True while further requests should be refused. */
  isFull(): boolean;
};

/**
 * A timer calls `tick` every TICK_MS with the average length of the event loop's turns since the last tick. Without ticks only calls count.
 * `now` returns milliseconds.
 */
export function createLoad(
  now: () => number = () => performance.now(),
): Load & { tick(turnMs: number): void } {
  let underWay = 0;
  let lastFastMs = now();
  let lastShortTurnMs = Number.POSITIVE_INFINITY;
  let lastRefusedMs = Number.NEGATIVE_INFINITY;
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

  /** How many calls core completes within QUEUE_MS, from the previous and the current window; 0 if none has completed. */
  function endWithinQueueMs(atMs: number): number {
    roll(atMs);
    return ((endedBefore + ended) / (WINDOW_MS + atMs - windowMs)) * QUEUE_MS;
  }

  return {
    begin: () => {
      const begunMs = now();
      // The first call after an idle time has no earlier call to be compared with.
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
      const sustainedMs = atMs - lastRefusedMs < REMEMBERED_MS ? SUSTAINED_AGAIN_MS : SUSTAINED_MS;
      if (atMs - Math.min(lastFastMs, lastShortTurnMs) < sustainedMs) return false;
      const rate = endWithinQueueMs(atMs);
      // If core completes no call at all, it is frozen or unavailable. Deadlines and core's own refusals handle that.
      if (rate === 0 || underWay <= rate) return false;
      lastRefusedMs = atMs;
      return true;
    },
    tick: (turnMs) => {
      if (turnMs < LONG_TURN_MS || lastShortTurnMs === Number.POSITIVE_INFINITY) lastShortTurnMs = now();
    },
  };
}

/** Returns a function that returns how long the turns of the event loop took on average since its last call, without waiting for events. */
export function measureTurns(): () => number {
  let before = { active: 0, turns: 0 };
  return () => {
    const { active } = performance.eventLoopUtilization();
    const turns = performance.nodeTiming.uvMetricsInfo.loopCount;
    const turnMs = (active - before.active) / Math.max(1, turns - before.turns);
    before = { active, turns };
    return turnMs;
  };
}
