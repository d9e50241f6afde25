// Subscriptions to plans and memberships: joined, renewed, changed, cancelled, resumed, unpaid and ended, on a real database.
import { beforeEach, describe, expect, test } from "vitest";
import type { PaymentEventBody } from "../../../../core/adapters/payments/provider.ts";
import { NO_WORK } from "../../../../core/base/work/rules.ts";
import { findAccounts, type AccountDoc } from "../../../../core/identity/accounts/store.ts";
import { grantCredits } from "../../../../core/identity/credits/grant.ts";
import { sweepCredits } from "../../../../core/identity/credits/sweep.ts";
import { deleteAccount } from "../../../../core/operations/privacy/erase-accounts.ts";
import { cancelOrder, startCheckout } from "../../../../core/shop/orders/checkout.ts";
import { findAnyOrder } from "../../../../core/shop/orders/list-orders.ts";
import type { WantedItem } from "../../../../core/shop/orders/quote.ts";
import { refundOrder } from "../../../../core/shop/orders/refunds.ts";
import type { OrderDoc } from "../../../../core/shop/orders/store.ts";
import {
  endAnySubscription,
  measureSubscriptions,
} from "../../../../core/shop/subscriptions/any-subscription.ts";
import {
  cancelSubscription,
  dropChange,
  quoteChange,
  resumeSubscription,
} from "../../../../core/shop/subscriptions/change.ts";
import { compareSubscription } from "../../../../core/shop/subscriptions/compare.ts";
import { endDueSubscriptions } from "../../../../core/shop/subscriptions/end-due.ts";
import { findSubscriptions, type SubscriptionDoc } from "../../../../core/shop/subscriptions/store.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import {
  changePlan,
  mailKinds,
  openPerson,
  paidEvent,
  place,
  placeAndGo,
  PLUS_TIER,
  PRO,
  refundAll,
  STUDIO,
  subscriptionOf,
  tell,
  useShop,
} from "../orders/shop-fixture.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const clock = createFakeClock("2026-01-10T12:00:00.000Z");
let accountId: string;
let email: string;

const world = useShop({ clock });
const { app } = world;
beforeEach(async () => {
  // On the tenth of a month, so that periods of accounts and of subscriptions start together.
  const month = new Date(clock.now());
  clock.set(new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 3, 10, 12)));
  world.provider.isAway = false;
  world.provider.told.length = 0;
  ({ accountId, email } = await openPerson(app));
});

const account = async (): Promise<AccountDoc> => {
  const found = (await findAccounts(app.mongo.db, [accountId])).get(accountId);
  if (!found) throw new Error("no account");
  return found;
};
const subscription = () => subscriptionOf(app, accountId);
const mails = () => mailKinds(app, accountId);
/** The provider's requests for this account's subscriptions. */
const told = async () => {
  const own = new Set((await findSubscriptions(app.mongo.db, accountId)).map((each) => each.provider_ref));
  return world.provider.told.filter((call) => own.has((call as { ref: string }).ref));
};
const days = (count: number) => clock.advance(count * DAY_MS);
/** A worker's whole work for subscriptions. */
async function work(): Promise<void> {
  await endDueSubscriptions(app);
  while (await compareSubscription(app));
  await sweepCredits(app);
  await refundAll(app);
}

function joinedEvent(order: OrderDoc): PaymentEventBody {
  const ref = `s_${order._id}`;
  return { ...(paidEvent(app, order) as Extract<PaymentEventBody, { kind: "paid" }>), subscriptionRef: ref };
}

async function join(wanted: WantedItem, cents: number): Promise<OrderDoc> {
  const order = await placeAndGo(app, accountId, wanted, cents);
  expect(await tell(app, joinedEvent(order))).toBe("fulfilled");
  return findAnyOrder(app, order._id);
}

const facts = (of: SubscriptionDoc) => ({ subscriptionRef: of.provider_ref, subscriptionId: of._id });

