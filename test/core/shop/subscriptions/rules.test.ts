// The state table of a subscription, the arithmetic of its times and prices, and the mails about it.
import { describe, expect, test } from "vitest";
import { NO_WORK, workDue } from "../../../../core/base/work/rules.ts";
import { afterComparison } from "../../../../core/shop/subscriptions/compare-rules.ts";
import { subscriptionMail } from "../../../../core/shop/subscriptions/mails.ts";
import {
  afterRenewal,
  decideDue,
  dueAt,
  holdsUntil,
  priceOfChange,
  stateAfter,
  type SubscriptionStep,
  takeStep,
  toCompare,
  whenToChange,
} from "../../../../core/shop/subscriptions/rules.ts";
import type { SubscriptionDoc } from "../../../../core/shop/subscriptions/store.ts";
import { afterEvent } from "../../../../core/shop/subscriptions/take-event.ts";
import {
  SUBSCRIPTION_EVENTS,
  SUBSCRIPTION_STATES,
  type SubscriptionState,
  type SubscriptionEventType,
} from "../../../../proto/resources/subscription.ts";
import { localTimes } from "../../../../runtime/local-times.ts";

const at = (day: number, hour = 0): Date => new Date(Date.UTC(2026, 0, day, hour));

function subscription(change: Partial<SubscriptionDoc> = {}): SubscriptionDoc {
  return {
    _id: "sub_1",
    account_id: "acc_1",
    kind: "plan",
    what: "pro",
    interval: "month",
    price_cents: 3_000,
    currency: "usd",
    state: "active",
    period_start: at(1),
    period_end: at(31),
    grace_until: null,
    suspended_at: null,
    next_change: null,
    provider: "scripted",
    provider_ref: "s1",
    events: [{ seq: 1, type: "joined", at: at(1), note: null }],
    created_at: at(1),
    ended_at: null,
    due_at: at(32),
    ...change,
  };
}

/** Every state with every step; a missing one is not allowed. */
const TABLE: Record<SubscriptionState, Partial<Record<SubscriptionStep, SubscriptionState>>> = {
  active: {
    renewed: "active",
    payment_failed: "past_due",
    cancelled: "cancelling",
    changed: "active",
    change_planned: "active",
    change_dropped: "active",
    suspended: "active",
    restored: "active",
    ended: "ended",
  },
  past_due: {
    renewed: "active",
    reminded: "past_due",
    suspended: "past_due",
    restored: "past_due",
    ended: "ended",
  },
  cancelling: {
    renewed: "cancelling",
    changed: "cancelling",
    resumed: "active",
    suspended: "cancelling",
    restored: "cancelling",
    ended: "ended",
  },
  ended: {},
};
const STEPS = SUBSCRIPTION_EVENTS.filter((type) => type !== "joined" && type !== "noted");

describe.each(SUBSCRIPTION_STATES)("%s", (state) => {
  test.each(STEPS)("and %s", (step) => {
    const wanted = TABLE[state][step];
    expect(stateAfter(state, step)).toBe(wanted);
    const before = subscription({ state, ...(state === "past_due" && { grace_until: at(38) }) });
    if (wanted === undefined) {
      expect(() => takeStep(before, step, { at: at(2) })).toThrow(/cannot be/);
      return;
    }
    const after = takeStep(before, step, { at: at(2) });
    expect(after.state).toBe(wanted);
    expect(after.events.at(-1)).toMatchObject({ seq: 2, type: step });
    expect(after.ended_at === null).toBe(wanted !== "ended");
    expect(after.due_at === null).toBe(wanted === "ended");
    expect(after.grace_until === null).toBe(wanted !== "past_due");
  });
});

