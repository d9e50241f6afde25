import { describe, expect, test } from "vitest";
import {
  createLocalDispatch,
  createMemoryBudget,
} from "../../../../core/adapters/providers/memory-budget.ts";

const never = new AbortController().signal;

/** Lets everything that can happen now happen. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("room for large answers", () => {
  test("is given first come, first served, and never beyond what there is", async () => {
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

  test("is all given to what is larger than it, alone", async () => {
    const room = createMemoryBudget(100);
    const small = await room.take(1, never);
    const large = room.take(1000, never);
    await settled();
    expect(room.taken()).toBe(1);
    small();
    (await large)();
    expect(room.taken()).toBe(0);
  });

  test("is not waited for by a job that ended, nor kept from those behind it", async () => {
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
  test("takes the room of its kind once, however many its large answers, and gives it back", async () => {
    const room = createMemoryBudget(100);
    const intake = createLocalDispatch(room, 40, never);
    await Promise.all([intake.reserveMemory(), intake.reserveMemory()]);
    expect(room.taken()).toBe(40);
    intake.release();
    await settled();
    expect(room.taken()).toBe(0);
  });

  test("that never had a large answer takes none", async () => {
    const room = createMemoryBudget(100);
    createLocalDispatch(room, 40, never).release();
    await settled();
    expect(room.taken()).toBe(0);
  });
});
