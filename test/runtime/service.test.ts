// What runs in the background: when steps are taken, what an error does, and how it ends. Time is the test's own.
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

/** A step that goes on for as long as the test likes. */
function slowStep() {
  const ends: (() => void)[] = [];
  const step = () => new Promise<number>((resolve) => ends.push(() => resolve(1_000)));
  return { step, begun: () => ends.length, end: () => ends.at(-1)?.() };
}

describe("when steps are taken", () => {
  test("every: the first one so long after the start, and each next one as long after the end of the last", async () => {
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

  test("loop: at the start, and after what the step answers; 0 is at once, and no number is too large", async () => {
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

  test("the bell ends a wait, and is heard after a step that is being taken; what rang before a step is over with it", async () => {
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

  test("start may be said again, and a loop may come later", async () => {
    const { service } = setUp();
    const step = vi.fn<() => number>(() => 100);
    service.start();
    service.loop("look", step);
    service.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(step).toHaveBeenCalledTimes(1);
  });
});

describe("a step that fails", () => {
  test("is taken again, and told once until it goes well or fails in another way", async () => {
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

  test("is told as over by a step that goes on, as soon as that says that it goes well", async () => {
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

  test("of one loop leaves the others alone, and is taken again after half a second or what the loop says", async () => {
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

describe("stop", () => {
  test("wakes who waits, tells the steps, and waits for those under way", async () => {
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

  test("waits no longer than its bound for a step that does not end, and says which one it was", async () => {
    const { service, lines } = setUp();
    service.loop("end", () => new Promise(() => {}));
    service.start();
    await vi.advanceTimersByTimeAsync(0);
    const stopping = service.stop(200);
    await vi.advanceTimersByTimeAsync(200);
    await stopping;
    expect(lines).toEqual(["warn: stopped while trying to end"]);
  });

  test("before the start is the end as well", async () => {
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
