// The charge of a job that delivered less or more than requested, or whose provider's report is invalid.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lastTaken, type Portion, takeSoonest } from "../../../../core/identity/credits/grant-rules.ts";
import { chargeFor, checkUsage, deliveredOf } from "../../../../core/studio/jobs/delivery-rules.ts";
import type { PriceUnit } from "../../../../proto/resources/pricing.ts";
import { at } from "../../../fixtures/docs.ts";

describe("chargeFor", () => {
  test.each([
    // price, requested, delivered → charged
    [40, 4, 4, 40],
    [40, 4, 3, 30],
    [40, 4, 1, 10],
    [10, 3, 2, 6],
    [10, 3, 1, 3],
    [1, 4, 3, 0],
    [80, 8, 5.2, 52],
    [50, 5, 4.958, 49],
    [30, 2.5, 2.4, 28],
    [40, 4, 5, 40],
    [0, 4, 1, 0],
    [3_600_000_000, 3_600, 3_599.999, 3_599_999_000],
  ])("of %d credits for %d, of which %d were delivered, is %d", (credits, asked, got, charged) => {
    expect(chargeFor(credits, { unit: "output", asked, got })).toBe(charged);
  });

  test("is never above the price or the exact share, within a credit of it, and grows with what was delivered", () => {
    const amounts = fc.tuple(fc.integer({ min: 1, max: 3_600_000 }), fc.integer({ min: 1, max: 4_000_000 }));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_600_000_000 }), amounts, (credits, [asked, got]) => {
        const charge = (thousandths: number) =>
          chargeFor(credits, { unit: "second", asked: asked / 1000, got: thousandths / 1000 });
        const charged = charge(got);
        expect(charged).toBeLessThanOrEqual(credits);
        if (got < asked) {
          const [share, whole] = [BigInt(credits) * BigInt(got), BigInt(charged) * BigInt(asked)];
          expect(whole <= share && share - whole < BigInt(asked)).toBe(true);
        } else expect(charged).toBe(credits);
        expect(charge(got + 1)).toBeGreaterThanOrEqual(charged);
      }),
    );
  });
});

describe("deliveredOf", () => {
  const job = (modality: "image" | "video", params: Record<string, unknown>, unit: PriceUnit) => ({
    modality,
    params,
    priced_by: { version: 1, unit, units: 1, credits: 1, when: null },
  });
  const four = job("image", { count: 4 }, "image");
  const eight = job("video", { duration_seconds: 8 }, "second");
  const outputs = (asked: number, got: number) => ({ unit: "output", asked, got });
  const seconds = (asked: number, got: number) => ({ unit: "second", asked, got });
  test.each([
    ["files of images", four, 3, {}, outputs(4, 3)],
    ["one file without a count", job("image", {}, "image"), 1, {}, outputs(1, 1)],
    ["more files than requested", job("image", { count: 2 }, "image"), 5, {}, outputs(2, 5)],
    ["files, for any reported number", four, 3, { outputs: 4 }, outputs(4, 3)],
    ["reported seconds", eight, 1, { seconds: 5.2 }, seconds(8, 5.2)],
    ["the clip, without a report", eight, 1, {}, outputs(1, 1)],
    ["the clip, for a report of 0 seconds", eight, 1, { seconds: 0 }, outputs(1, 1)],
    [
      "the clip, when seconds have no price",
      job("video", { duration_seconds: 8 }, "generation"),
      1,
      { seconds: 2 },
      outputs(1, 1),
    ],
    ["more seconds than requested", eight, 1, { seconds: 9 }, seconds(8, 9)],
  ] as const)("counts %s", (_what, asked, made, usage, expected) => {
    expect(deliveredOf(asked, made, usage)).toEqual(expected);
  });
});

test.each([
  [{ seconds: -1, outputs: 2 }, { outputs: 2 }, ["negative"]],
  [{ seconds: Number.NaN }, {}, ["not_a_number"]],
  [{ outputs: Number.POSITIVE_INFINITY, seconds: -0.5 }, {}, ["not_a_number", "negative"]],
  [{ seconds: 4.5 }, { seconds: 4.5 }, []],
])("a report of %j counts as %j, with the faults %j", (reported, usage, faults) => {
  const checked = checkUsage(reported);
  expect(checked.usage).toEqual(usage);
  expect([...checked.faults].sort()).toEqual([...faults].sort());
});

test("a partial refund leaves captured what a lower price would have taken, from the same grants", () => {
  const grants = fc
    .array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 })
    .map((amounts) => amounts.map((left, i) => ({ grant_id: `led_${i}`, left, expires_at: at(i) })));
  const amounts = (from: readonly Portion[]) =>
    Object.fromEntries(from.map(({ grant_id, amount }) => [grant_id, amount]));
  fc.assert(
    fc.property(grants, fc.integer({ min: 1, max: 40 }), fc.nat(40), (given, taken, some) => {
      const charged = Math.min(some, taken);
      const { from } = takeSoonest(given, taken);
      const back = amounts(lastTaken(from, { taken, back: taken - charged }));
      const stays = from.flatMap((portion) => {
        const amount = portion.amount - (back[portion.grant_id] ?? 0);
        return amount > 0 ? [{ ...portion, amount }] : [];
      });
      expect(stays).toEqual(takeSoonest(given, charged).from);
    }),
  );
});
