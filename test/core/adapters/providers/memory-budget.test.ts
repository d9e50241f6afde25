import { describe, expect, test } from "vitest";
import { createOutputLimits, createMemoryBudget } from "../../../../core/adapters/providers/memory-budget.ts";

const never = new AbortController().signal;

/** Runs all pending promises. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the memory budget", () => {
  test("is granted first come, first served, and never exceeded", async () => {
    const room = createMemoryBudget(100);
    const order: string[] = [];
    const first = await room.take(60, never);
    const second = room.take(60, never).then((release) => (order.push("second"), release));
    // It would fit, but does not overtake.
    const third = room.take(10, never).then((release) => (order.push("third"), release));
    await settled();
    expect([room.taken(), order]).toEqual([60, []]);
    first();
    first();
    expect(await Promise.all([second, third])).toHaveLength(2);
    expect([room.taken(), order]).toEqual([70, ["second", "third"]]);
  });

  test("is granted whole to a response that is larger than it", async () => {
    const room = createMemoryBudget(100);
    const small = await room.take(1, never);
    const large = room.take(1000, never);
    await settled();
    expect(room.taken()).toBe(1);
    small();
    (await large)();
    expect(room.taken()).toBe(0);
  });

  test("is not held by a job that ended while waiting", async () => {
    const room = createMemoryBudget(100);
    await room.take(90, never);
    const stop = new AbortController();
    const ended = room.take(50, stop.signal);
    const behind = room.take(10, never);
    stop.abort(new Error("the deadline"));
    await expect(ended).rejects.toThrow("the deadline");
    await behind;
    expect(room.taken()).toBe(100);
  });
});

describe("a job", () => {
  test("takes the budget of its kind once for any number of large responses, and returns it", async () => {
    const room = createMemoryBudget(100);
    const intake = createOutputLimits(room, 40, never);
    await Promise.all([intake.reserveMemory(), intake.reserveMemory()]);
    expect(room.taken()).toBe(40);
    intake.release();
    await settled();
    expect(room.taken()).toBe(0);
  });

  test("a job without a large response takes no budget", async () => {
    const room = createMemoryBudget(100);
    createOutputLimits(room, 40, never).release();
    await settled();
    expect(room.taken()).toBe(0);
  });
});
