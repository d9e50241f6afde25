// The price of a generation, for every kind of unit.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_CREDITS_PER_UNIT, priceOf } from "../../../../core/studio/models/rules.ts";
import { AppError } from "../../../../proto/codes.ts";
import { MAX_UNITS } from "../../../../proto/resources/units.js";

const credits = fc.integer({ min: 1, max: MAX_CREDITS_PER_UNIT });

describe("priceOf", () => {
  test("costs one unit a generation, whatever the params", () => {
    fc.assert(
      fc.property(credits, fc.dictionary(fc.string(), fc.anything()), (price, params) => {
        expect(priceOf({ per: "generation", credits: price }, params)).toEqual({ units: 1, credits: price });
      }),
    );
  });

  test("costs one unit an image, and one image where count is left out", () => {
    fc.assert(
      fc.property(credits, fc.integer({ min: 1, max: MAX_UNITS }), (price, count) => {
        expect(priceOf({ per: "image", credits: price }, { count })).toEqual({
          units: count,
          credits: count * price,
        });
      }),
    );
    expect(priceOf({ per: "image", credits: 3 }, {})).toEqual({ units: 1, credits: 3 });
  });

  test("costs one unit a begun second, as an exact integer", () => {
    fc.assert(
      fc.property(
        credits,
        fc.double({ min: 0.001, max: MAX_UNITS, noNaN: true }),
        (price, duration_seconds) => {
          const { units, credits: total } = priceOf({ per: "second", credits: price }, { duration_seconds });
          expect(units).toBeGreaterThanOrEqual(duration_seconds);
          expect(units - 1).toBeLessThan(duration_seconds);
          expect(total).toBe(units * price);
          expect(Number.isSafeInteger(total)).toBe(true);
        },
      ),
    );
  });

  test.each([
    ["image", { count: 0 }],
    ["image", { count: -1 }],
    ["image", { count: 1.5 }],
    ["image", { count: "2" }],
    ["image", { count: MAX_UNITS + 1 }],
    ["second", {}],
    ["second", { duration_seconds: 0 }],
    ["second", { duration_seconds: Number.NaN }],
    ["second", { duration_seconds: Number.POSITIVE_INFINITY }],
  ] as const)("refuses params that give no price: per %s, %o", (per, params) => {
    expect(() => priceOf({ per, credits: 1 }, params)).toThrow(AppError);
  });
});