let renewals = 0;
/** The period after the paid one. */
function renewedEvent(of: SubscriptionDoc, from = of.period_end, cents = of.price_cents): PaymentEventBody {
  renewals += 1;
  const until = new Date(from);
  until.setUTCMonth(until.getUTCMonth() + 1);
  return {
    kind: "renewed",
    ...facts(of),
    payment: {
      ref: `renewal_${renewals}`,
      amountCents: cents,
      taxCents: 0,
      currency: "usd",
      at: clock.now(),
      period: { from, until },
    },
  };
}

describe("a paid plan", () => {
  test("[SUB-02] applies with its credits from the payment until the paid end, and then the free plan", async () => {
    const order = await placeAndGo(app, accountId, PRO, 2_900);
    expect(world.provider.made.at(-1)).toMatchObject({
      every: "month",
      subscriptionId: order._id.replace("ord_", "sub_"),
    });
    expect((await account()).plan).toBe("free");
    expect((await account()).balance).toBe(50);
    expect(await tell(app, joinedEvent(order))).toBe("fulfilled");
    expect(await account()).toMatchObject({ plan: "pro", balance: 2_000 });
    expect(await subscription()).toMatchObject({ state: "active", what: "pro", price_cents: 2_900 });

    await cancelSubscription(app, accountId, "plan");
    expect(await told()).toEqual([{ ref: `s_${order._id}`, when: "period_end" }]);
    days(27);
    await work();
    expect((await account()).plan).toBe("pro");
    clock.set((await subscription()).period_end);
    await work();
    expect((await account()).plan).toBe("free");
    expect(await subscription()).toMatchObject({ state: "ended", due_at: null });
    expect(await mails()).toEqual(["order.receipt", "subscription.cancelled", "subscription.ended"]);
  });

  test("grants its monthly credits once per period, for late and repeated renewals", async () => {
    await join(PRO, 2_900);
    const first = await subscription();
    clock.set(first.period_end);
    await work();
    expect(await account()).toMatchObject({ plan: "pro", balance: 4_000 });
    const second = renewedEvent(first);
    expect(await tell(app, second)).toBe("fulfilled");
    expect(await tell(app, second)).toBe("known");
    expect(await tell(app, renewedEvent(first, first.period_start))).toBe("fulfilled");
    const renewed = await subscription();
    expect(renewed.period_start).toEqual(first.period_end);
    await work();
    expect((await account()).balance).toBe(4_000);
    expect((await mails()).filter((kind) => kind === "order.receipt")).toHaveLength(3);
  });

  test("left and joined again within a period grants no credits twice", async () => {
    const order = await join(PRO, 2_900);
    await refundOrder(app, order._id, "As asked.");
    expect(await account()).toMatchObject({ plan: "free", balance: 50 });
    expect(await told()).toEqual([]);
    await work();
    expect(await told()).toEqual([{ ref: `s_${order._id}`, when: "now" }]);
    await join(PRO, 2_900);
    expect(await account()).toMatchObject({ plan: "pro", balance: 2_000 });
  });

  test("loses the period's remaining credits when refunded, and the rest is recorded", async () => {
    const order = await join(PRO, 2_900);
    await grantCredits(app, { accountId, amount: -450, kind: "adjustment", memo: null, source: "system" });
    expect((await account()).balance).toBe(1_550);
    const refunded = {
      kind: "refunded",
      paymentRef: `pay_${order._id}`,
      amountCents: 2_900,
      isWhole: true,
    } as const;
    expect(await tell(app, refunded)).toBe("refunded");
    const { events, credits_taken_back } = await findAnyOrder(app, order._id);
    expect(credits_taken_back).toBe(1_500);
    expect(events.map(({ note }) => note)).toContain(
      "450 credits had been spent and could not be taken back.",
    );
    expect(await account()).toMatchObject({ plan: "free", balance: 50 });
    await join(PRO, 2_900);
    expect((await account()).balance).toBe(1_550);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("loses only that month's credits when a renewal is refunded, except the free plan's", async () => {
    await join(PRO, 2_900);
    const first = await subscription();
    clock.set(first.period_end);
    const renewed = renewedEvent(first) as Extract<PaymentEventBody, { kind: "renewed" }>;
    await tell(app, renewed);
    await work();
    expect((await account()).balance).toBe(4_000);
    const orders = await app.mongo.db
      .collection<OrderDoc>("orders")
      .find({ account_id: accountId })
      .sort({ _id: -1 })
      .toArray();
    const [renewal] = orders;
    if (!renewal) throw new Error("no renewal");
    const after = await refundOrder(app, renewal._id, "As asked.");
    expect(after.credits_taken_back).toBe(1_950);
    expect(await account()).toMatchObject({ plan: "free", balance: 2_050 });
    const entry = await app.mongo.db
      .collection("ledger")
      .findOne({ account_id: accountId, kind: "adjustment" });
    expect(entry).toMatchObject({
      amount: -1_950,
      memo: `Order ${renewal._id}`,
      grants: [{ amount: 1_950 }],
    });
    // The month before is refunded later: its own credits are taken, those of the free plan stay.
    await refundOrder(app, first._id.replace("sub_", "ord_"), "As asked.");
    expect((await account()).balance).toBe(100);
    expect(await auditFindings(app)).toEqual([]);
    await app.mongo.db
      .collection("orders")
      .updateOne({ _id: renewal._id as never }, { $set: { credits_taken_back: 7 } });
    expect((await auditFindings(app)).join("\n")).toMatch(/its entries come to -1950 credits in place of -7/);
    await app.mongo.db
      .collection("orders")
      .updateOne({ _id: renewal._id as never }, { $set: { credits_taken_back: 1_950 } });
  });

  test("is paid once from two tabs", async () => {
    const one = await placeAndGo(app, accountId, PRO, 2_900);
    const two = await placeAndGo(app, accountId, STUDIO, 9_900);
    const both = await Promise.all([tell(app, joinedEvent(one)), tell(app, joinedEvent(two))]);
    expect(both.toSorted()).toEqual(["fulfilled", "refused"]);
    await work();
    const refused = both[0] === "refused" ? one : two;
    expect(world.provider.refunds).toContain(`pay_${refused._id}`);
    // The second checkout's subscription ends at the provider.
    expect(await told()).toEqual([{ ref: `s_${refused._id}`, when: "now" }]);
    await expect(place(app, accountId, STUDIO, 9_900)).rejects.toMatchObject({ code: "order_conflict" });
    await expect(
      startCheckout(app, accountId, { orderId: one._id, expectedCents: 2_900 }),
    ).rejects.toMatchObject({ code: "order_not_payable" });
  });
});

describe("the renewal of a subscription", () => {
  test("is refused so that it is sent again before its first payment is known, and is not lost", async () => {
    const order = await placeAndGo(app, accountId, PRO, 2_900);
    const early = {
      _id: order._id.replace("ord_", "sub_"),
      provider_ref: `s_${order._id}`,
      period_end: clock.now(),
      price_cents: 2_900,
    } as SubscriptionDoc;
    const renewed = renewedEvent(early, new Date(clock.now().getTime() + 31 * DAY_MS));
    await expect(tell(app, renewed)).rejects.toMatchObject({ code: "service_unavailable" });
    await tell(app, joinedEvent(order));
    expect(await tell(app, renewed)).toBe("fulfilled");
    expect((await subscription()).period_end.getTime()).toBeGreaterThan(clock.now().getTime() + 59 * DAY_MS);
  });

  test("is refunded after the end, and does not start it again", async () => {
    await join(PRO, 2_900);
    const before = await subscription();
    days(32);
    await work();
    days(8);
    await work();
    expect(await subscription()).toMatchObject({ state: "ended" });
    const late = renewedEvent(before);
    expect(await tell(app, late)).toBe("refused");
    await work();
    expect(world.provider.refunds).toContain((late as { payment: { ref: string } }).payment.ref);
    expect((await account()).plan).toBe("free");
  });

  test("is not refunded if its dispute was lost before it was reported", async () => {
    const { _id } = await place(app, accountId, PRO, 2_900);
    await cancelOrder(app, accountId, _id);
    const begun = { _id: `sub_${_id.slice(4)}`, provider_ref: "s_begun", period_end: clock.now() };
    const renewed = renewedEvent(begun as SubscriptionDoc, clock.now(), 2_900);
    const { ref: paymentRef } = (renewed as { payment: { ref: string } }).payment;
    await tell(app, { kind: "dispute_lost", paymentRef });
    expect(await tell(app, renewed)).toBe("given_back");
    await work();
    expect(world.provider.refunds).not.toContain(paymentRef);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is kept for the operator's attention when its subscription is unknown", async () => {
    const stranger = { _id: "sub_NOBODY", provider_ref: "s_x", period_end: clock.now() } as SubscriptionDoc;
    expect(await tell(app, renewedEvent(stranger, clock.now(), 100))).toBe("unclaimed");
    // It does not match another account's provider id either.
    await join(PRO, 2_900);
    const mine = await subscription();
    expect(await tell(app, renewedEvent({ ...mine, provider_ref: "s_other" }))).toBe("given_back");
    expect((await subscription()).events.map(({ type }) => type)).toEqual(["joined"]);
    await app.mongo.db.collection("payments").deleteMany({ state: "unclaimed" });
  });

  test("[SUB-03] leaves seven days with mails when it is missing, and then it ends", async () => {
    await join(PRO, 2_900);
    const first = await subscription();
    clock.set(first.period_end);
    await tell(app, { kind: "renewal_failed", ...facts(first) });
    await tell(app, { kind: "renewal_failed", ...facts(first) });
    expect(await subscription()).toMatchObject({
      state: "past_due",
      grace_until: new Date(first.period_end.getTime() + 7 * DAY_MS),
    });
    days(5);
    await work();
    await work();
    expect((await account()).plan).toBe("pro");
    await expect(changePlan(app, accountId, "studio", 9_900)).rejects.toMatchObject({
      code: "order_conflict",
    });
    days(2);
    await work();
    expect((await account()).plan).toBe("free");
    expect(await told()).toEqual([{ ref: first.provider_ref, when: "now" }]);
    expect(await mails()).toEqual([
      "order.receipt",
      "subscription.payment_failed",
      "subscription.reminded",
      "subscription.ended",
    ]);
  });
});

describe("a change of a subscription", () => {
  const change = (what: string, expectedCents: number) => changePlan(app, accountId, what, expectedCents);

  test("[SUB-03] is immediate with proration to a larger plan, and made once when pressed twice", async () => {
    await join(PRO, 2_900);
    days(15);
    const quote = await quoteChange(app, accountId, { kind: "plan", what: "studio", interval: "month" });
    expect(quote).toMatchObject({ when: "now", name: "Studio plan" });
    expect(quote.dueCents).toBe(9_900 - quote.unusedCents);
    await expect(change("studio", 1)).rejects.toMatchObject({ code: "price_changed" });
    world.provider.paidUntil = new Date(clock.now().getTime() + 30 * DAY_MS);
    const [one, two] = await Promise.allSettled([change("studio", 9_900), change("studio", 9_900)]);
    expect([one.status, two.status]).toContain("fulfilled");
    await work();
    expect(await told()).toHaveLength(1);
    expect(await account()).toMatchObject({ plan: "studio", balance: 10_000 });
    expect(await subscription()).toMatchObject({
      what: "studio",
      price_cents: 9_900,
      period_end: world.provider.paidUntil,
    });
    const of = await subscription();
    const payment = { ref: "c1", amountCents: quote.dueCents, taxCents: 0, currency: "usd", at: clock.now() };
    expect(await tell(app, { kind: "change_paid", ...facts(of), payment })).toBe("fulfilled");
    expect((await subscription()).period_end).toEqual(world.provider.paidUntil);
    expect(await change("pro", 2_900)).toMatchObject({ what: "studio", next_change: { what: "pro" } });
  });

  test("that is paid before it is compared is an order of the new plan, whose credits a refund takes back", async () => {
    await join(PRO, 2_900);
    days(10);
    world.provider.isAway = true;
    const of = await change("studio", 9_900);
    expect(of).toMatchObject({ what: "pro", change: { offer: { what: "studio" } } });
    const payment = { ref: `c_${of._id}`, amountCents: 7_967, taxCents: 0, currency: "usd", at: clock.now() };
    expect(await tell(app, { kind: "change_paid", ...facts(of), payment })).toBe("fulfilled");
    const [order] = await app.mongo.db
      .collection<OrderDoc>("orders")
      .find({ account_id: accountId, "subscription.about": "change" })
      .toArray();
    expect(order?.items).toMatchObject([{ plan: "studio", name: "Change to Studio plan" }]);
    world.provider.isAway = false;
    world.provider.paidUntil = new Date(clock.now().getTime() + 30 * DAY_MS);
    clock.advance(MINUTE_MS);
    await work();
    expect(await account()).toMatchObject({ plan: "studio", balance: 10_000 });
    const { credits_taken_back } = await refundOrder(app, order?._id ?? "", "As asked.");
    expect(credits_taken_back).toBe(8_000);
    expect(await account()).toMatchObject({ plan: "free", balance: 2_000 });
    expect(await auditFindings(app)).toEqual([]);
  });

  test("whose payment is reported during the next change is still an order of its own plan", async () => {
    await join({ kind: "plan", plan: "starter" }, 900);
    days(1);
    world.provider.paidUntil = new Date(clock.now().getTime() + 30 * DAY_MS);
    const of = await change("pro", 2_900);
    const payment = { ref: `d_${of._id}`, amountCents: 2_029, taxCents: 0, currency: "usd", at: clock.now() };
    days(1);
    world.provider.isAway = true;
    await change("studio", 9_900);
    expect(await tell(app, { kind: "change_paid", ...facts(of), payment })).toBe("fulfilled");
    const orders = app.mongo.db.collection<OrderDoc>("orders");
    expect(await orders.findOne({ payment_ref: payment.ref })).toMatchObject({ items: [{ plan: "pro" }] });
  });

  describe("that was withdrawn, and whose call reaches the provider later,", () => {
    /** Its payment; `withdraw` is done before the call arrives. */
    const paidLate = async (withdraw: () => Promise<unknown>) => {
      await join(PRO, 2_900);
      days(1);
      world.provider.isAway = true;
      const of = await change("studio", 9_900);
      await withdraw();
      world.provider.isAway = false;
      clock.advance(MINUTE_MS);
      await work();
      expect((await subscription()).change ?? null).toBeNull();
      const price = { amountCents: 9_900, every: "month" };
      const paidUntil = new Date(clock.now().getTime() + 30 * DAY_MS);
      const there = { hasEnded: false, endsThen: false, paidUntil, price, nextPrice: null };
      world.provider.subscriptions.set(of.provider_ref, there);
      const payment = {
        ref: `e_${of._id}`,
        amountCents: 7_100,
        taxCents: 0,
        currency: "usd",
        at: clock.now(),
      };
      const news = { kind: "change_paid", ...facts(of), payment, priceCents: 9_900 } as const;
      const outcome = await tell(app, news);
      clock.advance(MINUTE_MS);
      await work();
      const orders = app.mongo.db.collection<OrderDoc>("orders");
      return { outcome, order: await orders.findOne({ payment_ref: payment.ref }) };
    };

    test("is an order of the plan that was paid for, and is made", async () => {
      const { outcome, order } = await paidLate(async () => {
        await cancelSubscription(app, accountId, "plan");
        await resumeSubscription(app, accountId, "plan");
      });
      expect([outcome, order?.items]).toMatchObject(["fulfilled", [{ plan: "studio" }]]);
      expect([(await account()).plan, (await subscription()).withdrawn]).toEqual(["studio", []]);
      expect(await auditFindings(app)).toEqual([]);
    });

    test("is refunded if the subscription has ended by then", async () => {
      const { outcome, order } = await paidLate(async () =>
        endAnySubscription(app, (await subscription())._id, ""),
      );
      expect([outcome, order?.state]).toEqual(["refused", "refunded"]);
      expect(world.provider.refunds).toContain(order?.payment_ref);
      expect(await auditFindings(app)).toEqual([]);
    });
  });

  test("[SUB-03] applies at the next period to a smaller plan, and can be dropped before", async () => {
    await join(PRO, 2_900);
    expect(await change("starter", 900)).toMatchObject({ what: "pro", next_change: { what: "starter" } });
    expect(await dropChange(app, accountId, "plan")).toMatchObject({ next_change: null });
    await change("starter", 900);
    expect((await account()).plan).toBe("pro");
    const before = await subscription();
    clock.set(before.period_end);
    await tell(app, renewedEvent(before, before.period_end, 900));
    expect(await account()).toMatchObject({ plan: "starter" });
    expect(await subscription()).toMatchObject({ what: "starter", price_cents: 900, next_change: null });
  });
});

describe("cancelling a subscription", () => {
  test("happens once when pressed twice or in two tabs, and so does resuming", async () => {
    await join(PRO, 2_900);
    await Promise.all([
      cancelSubscription(app, accountId, "plan"),
      cancelSubscription(app, accountId, "plan"),
    ]);
    await Promise.all([
      resumeSubscription(app, accountId, "plan"),
      resumeSubscription(app, accountId, "plan"),
    ]);
    await work();
    expect((await subscription()).events.map(({ type }) => type)).toEqual(["joined", "cancelled", "resumed"]);
    expect((await told()).at(-1)).toMatchObject({ when: "resume" });
    expect(await subscription()).toMatchObject({ state: "active", work: NO_WORK });
  });

  test("is applied when done on the provider's own page, and an unknown subscription cannot be cancelled", async () => {
    await expect(cancelSubscription(app, accountId, "plan")).rejects.toMatchObject({ code: "not_found" });
    await join(PRO, 2_900);
    const of = await subscription();
    clock.advance(MINUTE_MS);
    await tell(app, {
      kind: "subscription_changed",
      ...facts(of),
      paidUntil: of.period_end,
      endsThen: true,
    });
    expect((await subscription()).state).toBe("cancelling");
    await tell(app, { kind: "subscription_ended", ...facts(of) });
    expect((await account()).plan).toBe("free");
  });
});

describe("a paid membership", () => {
  const member = async () => (await account()).membership;

  test("is active while it is paid, and ends automatically without a renewal", async () => {
    await join(PLUS_TIER, 1_500);
    const first = await subscription();
    expect(await member()).toMatchObject({ tier: "plus" });
    await cancelSubscription(app, accountId, "membership");
    expect((await member())?.period_end).toEqual(first.period_end);
    await resumeSubscription(app, accountId, "membership");
    await tell(app, renewedEvent(first));
    const renewed = await subscription();
    expect((await member())?.period_end.getTime()).toBeGreaterThan(renewed.period_end.getTime());
    expect((await member())?.started_at).toEqual(first.period_start);
    await cancelSubscription(app, accountId, "membership");
    clock.set(renewed.period_end);
    expect((await member())?.period_end).toEqual(renewed.period_end);
    await work();
    expect((await subscription()).state).toBe("ended");
    expect((await member())?.period_end).toEqual(renewed.period_end);
  });

  test("is suspended while its payment is disputed, and restored when that is won", async () => {
    const order = await join(PLUS_TIER, 1_500);
    const dispute = (kind: "dispute_opened" | "dispute_won" | "dispute_lost") =>
      tell(app, { kind, paymentRef: `pay_${order._id}` });
    await dispute("dispute_opened");
    expect((await member())?.period_end).toEqual(clock.now());
    expect(await subscription()).toMatchObject({ state: "active", suspended_at: clock.now() });
    days(3);
    await dispute("dispute_won");
    expect((await member())?.period_end.getTime()).toBeGreaterThan(clock.now().getTime());
    expect((await subscription()).suspended_at).toBeNull();
  });

  test("next to a plan is a second subscription", async () => {
    await join(PRO, 2_900);
    await join(PLUS_TIER, 1_500);
    expect((await findSubscriptions(app.mongo.db, accountId)).map(({ kind }) => kind)).toEqual([
      "membership",
      "plan",
    ]);
    const live = await measureSubscriptions(app);
    const own = { kind: "membership", what: "plus", state: "active" };
    expect(live).toContainEqual({ labels: own, value: expect.any(Number) });
  });
});

test("a deleted account is charged no more, also when the provider is away at that moment", async () => {
  await join(PRO, 2_900);
  const of = await subscription();
  world.provider.isAway = true;
  await deleteAccount(app, accountId, email);
  await work();
  expect(await told()).toEqual([]);
  world.provider.isAway = false;
  clock.advance(10 * MINUTE_MS);
  await work();
  expect(await told()).toEqual([{ ref: of.provider_ref, when: "now" }]);
  expect(await subscription()).toMatchObject({ state: "ended", work: NO_WORK });
});

test("the audit of all these subscriptions is clean, and it finds each planted fault", async () => {
  expect(await auditFindings(app)).toEqual([]);
  await join(PRO, 2_900);
  await join(PLUS_TIER, 1_500);
  const [membership, plan] = await findSubscriptions(app.mongo.db, accountId);
  const findings = async (name: string, id: string | undefined, update: object) => {
    const collection = app.mongo.db.collection(name);
    const before = await collection.findOne({ _id: id as never });
    if (!before) throw new Error(`no ${id} in ${name}`);
    await collection.updateOne({ _id: before._id }, update);
    const found = await auditFindings(app);
    await collection.replaceOne({ _id: before._id }, before);
    return found.join("\n");
  };
  expect(await findings("accounts", accountId, { $set: { plan: "studio", turn: null } })).toMatch(
    /of the plan pro, and the account is on studio/,
  );
  expect(await findings("accounts", accountId, { $unset: { membership: "" } })).toMatch(
    /of the tier plus until/,
  );
  expect(await findings("subscriptions", plan?._id, { $set: { due_at: null } })).toMatch(/is not due/);
  const change = { offer: {}, key: "k", is_withdrawn: false };
  expect(await findings("subscriptions", plan?._id, { $set: { change } })).toMatch(
    /is not due at its provider/,
  );
  expect(await findings("subscriptions", plan?._id, { $set: { "events.0.seq": 7 } })).toMatch(
    /not numbered in turn/,
  );
  expect(await findings("subscriptions", plan?._id, { $set: { grace_until: clock.now() } })).toMatch(/grace/);
  expect(
    await findings("orders", membership?._id.replace("sub_", "ord_"), {
      $set: { "subscription.id": "sub_NONE" },
    }),
  ).toMatch(/its subscription is not there/);
  expect(
    await findings("orders", plan?._id.replace("sub_", "ord_"), { $set: { state: "refunded" } }),
  ).toMatch(/is refunded, and its subscription .* goes on/);
  expect(await auditFindings(app)).toEqual([]);
});
