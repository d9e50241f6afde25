// The overload decision, by the calls to core in flight and their duration.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createLoad, measureTurns, TICK_MS } from "../../edge/http/load.ts";

/** Requests arrive evenly and core serves them in sequence; those that arrive at full load are refused. */
function serve({ perSecond, capacity, forMs }: { perSecond: number; capacity: number; forMs: number }) {
  let nowMs = 0;
  const load = createLoad(() => nowMs);
  const queue: { end: () => void; begunMs: number }[] = [];
  const latencies: number[] = [];
  const refused: number[] = [];
  let [arrivals, served] = [0, 0];
  for (; nowMs < forMs; nowMs++) {
    for (; arrivals < (nowMs * perSecond) / 1000; arrivals++)
      if (load.isFull()) refused.push(nowMs);
      else queue.push({ end: load.begin(), begunMs: nowMs });
    if (queue.length === 0) served = (nowMs * capacity) / 1000;
    for (; served < (nowMs * capacity) / 1000 && queue.length > 0; served++) {
      const call = queue.shift();
      call?.end();
      latencies.push(nowMs - (call?.begunMs ?? 0));
    }
  }
  return { latencies: latencies.sort((a, b) => a - b), refused, load, queue };
}

test("the load limiter refuses nothing below capacity", () => {
  expect(serve({ perSecond: 900, capacity: 1_000, forMs: 10_000 }).refused).toEqual([]);
});

test("the load limiter refuses the excess above capacity, and the rest waits a bounded time", () => {
  const { latencies, refused } = serve({ perSecond: 1_200, capacity: 1_000, forMs: 10_000 });
  expect(refused.length).toBeGreaterThan(1_500);
  expect(refused.length).toBeLessThan(2_100);
  expect(latencies.at(-1)).toBeLessThan(200);
});

test("the load limiter serves a burst whole that ends in time, however large it is", () => {
  let nowMs = 0;
  const load = createLoad(() => nowMs);
  const ends = Array.from({ length: 5_000 }, () => load.begin());
  for (const end of ends) {
    nowMs += 0.05;
    end();
    expect(load.isFull()).toBe(false);
  }
});

test("the load limiter admits a few calls, however slow", () => {
  let nowMs = 0;
  const load = createLoad(() => nowMs);
  const ends = Array.from({ length: 64 }, () => load.begin());
  for (const end of ends) {
    nowMs += 1_000;
    end();
    load.begin();
    expect(load.isFull()).toBe(false);
  }
});

/** A limiter with so many calls in flight that only their duration matters. The function ends 30 that took as long. */
function createBusyLoad() {
  let nowMs = 0;
  const load = createLoad(() => nowMs);
  for (let i = 0; i < 1_000; i++) load.begin();
  const endCalls = (tookMs: number) => {
    const ends = Array.from({ length: 30 }, () => load.begin());
    nowMs += tookMs;
    for (const end of ends) end();
  };
  const pass = (ms: number): void => void (nowMs += ms);
  return { load, endCalls, pass };
}

test("the load limiter leaves a core that ends no calls to deadlines", () => {
  const { load, endCalls, pass } = createBusyLoad();
  for (let i = 0; i < 4; i++) endCalls(100);
  expect(load.isFull()).toBe(true);
  pass(600);
  expect(load.isFull()).toBe(false);
});

test("the load limiter stops refusing when calls are fast again", () => {
  const { load, endCalls } = createBusyLoad();
  for (let i = 0; i < 4; i++) endCalls(100);
  expect(load.isFull()).toBe(true);
  for (let i = 0; i < 4; i++) endCalls(1);
  expect(load.isFull()).toBe(false);
});

test.each([
  { callMs: 30, turnMs: 25, isFull: true },
  { callMs: 5, turnMs: 25, isFull: false },
  { callMs: 30, turnMs: 5, isFull: false },
])("the load limiter adds the turn that reads a request to its call: %o", ({ callMs, turnMs, isFull }) => {
  const { load, endCalls } = createBusyLoad();
  for (let i = 0; i < 100; i++) {
    endCalls(callMs);
    load.tick(turnMs);
  }
  expect(load.isFull()).toBe(isFull);
});

test("the load limiter does not take a few long calls for a queue", () => {
  const { load, endCalls } = createBusyLoad();
  endCalls(1_000);
  expect(load.isFull()).toBe(true);
  for (let i = 0; i < 3; i++) endCalls(1);
  expect(load.isFull()).toBe(false);
});

/** One thread that first ends the calls of the turn before, then reads all requests that have arrived. The last calls of a turn are fast. */
function turn({ perSecond, forMs }: { perSecond: number; forMs: number }) {
  const [CALL_MS, REFUSAL_MS] = [1.2, 0.05];
  let nowMs = 0;
  const load = createLoad(() => nowMs);
  const waits: number[] = [];
  let [arrivals, refused, tickDueMs, turns, tickedMs] = [0, 0, 0, 0, 0];
  let ends: (() => void)[] = [];
  while (nowMs < forMs) {
    if (nowMs >= tickDueMs) {
      load.tick((nowMs - tickedMs) / turns);
      tickDueMs = nowMs + TICK_MS;
      [turns, tickedMs] = [0, nowMs];
    }
    turns += 1;
    for (const end of ends.reverse()) end();
    ends = [];
    const arrived = Math.floor((nowMs * perSecond) / 1000);
    if (arrivals === arrived) nowMs += 1;
    for (; arrivals < arrived; arrivals++) {
      if (load.isFull()) {
        refused += 1;
        nowMs += REFUSAL_MS;
        continue;
      }
      waits.push(nowMs - (arrivals * 1000) / perSecond);
      ends.push(load.begin());
      nowMs += CALL_MS;
    }
  }
  return { longestMs: Math.max(...waits), refused, served: waits.length };
}

test("the load limiter sees requests that wait in their sockets while calls are fast", () => {
  const { longestMs, refused, served } = turn({ perSecond: 1_000, forMs: 20_000 });
  expect(longestMs).toBeLessThan(200);
  expect(served).toBeGreaterThan(16_000);
  expect(refused).toBeGreaterThan(2_000);
  expect(turn({ perSecond: 700, forMs: 20_000 }).refused).toBe(0);
});

test("the load limiter refuses again sooner when it has refused lately", () => {
  const { load, endCalls, pass } = createBusyLoad();
  const isFullAfterFastAndSlow = () => {
    endCalls(1);
    endCalls(200);
    return load.isFull();
  };
  expect(isFullAfterFastAndSlow()).toBe(false);
  endCalls(200);
  expect(load.isFull()).toBe(true);
  expect(isFullAfterFastAndSlow()).toBe(true);
  pass(1_200);
  expect(isFullAfterFastAndSlow()).toBe(false);
});

test("turns are measured without the time in which nothing happens", async () => {
  const turnMs = measureTurns();
  const countTurns = () => performance.nodeTiming.uvMetricsInfo.loopCount;
  /** The length of all turns while something runs. */
  const allTurnsMs = async (run: () => Promise<unknown>) => {
    turnMs();
    const before = countTurns();
    await run();
    return turnMs() * Math.max(1, countTurns() - before);
  };
  // Half of the time is room for a process that has to wait for others.
  expect(await allTurnsMs(() => sleep(1_000))).toBeLessThan(500);
  const stayBusy = () => {
    const untilMs = performance.now() + 300;
    while (performance.now() < untilMs);
    return new Promise(setImmediate);
  };
  expect(await allTurnsMs(stayBusy)).toBeGreaterThan(250);
});
