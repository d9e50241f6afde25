// The transitions of an order: every state with every step and every event.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NO_WORK, retryAt, workDue } from "../../../../core/base/work/rules.ts";
import {
  changeCheckout,
  checkoutsOf,
  closeCheckoutOf,
  liveCheckouts,
  openCheckout,
} from "../../../../core/shop/orders/checkout-rules.ts";
import {
  type Claims,
  codeOf,
  MIN_CHARGE_CENTS,
  keptCents,
  reducedPrice,
} from "../../../../core/shop/orders/price-rules.ts";
import {
  decideDispute,
  decidePaid,
  decideUnpaid,
  REFUND_SCHEDULE,
  returning,
  nextCheckAt,
  type OrderStep,
  receiptNumber,
  REASONS,
  stateAfter,
  takeStep,
} from "../../../../core/shop/orders/rules.ts";
import type { OrderCheckout, OrderDoc, PaymentDoc } from "../../../../core/shop/orders/store.ts";
import { ORDER_EVENTS, ORDER_STATES, type OrderState } from "../../../../proto/resources/order.ts";

const AT = new Date("2026-05-01T12:00:00Z");
const STEPS = ORDER_EVENTS.filter((type): type is OrderStep => type !== "placed" && type !== "noted");

/** Written by hand, row by row: a dash where the step is not allowed. */
const TABLE = `
            paid       fulfilled  refused    refunded   disputed   dispute_won dispute_lost declined  expired   cancelled
placed      paid       -          -          -          -          -           -            failed    expired   cancelled
paid        -          fulfilled  refunded   -          -          -           -            -         -         -
fulfilled   -          -          -          refunded   disputed   -           -            -         -         -
disputed    -          -          -          refunded   -          fulfilled   refunded     -         -         -
refunded    -          -          -          -          -          -           -            -         -         -
expired     -          -          -          -          -          -           -            -         -         -
cancelled   -          -          -          -          -          -           -            -         -         -
failed      -          -          -          -          -          -           -            -         -         -
`
  .trim()
  .split("\n")
  .map((line) => line.trim().split(/\s+/));
const [columns = [], ...rows] = TABLE;

function order(fields: Partial<OrderDoc> = {}): OrderDoc {
  return {
    _id: "ord_1",
    account_id: "acc_1",
    idempotency_key: "k",
    kind: "product",
    items: [],
    currency: "usd",
    amount_cents: 1900,
    tax_cents: 0,
    state: "placed",
    events: [{ seq: 1, type: "placed", at: AT, note: null }],
    provider: "demo",
    provider_ref: "co_1",
    checkout_at: AT,
    checkouts: 1,
    payment_ref: null,
    receipt_number: null,
    reason: null,
    created_at: AT,
    paid_at: null,
    expires_at: new Date(AT.getTime() + 24 * 3_600_000),
    work: workDue(AT),
    credits_taken_back: 0,
    ...fields,
  };
}

const CLOSED: OrderCheckout = {
  number: 1,
  provider: "demo",
  ref: "co_1",
  amount_cents: 1900,
  at: AT,
  state: "closed",
};

describe("the checkouts of an order", () => {
  test("include the one that an earlier release recorded by its reference alone", () => {
    expect(checkoutsOf(order())).toEqual([{ ...CLOSED, state: "open" }]);
    expect(checkoutsOf(order({ state: "fulfilled" }))).toEqual([CLOSED]);
    expect(checkoutsOf(order({ checkouts: 0, provider_ref: null, provider: null }))).toEqual([]);
  });

  test("include those that an earlier release opens or finds while it runs next to this one", () => {
    const second = { checkouts: 2, provider_ref: "co_2", checkouts_made: [CLOSED] };
    expect(liveCheckouts(order(second))).toEqual([{ ...CLOSED, number: 2, ref: "co_2", state: "open" }]);
    const unknown: OrderCheckout = { ...CLOSED, ref: null, state: "open" };
    expect(liveCheckouts(order({ checkouts_made: [unknown] }))).toEqual([{ ...unknown, ref: "co_1" }]);
  });

  test("are opened one at a time", () => {
    const wanted = { provider: "demo", amount_cents: 2500, at: AT };
    expect(() => openCheckout(order(), wanted)).toThrow("open checkout already");
    const opened = openCheckout(order({ checkouts_made: [CLOSED] }), wanted);
    expect(opened).toMatchObject({ checkouts: 2, provider_ref: null });
    expect(liveCheckouts(opened)).toMatchObject([{ number: 2, ref: null, amount_cents: 2500 }]);
  });

  test("stay closed", () => {
    expect(changeCheckout(order({ checkouts_made: [CLOSED] }), 1, { state: "open" })).toBeUndefined();
  });

  test("keep an overdue order open until all of them are closed", () => {
    const left = takeStep(order({ work: NO_WORK }), "cancelled", { at: AT });
    expect(left.work).toEqual(workDue(AT));
    const closed = takeStep(closeCheckoutOf(order(), "co_1"), "cancelled", { at: AT });
    expect(closed.work).toEqual(NO_WORK);
  });
});

