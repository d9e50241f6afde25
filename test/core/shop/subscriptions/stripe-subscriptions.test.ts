// A plan that is paid through Stripe: the real adapter, a stateful double, and signed events.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findAccounts } from "../../../../core/identity/accounts/store.ts";
import type { OrderDoc } from "../../../../core/shop/orders/store.ts";
import { takeEvent } from "../../../../core/shop/orders/take-event.ts";
import {
  cancelSubscription,
  openPortal,
  quoteChange,
  resumeSubscription,
} from "../../../../core/shop/subscriptions/change.ts";
import { compareSubscription } from "../../../../core/shop/subscriptions/compare.ts";
import { endDueSubscriptions } from "../../../../core/shop/subscriptions/end-due.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { createStripeFixture } from "../../../support/stripe/world.ts";
import {
  changePlan,
  openPerson,
  payingWith,
  placeAndGo,
  PRO,
  refundAll,
  type ShopFixture,
  subscriptionOf,
  useShop,
} from "../orders/shop-fixture.ts";

const clock = createFakeClock("2026-01-10T12:00:00.000Z");
let app: ShopFixture["app"];
let accountId: string;

const world = useShop({ clock });
const stripe = sharedByTests(() => createStripeFixture(world.app.mongo, { clock }));
beforeAll(async () => {
  app = payingWith(world.app, stripe.provider);
});
beforeEach(async () => {
  clock.advance(86_400_000);
  stripe.syncClocks();
  stripe.double.bank.isDeclining = false;
  stripe.news();
  ({ accountId } = await openPerson(app));
});

const plan = async () => (await findAccounts(app.mongo.db, [accountId])).get(accountId)?.plan;
const subscription = () => subscriptionOf(app, accountId);

/** Stripe sends all its events, and a worker does the due work. */
async function goOn(): Promise<void> {
  for (const event of stripe.news()) await takeEvent(app, "stripe", await stripe.read(event));
  await endDueSubscriptions(app);
  while (await compareSubscription(app));
  await refundAll(app);
}

async function join(): Promise<string> {
  const order = await placeAndGo(app, accountId, PRO, 2_900);
  stripe.double.bank.pay(order.provider_ref ?? "");
  await goOn();
  return (await subscription()).provider_ref;
}

/** Ends the period at Stripe and in the service. */
async function nextPeriod(ref: string): Promise<void> {
  stripe.double.bank.renew(ref);
  clock.set(new Date(stripe.double.bank.clock.now * 1000));
  await goOn();
}

describe("a plan through Stripe", () => {
  test("is joined, renewed, cancelled, resumed, cancelled again, kept until the period's end, and ended", async () => {
    const ref = await join();
    expect([await plan(), (await subscription()).state]).toEqual(["pro", "active"]);
    const first = await subscription();
    await nextPeriod(ref);
    expect((await subscription()).period_start).toEqual(first.period_end);
    await cancelSubscription(app, accountId, "plan");
    await goOn();
    expect(stripe.double.bank.subscription(ref).cancel_at_period_end).toBe(true);
    await resumeSubscription(app, accountId, "plan");
    await goOn();
    expect(stripe.double.bank.subscription(ref).cancel_at_period_end).toBe(false);
    await cancelSubscription(app, accountId, "plan");
    await goOn();
    expect(await plan()).toBe("pro");
    await nextPeriod(ref);
    expect([await plan(), (await subscription()).state]).toEqual(["free", "ended"]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is upgraded immediately, and downgraded at the next period", async () => {
    const ref = await join();
    await changePlan(app, accountId, "studio", 9_900);
    await goOn();
    expect(await plan()).toBe("studio");
    expect(stripe.double.bank.subscription(ref).items.data[0].price.unit_amount).toBe(9_900);
    await changePlan(app, accountId, "starter", 900);
    await goOn();
    expect(await plan()).toBe("studio");
    await nextPeriod(ref);
    expect(await plan()).toBe("starter");
    expect(stripe.double.bank.subscription(ref).items.data[0].price.unit_amount).toBe(900);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is upgraded for the amount and until the day that were shown before", async () => {
    await join();
    clock.advance(10 * 86_400_000);
    stripe.syncClocks();
    const quote = await quoteChange(app, accountId, { kind: "plan", what: "studio", interval: "month" });
    await changePlan(app, accountId, "studio", 9_900);
    await goOn();
    const [order] = await app.mongo.db
      .collection<OrderDoc>("orders")
      .find({ account_id: accountId, "subscription.about": "change" })
      .toArray();
    expect(Math.abs((order?.amount_cents ?? 0) - quote.dueCents)).toBeLessThanOrEqual(1);
    const { period_end } = await subscription();
    expect(Math.abs(period_end.getTime() - quote.renewsAt.getTime())).toBeLessThan(2_000);
    expect(order?.subscription?.period?.until).toEqual(period_end);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is not changed when the card is declined, and the change can be tried again", async () => {
    await join();
    stripe.double.bank.isDeclining = true;
    const declined = await changePlan(app, accountId, "studio", 9_900);
    expect(declined.events.at(-1)?.note).toMatch(/declined/);
    await goOn();
    expect([await plan(), (await subscription()).price_cents]).toEqual(["pro", 2_900]);
    stripe.double.bank.isDeclining = false;
    expect(await changePlan(app, accountId, "studio", 9_900)).toMatchObject({ what: "studio" });
  });

  test("is kept while Stripe retries a declined card, and continues when it is paid", async () => {
    const ref = await join();
    stripe.double.bank.isDeclining = true;
    await nextPeriod(ref);
    expect([await plan(), (await subscription()).state]).toEqual(["pro", "past_due"]);
    stripe.double.bank.isDeclining = false;
    stripe.double.bank.payOverdue(ref);
    await goOn();
    expect((await subscription()).state).toBe("active");
  });

  test("has a Stripe portal for its card", async () => {
    await join();
    expect(await openPortal(app, accountId, "plan")).toMatch(/^https:\/\/billing\.stripe\.test\//);
  });
});