describe("the end of a subscription and its next check", () => {
  test("is a day after the paid period, because renewals arrive late, or its exact end once cancelled", () => {
    expect(holdsUntil(subscription())).toEqual(at(32));
    const cancelled = takeStep(subscription(), "cancelled", { at: at(5) });
    expect(cancelled.due_at).toEqual(at(31));
    expect(decideDue(cancelled, at(30, 23))).toBeUndefined();
    expect(decideDue(cancelled, at(31))).toBe("ended");
  });

  test("is seven days after a failed payment, with a reminder two days before the end", () => {
    const failed = takeStep(subscription(), "payment_failed", { at: at(31) });
    expect(failed.grace_until).toEqual(at(38));
    expect(dueAt(failed)).toEqual(at(36));
    expect(decideDue(failed, at(36))).toBe("reminded");
    const reminded = takeStep(failed, "reminded", { at: at(36) });
    expect(reminded.due_at).toEqual(at(38));
    expect(decideDue(reminded, at(37, 23))).toBeUndefined();
    expect(decideDue(reminded, at(38))).toBe("ended");
    // A worker that was away sends no late reminder.
    expect(decideDue(failed, at(40))).toBe("ended");
    const paid = takeStep(reminded, "renewed", { at: at(37), period_end: at(62) });
    expect(takeStep(paid, "payment_failed", { at: at(62) }).due_at).toEqual(at(67));
  });

  test("of a missing renewal event is that of a failed payment", () => {
    const silent = subscription({ due_at: at(32) });
    expect(decideDue(silent, at(31, 23))).toBeUndefined();
    expect(decideDue(silent, at(32))).toBe("payment_failed");
  });
});

test.each([
  [true, [2, 5, 30, 60, 60]],
  [false, [1, 5, 30, 60, 60]],
])("the provider is queried without limit while a call may still arrive: %s", (mayArrive, minutes) => {
  const waits = [0, 1, 2, 3, 50].map((attempts) => {
    const before = subscription({ work: { due_at: at(2), owner: "w", attempts } });
    const after = afterComparison(before, before, { kind: "failed", mayArrive, hasTold: true }, at(1));
    expect(after.work).toMatchObject({ owner: null, attempts: attempts + 1 });
    expect(after.telling_until).toEqual(mayArrive ? new Date(at(1).getTime() + 2 * 60_000) : null);
    return ((after.work?.due_at?.getTime() ?? 0) - at(1).getTime()) / 60_000;
  });
  expect(waits).toEqual(minutes);
});

describe("a renewal of a subscription", () => {
  test("moves the period forward and never back, for renewals in any order", () => {
    const second = { from: at(31), until: at(59) };
    const third = { from: at(59), until: at(90) };
    const inTurn = { ...subscription(), ...afterRenewal(subscription(), second) };
    expect({ ...inTurn, ...afterRenewal(inTurn, third) }.period_end).toEqual(at(90));
    const reordered = { ...subscription(), ...afterRenewal(subscription(), third) };
    expect(afterRenewal(reordered, second)).toEqual({});
  });

  test("applies the change planned for the next period, not before", () => {
    const next_change = { what: "starter", interval: "month", price_cents: 900 } as const;
    const planned = subscription({ next_change });
    expect(afterRenewal(planned, { from: at(31), until: at(59) })).toMatchObject({
      ...next_change,
      next_change: null,
    });
    expect(afterRenewal(planned, { from: at(2), until: at(59) })).not.toHaveProperty("what");
  });
});

describe("a plan change", () => {
  const rank = (order: number, interval: "month" | "year") => ({
    what: "x",
    price_cents: 1,
    order,
    interval,
  });
  test.each([
    [1, "month", 2, "month", "now"],
    [1, "month", 1, "year", "now"],
    [1, "month", 2, "year", "now"],
    [2, "month", 1, "month", "period_end"],
    [2, "month", 1, "year", "period_end"],
    [1, "year", 2, "month", "period_end"],
    [1, "year", 1, "month", "period_end"],
    [1, "year", 2, "year", "now"],
  ] as const)("from %i by the %s to %i by the %s is %s", (from, of, to, by, when) => {
    expect(whenToChange(rank(from, of), rank(to, by))).toBe(when);
  });

  test("a plan change that is immediate costs the new price less the unused time, and at least 0", () => {
    const studio = { what: "studio", interval: "month", price_cents: 9_900 } as const;
    expect(priceOfChange(subscription(), studio, at(1))).toEqual({ dueCents: 6_900, unusedCents: 3_000 });
    expect(priceOfChange(subscription(), studio, at(16))).toEqual({ dueCents: 8_400, unusedCents: 1_500 });
    expect(priceOfChange(subscription(), studio, at(40))).toEqual({ dueCents: 9_900, unusedCents: 0 });
    expect(priceOfChange(subscription(), { ...studio, price_cents: 100 }, at(1)).dueCents).toBe(0);
  });
});