describe("[SHOP-01] every state with every step", () => {
  test("the table has all states and steps", () => {
    expect(new Set(columns)).toEqual(new Set(STEPS));
    expect(rows.map(([state]) => state).toSorted()).toEqual([...ORDER_STATES].toSorted());
  });

  test.each(
    rows.flatMap(([state = "", ...cells]) => cells.map((cell, i) => [state, columns[i] ?? "", cell])),
  )("%s, %s: %s", (from, step, to) => {
    const state = from as OrderState;
    expect(stateAfter(state, step as OrderStep) ?? "-").toBe(to);
    const take = () =>
      takeStep(order({ state, checkouts_made: [CLOSED] }), step as OrderStep, { at: AT, note: "why" });
    if (to === "-") expect(take).toThrow(/cannot be/);
    else
      expect(take()).toMatchObject({
        state: to,
        reason: "why",
        work: NO_WORK,
        events: [{ seq: 1 }, { seq: 2, type: step, note: "why" }],
      });
  });
});

describe("a payment of an order", () => {
  const payment = { ref: "pay_1", amountCents: 1900, taxCents: 0, currency: "usd", at: AT };
  const known = { paid_at: null, state: "early" } as PaymentDoc;
  const decide = (
    fields: Partial<OrderDoc>,
    paid: Partial<typeof payment> = {},
    stored: Partial<PaymentDoc> = {},
    accountId: string | null = "acc_1",
  ) => decidePaid(order(fields), { ...known, ...stored }, { payment: { ...payment, ...paid }, accountId });

  test("fulfils a placed order at its price, with tax on top", () => {
    expect(decide({})).toEqual({ kind: "fulfil" });
    expect(decide({}, { amountCents: 2261, taxCents: 361 })).toEqual({ kind: "fulfil" });
    expect(decide({}, {}, {}, null)).toEqual({ kind: "fulfil" });
  });

  test("a payment of an order that is known changes nothing, in any state", () => {
    for (const state of ORDER_STATES)
      expect(decide({ state }, {}, { paid_at: AT })).toEqual({ kind: "known" });
  });

  test("of no order needs attention", () => {
    expect(decidePaid(null, known, { payment, accountId: null })).toEqual({ kind: "unclaimed" });
  });

  test.each([
    ["too small an amount", { amountCents: 1899 }],
    ["too large an amount", { amountCents: 1901 }],
    ["an amount with tax that the price does not include", { taxCents: 100 }],
    ["another currency", { currency: "eur" }],
  ])("of %s is refused and refunded", (_what, paid) => {
    expect(decide({}, paid)).toEqual({ kind: "refuse", reason: REASONS.amount });
  });

  test("a payment of an order that was refunded before its event arrived is refused and not refunded again", () => {
    expect(decide({}, {}, { state: "given_back" })).toEqual({ kind: "refuse", reason: REASONS.refunded });
    const back = { ...known, state: "given_back" } as const;
    expect(returning(back, REASONS.refunded, AT)).toEqual({ ...back, reason: REASONS.refunded });
  });

  test("for an ended, paid or foreign order is refunded and leaves the order unchanged", () => {
    for (const state of ["expired", "cancelled", "failed"] as const)
      expect(decide({ state })).toEqual({ kind: "give_back", reason: REASONS.over });
    for (const state of ["fulfilled", "refunded", "disputed"] as const)
      expect(decide({ state, paid_at: AT })).toEqual({ kind: "give_back", reason: REASONS.secondPayment });
    expect(decide({}, {}, {}, "acc_2")).toEqual({ kind: "give_back", reason: REASONS.otherAccount });
  });
});

