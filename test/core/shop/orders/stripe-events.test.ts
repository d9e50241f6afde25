// Stripe's signed events about an order in any order, late and repeated: the order ends as Stripe's records say, and grants nothing twice.
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { BadSignature } from "../../../../core/adapters/payments/provider.ts";
import { findAnyOrder } from "../../../../core/shop/orders/list-orders.ts";
import { checkOpenOrder } from "../../../../core/shop/orders/reconcile.ts";
import { refundPayment } from "../../../../core/shop/orders/refunds.ts";
import type { OrderDoc } from "../../../../core/shop/orders/store.ts";
import { takeEvent } from "../../../../core/shop/orders/take-event.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { sharedByTests } from "../../../support/shared.ts";
import type { StripeEvent } from "../../../support/stripe/things.ts";
import { createStripeFixture, signed } from "../../../support/stripe/world.ts";
import { drawn } from "../../../support/thorough.ts";
import {
  ICONS,
  newBuyer,
  payingWith,
  placeAndGo,
  type ShopFixture,
  SMALL_PACK,
  useShop,
} from "./shop-fixture.ts";

const HISTORIES = drawn(60);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const TOLERANCE_MS = 5 * MINUTE_MS;
const clock = createFakeClock("2026-05-01T12:00:00.000Z");
let app: ShopFixture["app"];

const world = useShop({ clock });
const stripe = sharedByTests(() => createStripeFixture(world.app.mongo, { clock }));
beforeAll(async () => {
  app = payingWith(world.app, stripe.provider);
});

/** The actions of buyers and banks for one order, and its final state. */
const LIVES = {
  paid: "fulfilled",
  "paid later": "fulfilled",
  "declined later": "failed",
  "run out": "expired",
  refunded: "refunded",
  "dispute won": "fulfilled",
  "dispute lost": "refunded",
} as const satisfies Record<string, OrderDoc["state"]>;
type Life = keyof typeof LIVES;

async function live(life: Life, { provider_ref }: OrderDoc): Promise<void> {
  const { bank } = stripe.double;
  const ref = provider_ref ?? "";
  if (life === "run out") return bank.timeIsUp(ref);
  if (life === "paid later" || life === "declined later") {
    bank.payLater(ref);
    return bank.bankDecides(ref, life === "paid later");
  }
  bank.pay(ref);
  const { payment } = await stripe.provider.fetchCheckout(ref);
  const intent = payment?.ref ?? "";
  if (life === "refunded") bank.refundByHand(intent);
  if (life !== "dispute won" && life !== "dispute lost") return;
  bank.dispute(intent, "created", "needs_response");
  bank.dispute(intent, "updated", "under_review");
  bank.dispute(intent, "closed", life === "dispute won" ? "won" : "lost");
}

async function deliver(event: StripeEvent): Promise<void> {
  const { body, headers } = signed(event, { at: clock.now() });
  await takeEvent(app, "stripe", await stripe.provider.readEvent(Buffer.from(body), headers));
}

async function expectEnd(order: OrderDoc, life: Life): Promise<void> {
  const after = await findAnyOrder(app, order._id);
  expect([life, after.state]).toEqual([life, LIVES[life]]);
  expect(after.events.filter(({ type }) => type === "fulfilled").length).toBeLessThanOrEqual(1);
  const isHad = LIVES[life] === "fulfilled";
  const { db } = app.mongo;
  if (order.kind === "credits") {
    const account = await db.collection("accounts").findOne({ _id: order.account_id as never });
    expect(account?.["balance"]).toBe(isHad ? 500 : 0);
  } else {
    const live = { account_id: order.account_id, revoked_at: null };
    expect(await db.collection("licences").countDocuments(live)).toBe(isHad ? 1 : 0);
  }
  const kept = await db.collection("payments").countDocuments({ order_id: order._id, state: "kept" });
  expect(kept).toBe(isHad ? 1 : 0);
}

test("an order ends as Stripe's records say, for any order, delays and repeats of events", async () => {
  const delivery = fc.record({
    // A selection of the events, some repeated and some missing.
    which: fc.nat(20),
    waitMs: fc.constantFrom(0, 0, MINUTE_MS, 40 * MINUTE_MS),
    atOnce: fc.boolean(),
  });
  const history = fc.record({
    life: fc.constantFrom(...(Object.keys(LIVES) as Life[])),
    isPack: fc.boolean(),
    deliveries: fc.array(delivery, { maxLength: 10 }),
    order: fc.array(fc.nat(), { minLength: 10, maxLength: 10 }),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ life, isPack, deliveries, order: turns }) => {
      stripe.syncClocks();
      stripe.news();
      const { accountId } = await newBuyer(app);
      const order = await placeAndGo(app, accountId, isPack ? SMALL_PACK : ICONS, isPack ? 500 : 1900);
      await live(life, order);
      const events = stripe.news();
      let underWay: Promise<void>[] = [];
      for (const { which, waitMs, atOnce } of deliveries) {
        const event = events[which % events.length];
        clock.advance(waitMs);
        if (event) underWay.push(deliver(event));
        if (atOnce) continue;
        await Promise.all(underWay);
        underWay = [];
      }
      await Promise.all(underWay);
      // Stripe sends each until it is accepted, in any order.
      const late = events.map((event, number) => ({ event, turn: turns[number] ?? 0 }));
      for (const { event } of late.toSorted((a, b) => a.turn - b.turn)) await deliver(event);
      clock.advance(2 * DAY_MS);
      while (await checkOpenOrder(app));
      while (await refundPayment(app));
      for (const event of [...events, ...stripe.news()]) await deliver(event);
      await expectEnd(order, life);
    }),
    { numRuns: HISTORIES },
  );
  expect(await auditFindings(app)).toEqual([]);
});

test("events that were signed too long ago are refused", async () => {
  const { accountId } = await newBuyer(app);
  stripe.syncClocks();
  const order = await placeAndGo(app, accountId, ICONS, 1900);
  stripe.news();
  stripe.double.bank.pay(order.provider_ref ?? "");
  const [event] = stripe.news();
  const { body, headers } = signed(event ?? {}, { at: clock.now() });
  clock.advance(TOLERANCE_MS + MINUTE_MS);
  await expect(stripe.provider.readEvent(Buffer.from(body), headers)).rejects.toThrow(BadSignature);
  expect((await findAnyOrder(app, order._id)).state).toBe("placed");
});
