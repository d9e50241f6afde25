// Discounts: exact cents, never more than the price, and the same from a stored order.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Claims,
  codeOf,
  MIN_CHARGE_CENTS,
  reducedPrice,
} from "../../../../core/shop/orders/price-rules.ts";

const price = fc.integer({ min: 0, max: 10_000_000 });
const percent = fc.integer({ min: 0, max: 100 });
const claims: fc.Arbitrary<Claims> = fc.record(
  {
    memberPercent: percent,
    upgrade: fc.record({ orderId: fc.constant("ord_1"), paidCents: price }),
    code: fc.oneof(
      fc.record({ code: fc.constant("SUMMER"), percent, off_cents: fc.constant(null) }),
      fc.record({ code: fc.constant("SUMMER"), percent: fc.constant(null), off_cents: price }),
    ),
  },
  { requiredKeys: [] },
);

test("the price is the sum of discount and remainder, and the remainder can be charged", () => {
  fc.assert(
    fc.property(price, claims, (list, claimed) => {
      const { cents, reductions } = reducedPrice(list, claimed);
      expect(cents + reductions.reduce((sum, one) => sum + one.cents, 0)).toBe(list);
      for (const one of reductions) expect(one.cents).toBeGreaterThan(0);
      if (reductions.length > 0 && cents > 0) expect(cents).toBeGreaterThanOrEqual(MIN_CHARGE_CENTS);
    }),
  );
});

test("the code stored with an order gives the same discount again", () => {
  fc.assert(
    fc.property(price, claims, (list, claimed) => {
      const first = reducedPrice(list, claimed);
      const again = reducedPrice(list, { ...claimed, code: codeOf(first.reductions) });
      expect(again).toEqual(first);
    }),
  );
});

test.each<[string, number, Claims, number]>([
  ["a member discount of 20%", 1_950, { memberPercent: 20 }, 1_560],
  ["half a cent rounded up", 1_999, { memberPercent: 50 }, 999],
  [
    "a code on top of the member price",
    10_000,
    { memberPercent: 20, code: { code: "A", percent: 10, off_cents: null } },
    7_200,
  ],
  ["a fixed discount", 10_000, { code: { code: "A", percent: null, off_cents: 2_550 } }, 7_450],
  ["a discount above the price", 1_000, { code: { code: "A", percent: null, off_cents: 5_000 } }, 0],
  [
    "a remainder below the provider's minimum",
    1_000,
    { code: { code: "A", percent: null, off_cents: 960 } },
    0,
  ],
  ["an upgrade", 9_900, { upgrade: { orderId: "ord_1", paidCents: 1_900 } }, 8_000],
  ["a price below the minimum charge", 30, {}, 30],
])("the price to pay is computed for %s", (_what, list, claimed, left) => {
  expect(reducedPrice(list, claimed).cents).toBe(left);
});
