// Orders that are paid through Stripe: the real adapter, a stateful double, and signed events.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deleteAccount } from "../../../../core/operations/privacy/erase-accounts.ts";
import { cancelOrder, startCheckout } from "../../../../core/shop/orders/checkout.ts";
import { findAnyOrder } from "../../../../core/shop/orders/list-orders.ts";
import { checkOpenOrder } from "../../../../core/shop/orders/reconcile.ts";
import { refundOrder, refundPayment } from "../../../../core/shop/orders/refunds.ts";
import type { OrderDoc } from "../../../../core/shop/orders/store.ts";
import { takeEvent } from "../../../../core/shop/orders/take-event.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { sharedByTests } from "../../../support/shared.ts";
import type { StripeEvent } from "../../../support/stripe/things.ts";
import { createStripeFixture, signed, type StripeFixture } from "../../../support/stripe/world.ts";
import {
  ICONS,
  mailKinds,
  newBuyer,
  payingWith,
  placeAndGo,
  type ShopFixture,
  useShop,
} from "./shop-fixture.ts";

const NOW = "2026-05-01T12:00:00.000Z";
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const clock = createFakeClock(NOW);
let app: ShopFixture["app"];
let accountId: string;
let email: string;

const world = useShop({ clock });
const stripe = sharedByTests(() => createStripeFixture(world.app.mongo, { clock }));
beforeAll(async () => {
  app = withStripe(stripe);
});
beforeEach(async () => {
  clock.advance(2 * DAY_MS);
  stripe.syncClocks();
  stripe.double.bank.isDeclining = false;
  stripe.double.failures.length = 0;
  stripe.news();
  ({ accountId, email } = await newBuyer(app));
});

const withStripe = ({ provider }: StripeFixture) => payingWith(world.app, provider);

/** Returns the outcome. */
async function deliver(told: StripeEvent): Promise<string> {
  const { body, headers } = signed(told, { at: clock.now() });
  const event = await stripe.provider.readEvent(Buffer.from(body), headers);
  return (await takeEvent(app, "stripe", event)).what;
}

/** In order of time. */
async function deliverAll(events = stripe.news()): Promise<string[]> {
  const outcomes: string[] = [];
  for (const event of events) outcomes.push(await deliver(event));
  return outcomes;
}

const go = () => placeAndGo(app, accountId, ICONS, 1900);
const now = ({ _id }: OrderDoc) => findAnyOrder(app, _id);
const licences = () =>
  app.mongo.db.collection("licences").countDocuments({ account_id: accountId, revoked_at: null });
const intentOf = async (order: OrderDoc) => (await now(order)).payment_ref ?? "";
const bank = () => stripe.double.bank;
const refOf = (order: OrderDoc) => order.provider_ref ?? "";

async function bought(): Promise<OrderDoc> {
  const order = await go();
  bank().pay(refOf(order));
  await deliverAll();
  return now(order);
}

describe("an order with Stripe", () => {
  test("waits for a bank debit, cannot be paid twice or cancelled meanwhile, and outlives its expiry", async () => {
    const order = await go();
    bank().payLater(refOf(order));
    expect(await deliverAll()).toEqual(["not_ours"]);
    const conflict = (code: string) => ({ code, message: expect.stringContaining("while the bank decides") });
    await expect(
      startCheckout(app, accountId, { orderId: order._id, expectedCents: 1900 }),
    ).rejects.toMatchObject(conflict("order_not_payable"));
    await expect(cancelOrder(app, accountId, order._id)).rejects.toMatchObject(conflict("order_conflict"));
    clock.advance(2 * DAY_MS);
    while (await checkOpenOrder(app));
    expect(await now(order)).toMatchObject({ state: "placed", work: { due_at: expect.any(Date) } });
    bank().bankDecides(refOf(order), true);
    await deliverAll();
    expect((await now(order)).state).toBe("fulfilled");
  });

  test("stores the tax, and compares the price without it", async () => {
    const taxed = await createStripeFixture(world.app.mongo, { clock, tax: true });
    const here = withStripe(taxed);
    const order = await placeAndGo(here, accountId, ICONS, 1900);
    taxed.double.bank.pay(refOf(order));
    clock.advance(2 * MINUTE_MS);
    while (await checkOpenOrder(here));
    expect(await now(order)).toMatchObject({ state: "fulfilled", amount_cents: 1900, tax_cents: 361 });
    expect(await auditFindings(app)).toEqual([]);
    await taxed.close();
  });
});

describe("a payment through Stripe", () => {
  test("is refunded to the card by an operator, and Stripe's event about it changes nothing more", async () => {
    const order = await bought();
    await refundOrder(app, order._id, "It was a mistake.");
    await expect(refundOrder(app, order._id, "Again.")).rejects.toMatchObject({ code: "order_conflict" });
    while (await refundPayment(app));
    const told = stripe.news();
    expect(told.map(({ type }) => type)).toEqual(["charge.refunded"]);
    expect(await deliverAll(told)).toEqual(["noted"]);
    expect(await now(order)).toMatchObject({ state: "refunded", reason: "It was a mistake." });
    expect(await licences()).toBe(0);
    expect((await mailKinds(app, accountId)).toSorted()).toEqual(["order.receipt", "order.refunded"]);
  });

  test("revokes the purchase when refunded in Stripe's Dashboard; a partial refund is only recorded", async () => {
    const order = await bought();
    bank().refundByHand(await intentOf(order), 500);
    expect(await deliverAll()).toEqual(["partly"]);
    const { type, note } = (await now(order)).events.at(-1) ?? {};
    expect([type, note]).toEqual(["noted", "$5 of the payment was refunded."]);
    expect(await licences()).toBe(1);
    bank().refundByHand(await intentOf(order));
    expect(await deliverAll()).toEqual(["refunded"]);
    expect(await licences()).toBe(0);
    expect(await refundPayment(app)).toBe(false);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is refunded once after retries while Stripe is away", async () => {
    const order = await bought();
    await refundOrder(app, order._id, "A mistake.");
    stripe.double.failures.push("closed", "closed");
    while (await refundPayment(app));
    expect(stripe.news()).toEqual([]);
    clock.advance(2 * MINUTE_MS);
    while (await refundPayment(app));
    expect(stripe.news().map(({ type }) => type)).toEqual(["charge.refunded"]);
  });

  test("is refunded when it is for another account's order, which stays", async () => {
    const order = await go();
    const stranger = await newBuyer(app);
    const { ref } = await stripe.provider.createCheckout({
      idempotencyKey: "stranger",
      orderId: order._id,
      accountId: stranger.accountId,
      email: stranger.email,
      items: [{ name: "Icons", amountCents: 1900 }],
      currency: "usd",
      every: "once",
      returnUrl: "http://localhost/",
      expiresAt: new Date(clock.now().getTime() + DAY_MS / 2),
      at: clock.now(),
    });
    bank().pay(ref);
    expect(await deliverAll()).toEqual(["given_back"]);
    while (await refundPayment(app));
    expect(stripe.news().map(({ type }) => type)).toEqual(["charge.refunded"]);
    expect((await now(order)).state).toBe("placed");
    expect(await mailKinds(app, accountId)).toEqual([]);
  });
});

test("a deleted account has no Stripe customer here any more", async () => {
  await go();
  const customers = () =>
    app.mongo.db.collection("stripe_customers").countDocuments({ _id: accountId as never });
  expect(await customers()).toBe(1);
  await deleteAccount(app, accountId, email);
  expect(await customers()).toBe(0);
});
