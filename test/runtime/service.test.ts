// Background steps: when they run, what an error does, and how they stop. The test controls the time.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createService } from "../../runtime/service.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const lines: string[] = [];
  const note = (level: string) => (first: unknown, second?: string) =>
    void lines.push(`${level}: ${second ?? String(first)}`);
  const log = { info: note("info"), warn: note("warn"), error: note("error") };
  const service = createService({ log, isOutage: (error) => error instanceof RangeError });
  return { service, lines };
}

/** A step that runs until the test ends it. */
function slowStep() {
  const ends: (() => void)[] = [];
  const step = () => new Promise<number>((resolve) => ends.push(() => resolve(1_000)));
  return { step, begun: () => ends.length, end: () => ends.at(-1)?.() };
}

describe("background steps", () => {
  test("every: the first step runs one interval after the start, and each next one an interval after the last has ended", async () => {
    const { service } = setUp();
    const slow = slowStep();
    service.every(100, "look", slow.step);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(slow.begun()).toBe(0);
    service.start();
    await vi.advanceTimersByTimeAsync(99);
    expect(slow.begun()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(slow.begun()).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(slow.begun()).toBe(1);
    slow.end();
    await vi.advanceTimersByTimeAsync(99);
    expect(slow.begun()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(slow.begun()).toBe(2);
  });

  test("loop: the first step runs at the start, the next after the returned wait; 0 is immediate, and any number is valid", async () => {
    const { service } = setUp();
    const answers = [0, 50, Number.POSITIVE_INFINITY];
    const step = vi.fn<() => number>(() => answers.shift() ?? 0);
    service.loop("look", step);
    service.start();
    await vi.advanceTimersByTimeAsync(49);
    expect(step).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(step).toHaveBeenCalledTimes(3);
    await vi.advanceTimersByTimeAsync(86_400_000);
    expect(step).toHaveBeenCalledTimes(3);
  });

  test("ring ends a wait and is remembered during a step; a ring before a step is consumed by it", async () => {
    const { service } = setUp();
    const slow = slowStep();
    const ring = service.loop("look", slow.step);
    ring();
    service.start();
    await vi.advanceTimersByTimeAsync(0);
    slow.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(slow.begun()).toBe(1);
    ring();
    await vi.advanceTimersByTimeAsync(0);
    expect(slow.begun()).toBe(2);
    ring();
    slow.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(slow.begun()).toBe(3);
    slow.end();
    await vi.advanceTimersByTimeAsync(999);
    expect(slow.begun()).toBe(3);
  });

  test("start may be called again, and a loop may be added later", async () => {
    const { service } = setUp();
    const step = vi.fn<() => number>(() => 100);
    service.start();
    service.loop("look", step);
    service.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(step).toHaveBeenCalledTimes(1);
  });
});

describe("a background step that fails", () => {
  test("is repeated, and logged once until it succeeds or fails differently", async () => {
    const { service, lines } = setUp();
    const faults = [new Error("a"), new Error("a"), new RangeError("b"), undefined, new Error("a")];
    service.every(10, "count sheep", () => {
      const fault = faults.shift();
      if (fault) throw fault;
    });
    service.start();
    await vi.advanceTimersByTimeAsync(60);
    expect(faults).toHaveLength(0);
    expect(lines).toEqual([
      "error: could not count sheep; trying again",
      "warn: could not count sheep; trying again",
      "info: can count sheep again",
      "error: could not count sheep; trying again",
      "info: can count sheep again",
    ]);
  });

  test("is logged as recovered once a continuing step reports success", async () => {
    const { service, lines } = setUp();
    let tries = 0;
    service.loop("listen", (_signal, goesWell) => {
      tries += 1;
      if (tries !== 2) throw new Error("deaf");
      goesWell();
      expect(lines.at(-1)).toBe("info: can listen again");
      throw new Error("deaf");
    });
    service.start();
    await vi.advanceTimersByTimeAsync(1_200);
    expect(tries).toBe(3);
    expect(lines).toEqual([
      "error: could not listen; trying again",
      "info: can listen again",
      "error: could not listen; trying again",
    ]);
  });

  test("does not affect other loops, and is repeated after half a second or the loop's own wait", async () => {
    const { service } = setUp();
    const failing = vi.fn<() => Promise<number>>(() => Promise.reject(new Error("no")));
    const other = vi.fn<() => void>();
    service.loop("fail", failing);
    const impatient = vi.fn<() => Promise<number>>(() => Promise.reject(new Error("no")));
    service.loop("hurry", impatient, 50);
    service.every(100, "look", other);
    service.start();
    await vi.advanceTimersByTimeAsync(499);
    expect(failing).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(failing).toHaveBeenCalledTimes(2);
    expect(other).toHaveBeenCalledTimes(5);
    expect(impatient).toHaveBeenCalledTimes(11);
  });
});

describe("stop of a service", () => {
  test("wakes waiting loops, signals the steps, and waits for running ones", async () => {
    const { service, lines } = setUp();
    const slow = slowStep();
    const idle = vi.fn<() => number>(() => 1_000_000);
    service.loop("look", slow.step);
    service.loop("idle", idle);
    service.loop(
      "listen",
      (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    service.start();
    await vi.advanceTimersByTimeAsync(0);
    const isStopped = vi.fn<() => void>();
    const stopping = service.stop().then(isStopped);
    expect(service.signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isStopped).not.toHaveBeenCalled();
    slow.end();
    await stopping;
    await vi.advanceTimersByTimeAsync(2_000_000);
    expect([slow.begun(), idle.mock.calls.length]).toEqual([1, 1]);
    expect(lines).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("waits for a hanging step up to its limit, and names it", async () => {
    const { service, lines } = setUp();
    service.loop("end", () => new Promise(() => {}));
    service.start();
    await vi.advanceTimersByTimeAsync(0);
    const stopping = service.stop(200);
    await vi.advanceTimersByTimeAsync(200);
    await stopping;
    expect(lines).toEqual(["warn: stopped while trying to end"]);
  });

  test("before the start is final as well", async () => {
    const { service } = setUp();
    const step = vi.fn<() => number>(() => 0);
    service.loop("look", step);
    await service.stop();
    service.start();
    service.loop("look again", step);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(step).not.toHaveBeenCalled();
  });
});
