// When a built view is shown, and which changes it gets: no database, no stream.
import { describe, expect, test } from "vitest";
import { type Built, createCurrentView } from "../../../../core/shop/catalog/current-view.ts";
import { createBaseBuilder } from "../../../../core/shop/catalog/index/base.ts";
import { createView, newJsonCache, type Step, type View } from "../../../../core/shop/catalog/view.ts";
import { createFakeClock } from "../../../support/clock.ts";

function setUp() {
  const shown: [epoch: string, version: number][] = [];
  const current = createCurrentView({
    clock: createFakeClock(),
    baseUrl: "http://localhost",
    onShown: ({ epoch, version }: View) => shown.push([epoch, version]),
  });
  return { current, shown };
}

function built(epoch: string, version: number, readUpTo = version): Built {
  const names = { categories: new Map(), tags: new Map() };
  const base = createBaseBuilder().finish();
  return { view: createView(base, { epoch, version, names, json: newJsonCache() }), readUpTo };
}

/** A build that ends when the test says so. */
function slowBuild() {
  const { promise, resolve, reject } = Promise.withResolvers<Built>();
  return { build: () => promise, end: resolve, fail: reject };
}

const step = (version: number): Step => ({ version, products: [], deletedIds: [] });

describe("a view that was built", () => {
  test("is shown with the changes that arrived during the build", async () => {
    const { current, shown } = setUp();
    const slow = slowBuild();
    const replaced = current.replace(slow.build);
    current.onStep(step(6));
    expect(current.get()).toBeUndefined();
    slow.end(built("a", 5));
    await replaced;
    expect(shown).toEqual([["a", 6]]);
    expect(current.followed()).toBe(current.get());
    current.onStep(step(7));
    expect(shown).toEqual([
      ["a", 6],
      ["a", 7],
    ]);
  });

  test("waits until it has reached the newest version read", async () => {
    const { current, shown } = setUp();
    await current.replace(async () => built("a", 5, 7));
    current.onStep(step(6));
    expect(shown).toEqual([]);
    current.onStep(step(7));
    expect(shown).toEqual([["a", 7]]);
  });

  test("replaces one that continued during the build, as a newer generation", async () => {
    const { current, shown } = setUp();
    await current.replace(async () => built("a", 5));
    const before = current.get()?.generation ?? Infinity;
    const slow = slowBuild();
    const replaced = current.replace(slow.build);
    current.onStep(step(6));
    slow.end(built("a", 5));
    await replaced;
    expect(shown.map(([, version]) => version)).toEqual([5, 6, 6]);
    expect(current.get()?.generation).toBeGreaterThan(before);
  });

  test("keeps its changes when an older build ends during its own", async () => {
    const { current } = setUp();
    const [old, own] = [slowBuild(), slowBuild()];
    const replacedOld = current.replace(old.build);
    current.lose();
    const replaced = current.replace(own.build);
    old.fail(new Error("its round is over"));
    await expect(replacedOld).rejects.toThrow("its round is over");
    current.onStep(step(9));
    own.end(built("b", 8));
    await replaced;
    expect(current.get()).toMatchObject({ epoch: "b", version: 9 });
  });
});

describe("a view that lost changes", () => {
  test("stays until another one is built", async () => {
    const { current, shown } = setUp();
    await current.replace(async () => built("a", 5));
    current.lose();
    current.onStep(step(6));
    expect([current.get()?.version, current.followed(), current.isWasteful()]).toEqual([5, undefined, false]);
    await current.replace(async () => built("a", 8));
    expect(shown).toEqual([
      ["a", 5],
      ["a", 8],
    ]);
  });

  test("is not replaced by a build that was incomplete when the changes were lost", async () => {
    const { current, shown } = setUp();
    await current.replace(async () => built("a", 5, 6));
    current.lose();
    current.onStep(step(6));
    expect(shown).toEqual([]);
  });
});
