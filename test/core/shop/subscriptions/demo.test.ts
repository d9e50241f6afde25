// A subscription at the demo provider: its signed events, parsed and applied as by the route.
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { DemoProvider } from "../../../../core/adapters/payments/demo.ts";
import { demoHeaders } from "../../../../core/adapters/payments/rules.ts";
import type { DemoEventDoc } from "../../../../core/adapters/payments/store.ts";
import { findAccounts } from "../../../../core/identity/accounts/store.ts";
import { startCheckout } from "../../../../core/shop/orders/checkout.ts";
import { findAnyOrder } from "../../../../core/shop/orders/list-orders.ts";
import { takeEvent } from "../../../../core/shop/orders/take-event.ts";
import {
  cancelSubscription,
  changeSubscription,
  openPortal,
  quoteChange,
} from "../../../../core/shop/subscriptions/change.ts";
import { compareSubscription } from "../../../../core/shop/subscriptions/compare.ts";
import { endPeriodOfDemo } from "../../../../core/shop/subscriptions/end-demo-period.ts";
import { endDueSubscriptions } from "../../../../core/shop/subscriptions/end-due.ts";
import { findSubscriptions } from "../../../../core/shop/subscriptions/store.ts";
import { useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { openPerson, place, PLUS_TIER, PRO } from "../orders/shop-fixture.ts";

const DAY_MS = 24 * 3_600_000;
const clock = createFakeClock("2026-01-31T12:00:00.000Z");
let demo: DemoProvider;
let accountId: string;

const { app } = useTestApp({ clock });
beforeAll(async () => {
  if (!app.payments.demo) throw new Error("no demo provider");
  ({ demo } = app.payments);
});
beforeEach(async () => {
  ({ accountId } = await openPerson(app));
});

/** Renews due subscriptions, and applies every event as the public route does. */
async function settle(): Promise<string[]> {
  const outcomes: string[] = [];
  await endDueSubscriptions(app);
  while (await compareSubscription(app));
  while (await demo.renewDue());
  const events = app.mongo.db.collection<DemoEventDoc>("demo_events");
  for (const { _id, body } of await events.find().sort({ "work.due_at": 1, _id: 1 }).toArray()) {
    const event = await demo.readEvent(Buffer.from(body), demoHeaders(body, app.secrets, clock.now()));
    outcomes.push((await takeEvent(app, "demo", event)).what);
    await events.deleteOne({ _id });
  }
  return outcomes;
}

async function join(wanted: typeof PRO, cents: number, action: "pay" | "pay_once" = "pay"): Promise<void> {
  const { _id: orderId } = await place(app, accountId, wanted, cents);
  const { order } = await startCheckout(app, accountId, { orderId, expectedCents: cents });
  await demo.press({ ref: order.provider_ref ?? "", accountId, action, delivery: "once" });
  expect(await settle()).toEqual(["fulfilled"]);
  expect((await findAnyOrder(app, orderId)).subscription?.ref).toMatch(/^demo_sub_/);
}

const newest = async () => (await findSubscriptions(app.mongo.db, accountId))[0];
const plan = async () => (await findAccounts(app.mongo.db, [accountId])).get(accountId)?.plan;

test("a subscription is renewed at the end of each month, and on the last day of shorter ones", async () => {
  await join(PRO, 2_900);
  expect((await newest())?.period_end.toISOString()).toBe("2026-02-28T12:00:00.000Z");
  clock.set("2026-02-28T12:00:00.000Z");
  expect(await settle()).toEqual(["fulfilled"]);
  expect((await newest())?.state).toBe("active");
  expect(await plan()).toBe("pro");
  await cancelSubscription(app, accountId, "plan");
  clock.set((await newest())?.period_end ?? "");
  await settle();
  expect(await newest()).toMatchObject({ state: "ended" });
  expect(await plan()).toBe("free");
});

test("a card that declines renewals leads through the grace period to the end", async () => {
  await join(PLUS_TIER, 1_500, "pay_once");
  await endPeriodOfDemo(app, accountId, "membership");
  expect(await settle()).toEqual(["past_due"]);
  clock.advance(3 * DAY_MS);
  expect(await settle()).toEqual(["nothing"]);
  clock.advance(4 * DAY_MS);
  await settle();
  expect(await newest()).toMatchObject({ state: "ended" });
});

test("an immediate change costs the price shown before, and its period can be ended by hand", async () => {
  await join(PRO, 2_900);
  clock.advance(10 * DAY_MS);
  const wanted = { kind: "plan", what: "studio", interval: "month" } as const;
  const { dueCents } = await quoteChange(app, accountId, wanted);
  await changeSubscription(app, accountId, { ...wanted, expectedCents: 9_900 });
  expect(await plan()).toBe("studio");
  expect(await settle()).toEqual(["fulfilled"]);
  const [paid] = await app.mongo.db
    .collection("orders")
    .find({ account_id: accountId, "subscription.about": "change" })
    .toArray();
  const { period_start: from, period_end: until } = (await newest()) ?? {};
  expect(paid).toMatchObject({ amount_cents: dueCents, subscription: { period: { from, until } } });
  clock.advance(DAY_MS);
  await endPeriodOfDemo(app, accountId, "plan");
  expect(await settle()).toEqual(["fulfilled"]);
  expect((await newest())?.period_start).toEqual(clock.now());
  expect(await openPortal(app, accountId, "plan")).toBeNull();
  await expect(endPeriodOfDemo(app, accountId, "membership")).rejects.toMatchObject({ code: "not_found" });
});

test("the audit of all these subscriptions is clean", async () => {
  expect(await auditFindings(app)).toEqual([]);
});