test("ends its order when its checkout ends unpaid, unless the checkout is an older one", () => {
  const facts = { orderId: "ord_1", accountId: "acc_1" };
  const ended = (state: OrderState, checkoutRef = "co_1") =>
    decideUnpaid(order({ state }), { kind: "declined", checkoutRef, ...facts });
  expect(ended("placed")).toBe("declined");
  expect(ended("placed", "co_0")).toBeUndefined();
  for (const state of ORDER_STATES.filter((one) => one !== "placed")) expect(ended(state)).toBeUndefined();
  expect(decideUnpaid(null, { kind: "expired", checkoutRef: "co_1", ...facts })).toBeUndefined();
});

test("dispute events may repeat and arrive out of order", () => {
  const on = (state: OrderState, known: PaymentDoc["dispute"], news: Parameters<typeof decideDispute>[2]) =>
    decideDispute(order({ state }), known, news);
  expect(on("fulfilled", null, "dispute_opened")).toEqual(["disputed"]);
  expect(on("disputed", "open", "dispute_opened")).toEqual([]);
  expect(on("disputed", "open", "dispute_won")).toEqual(["dispute_won"]);
  expect(on("disputed", "open", "dispute_lost")).toEqual(["dispute_lost"]);
  expect(on("fulfilled", "won", "dispute_opened")).toEqual([]);
  expect(on("fulfilled", null, "dispute_won")).toEqual([]);
  expect(on("fulfilled", null, "dispute_lost")).toEqual(["disputed", "dispute_lost"]);
  for (const state of ["refunded", "expired", "cancelled", "failed", "placed"] as const)
    for (const news of ["dispute_opened", "dispute_won", "dispute_lost"] as const)
      expect(on(state, null, news)).toEqual([]);
});

test("an open order is queried after 1, 5 and 30 minutes, then every hour, and at its end", () => {
  const open = order();
  const minutes: number[] = [];
  let now = AT;
  for (let checks = 0; now < open.expires_at; checks++) {
    now = nextCheckAt(open, checks, now);
    minutes.push((now.getTime() - AT.getTime()) / 60_000);
  }
  expect(minutes.slice(0, 5)).toEqual([1, 5, 30, 90, 150]);
  expect(minutes.at(-1)).toBe(24 * 60);
  expect(nextCheckAt(order({ checkout_at: null }), 0, AT)).toEqual(open.expires_at);
  // The provider was away at its end.
  expect(nextCheckAt(open, 30, open.expires_at).getTime()).toBe(open.expires_at.getTime() + 3_600_000);
});

test("a refund is retried without limit, every hour in the end", () => {
  const waits = [1, 2, 3, 4, 50].map(
    (number) => ((retryAt(REFUND_SCHEDULE, number, { endedAt: AT })?.getTime() ?? 0) - AT.getTime()) / 60_000,
  );
  expect(waits).toEqual([1, 5, 30, 60, 60]);
});

test("receipts are numbered by year", () => {
  expect(receiptNumber(2026, 1)).toBe("2026-000001");
  expect(receiptNumber(2026, 1_234_567)).toBe("2026-1234567");
});

// Discounts: exact cents, never more than the price, and the same from a stored order.
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

test("what a partial refund leaves of a price is exact, never too little, and nothing after the whole", () => {
  fc.assert(
    fc.property(price, price, price, (amount_cents, tax_cents, refunded) => {
      const kept = keptCents({ amount_cents, tax_cents }, refunded);
      expect(kept).toBeGreaterThanOrEqual(Math.max(amount_cents - refunded, 0));
      expect(kept).toBeLessThanOrEqual(amount_cents);
      expect(keptCents({ amount_cents, tax_cents })).toBe(amount_cents);
      expect(keptCents({ amount_cents, tax_cents }, amount_cents + tax_cents)).toBe(0);
      expect(keptCents({ amount_cents, tax_cents: 0 }, Math.min(refunded, amount_cents))).toBe(
        Math.max(amount_cents - refunded, 0),
      );
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