describe("a provider event", () => {
  const facts = { subscriptionRef: "s1", subscriptionId: "sub_1" };
  const changed = (endsThen: boolean) =>
    ({ kind: "subscription_changed", ...facts, paidUntil: at(31), endsThen }) as const;

  test("a provider event of a failed payment counts for the period that is ending", () => {
    const failed = { kind: "renewal_failed", ...facts } as const;
    expect(afterEvent(subscription(), failed, { at: at(31), toldAt: at(31) }).state).toBe("past_due");
    const renewed = subscription({ period_start: at(31), period_end: at(59) });
    expect(afterEvent(renewed, failed, { at: at(32), toldAt: at(31) })).toBe(renewed);
    const past = takeStep(subscription(), "payment_failed", { at: at(31) });
    expect(afterEvent(past, failed, { at: at(33), toldAt: at(33) })).toBe(past);
  });

  test("a provider event of the end at the provider is applied once", () => {
    const gone = { kind: "subscription_ended", ...facts } as const;
    const after = afterEvent(subscription(), gone, { at: at(3), toldAt: at(3) });
    expect(after).toMatchObject({ state: "ended", work: NO_WORK });
    expect(afterEvent(after, gone, { at: at(4), toldAt: at(3) })).toBe(after);
  });

  test("sent before a newer request is outdated", () => {
    const both = { at: at(5), toldAt: at(4) };
    expect(afterEvent(subscription(), changed(true), both).state).toBe("cancelling");
    const cancelled = takeStep(subscription(), "cancelled", { at: at(4, 12) });
    expect(afterEvent(cancelled, changed(false), both)).toBe(cancelled);
    expect(afterEvent(cancelled, changed(false), { at: at(6), toldAt: at(5) }).state).toBe("active");
    const compared = toCompare(cancelled, at(4, 12));
    const later = { at: at(6), toldAt: at(5) };
    expect(afterEvent(compared, changed(true), later)).toBe(compared);
    expect(afterEvent(compared, changed(false), later)).toMatchObject({
      state: "cancelling",
      work: workDue(at(6)),
    });
  });
});

const AT = new Date("2026-11-23T23:30:00Z");

function mailOf(type: SubscriptionEventType): string | undefined {
  const subscription = {
    kind: "plan",
    what: "pro",
    interval: "month",
    price_cents: 2900,
    state: type === "ended" ? "ended" : "active",
    period_end: new Date("2026-12-23T23:30:00Z"),
    grace_until: new Date("2026-12-30T23:30:00Z"),
    next_change: { what: "starter", interval: "month", price_cents: 900 },
    events: [{ seq: 1, type, at: AT, note: null }],
  } as unknown as SubscriptionDoc;
  const names = { name: "Pro plan", nextName: "Starter plan" };
  const written = { baseUrl: "https://atelier.example", times: localTimes("Europe/Berlin") };
  return subscriptionMail(subscription, names, written)?.text;
}

/** Payments have receipts, and disputes the order's mail. */
const WITHOUT_A_MAIL = ["joined", "renewed", "suspended", "restored", "noted"];

test.each(SUBSCRIPTION_EVENTS)(
  "a mail after %s names amount, period, end and the page to change it",
  (type) => {
    const text = mailOf(type);
    if (WITHOUT_A_MAIL.includes(type)) return expect(text).toBeUndefined();
    expect(text).toContain("Pro plan");
    expect(text).toMatch(/\$(?:29|9) a month/);
    expect(text).toContain("24 December 2026");
    expect(text).toContain("Your plan: https://atelier.example/account/plan");
    return undefined;
  },
);
