// Every mail about a subscription names its amount, its period and its end, in the account's time zone.
import { expect, test } from "vitest";
import { subscriptionMail } from "../../../../core/shop/subscriptions/mails.ts";
import type { SubscriptionDoc } from "../../../../core/shop/subscriptions/store.ts";
import { SUBSCRIPTION_EVENTS, type SubscriptionEventType } from "../../../../proto/resources/subscription.ts";
import { localTimes } from "../../../../runtime/local-times.ts";

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
