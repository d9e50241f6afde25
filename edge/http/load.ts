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
const FAST_MS = 40;
/** Requests that a longer turn has read have waited for others. Most take several turns. */
const LONG_TURN_MS = 20;
/** How often the event loop is checked. */
export const TICK_MS = 100;
/** A burst that ends sooner is served in full, however large it is. */
const SUSTAINED_MS = 300;
/** For this long after a refusal, the queue that a burst may make would come on top of what is left of the one before. */
const REMEMBERED_MS = 1_000;
/** During overload, requests are refused while a call and a turn together take longer than this. */
const QUEUE_MS = 40;
/** How much the latest call counts in the usual duration of calls. */
const LATEST_SHARE = 1 / 64;
/** Longer calls count as this long, so that a few of them do not look like a queue. */
const LONG_CALL_MS = 250;
/** This many calls are never too many. */
const LEAST_CALLS = 64;
/** Core that completes no call for this long is frozen or unavailable. Deadlines and core's own refusals handle that. */
const FROZEN_MS = 500;

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
  let lastEndedMs = Number.NEGATIVE_INFINITY;
  let callMs = 0;
  let lastTurnMs = 0;

  return {
    begin: () => {
      const begunMs = now();
      // The first call after an idle time has no earlier call to be compared with.
      if (underWay === 0) lastFastMs = begunMs;
      underWay += 1;
      return () => {
        const atMs = now();
        underWay -= 1;
        lastEndedMs = atMs;
        const tookMs = atMs - begunMs;
        callMs += (Math.min(tookMs, LONG_CALL_MS) - callMs) * LATEST_SHARE;
        if (tookMs < FAST_MS) lastFastMs = atMs;
      };
    },
    isFull: () => {
      if (underWay <= LEAST_CALLS || callMs + lastTurnMs < QUEUE_MS) return false;
      const atMs = now();
      if (atMs - lastEndedMs > FROZEN_MS) return false;
      const isSustained = atMs - Math.min(lastFastMs, lastShortTurnMs) >= SUSTAINED_MS;
      if (!isSustained && atMs - lastRefusedMs > REMEMBERED_MS) return false;
      lastRefusedMs = atMs;
      return true;
    },
    tick: (turnMs) => {
      lastTurnMs = turnMs;
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
