// Payment events that are repeated, late, missing or out of order: each order ends in the right state, nothing is granted twice, and the
// audit is clean.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { PaymentEventBody } from "../../../../core/adapters/payments/provider.ts";
import { findAnyOrder } from "../../../../core/shop/orders/list-orders.ts";
import { checkOpenOrder } from "../../../../core/shop/orders/reconcile.ts";
import { refundPayment } from "../../../../core/shop/orders/refunds.ts";
import type { OrderDoc } from "../../../../core/shop/orders/store.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { drawn } from "../../../support/thorough.ts";
import {
  ICONS,
  newBuyer,
  paidEvent,
  payThere,
  placeAndGo,
  SMALL_PACK,
  tell,
  useShop,
} from "./shop-fixture.ts";

const HISTORIES = drawn(60);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const clock = createFakeClock("2026-05-01T12:00:00Z");
let histories = 0;

const world = useShop({ clock });
const { app } = world;

const WORDS = [
  "paid",
  "second",
  "declined",
  "refunded",
  "opened",
  "won",
  "lost",
  "look",
  "send refunds",
] as const;
type Word = (typeof WORDS)[number];

/** The provider's event; a repeat is the same one. */
function newsOf(order: OrderDoc, word: Word): PaymentEventBody | undefined {
  const paymentRef = `pay_${order._id}`;
  const facts = { checkoutRef: order.provider_ref ?? "", orderId: order._id, accountId: order.account_id };
  switch (word) {
    case "paid":
      return paidEvent(app, order);
    case "second":
      return paidEvent(app, order, { ref: `second_${order._id}` });
    case "declined":
      return { kind: "declined", ...facts };
    case "refunded":
      return { kind: "refunded", paymentRef, amountCents: order.amount_cents, isWhole: true };
    case "opened":
    case "won":
    case "lost":
      return { kind: `dispute_${word}`, paymentRef };
    default:
      return undefined;
  }
}

async function say(order: OrderDoc, word: Word, history: number): Promise<void> {
  const news = newsOf(order, word);
  if (news) await tell(app, news, `h${history}_${word}`);
  else if (word === "look") {
    // By then the provider is queried, also about events.
    clock.advance(MINUTE_MS);
    while (await checkOpenOrder(app));
  } else while (await refundPayment(app));
}

test("[SHOP-02] an order ends in the same state for any sequence of payment events", async () => {
  const word = fc.constantFrom(...WORDS);
  const history = fc.record({
    words: fc.array(word, { maxLength: 8 }),
    isPaidThere: fc.boolean(),
    isPack: fc.boolean(),
    atOnce: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ words, isPaidThere, isPack, atOnce }) => {
      histories += 1;
      const number = histories;
      const { accountId } = await newBuyer(app);
      const order = await placeAndGo(app, accountId, isPack ? SMALL_PACK : ICONS, isPack ? 500 : 1900);
      if (isPaidThere) payThere(world, order);
      if (atOnce) await Promise.all(words.map((one) => say(order, one, number)));
      else for (const one of words) await say(order, one, number);
      // Time passes: missing events are queried, and refunds are sent.
      clock.advance(2 * DAY_MS);
      await say(order, "look", number);
      await say(order, "send refunds", number);
      await expectSettled(order, words, isPaidThere);
    }),
    { numRuns: HISTORIES },
  );
  expect(await auditFindings(app)).toEqual([]);
});

async function expectSettled(order: OrderDoc, words: readonly Word[], isPaidThere: boolean): Promise<void> {
  const after = await findAnyOrder(app, order._id);
  expect(["placed", "paid"]).not.toContain(after.state);
  const payments = await app.mongo.db.collection("payments").find({ order_id: order._id }).toArray();
  const given = after.events.filter(({ type }) => type === "fulfilled").length;
  expect(given).toBeLessThanOrEqual(1);
  const kept = payments.filter(({ state }) => state === "kept");
  // A payment ends in a purchase or a refund.
  expect(kept).toHaveLength(after.state === "fulfilled" || after.state === "disputed" ? 1 : 0);
  // A refund only waits while the bank decides about a dispute of its payment.
  const waiting = payments.filter(({ state }) => state === "to_give_back");
  expect(waiting.filter(({ dispute }) => dispute !== "open")).toEqual([]);
  const wasPaid = words.includes("paid") || words.includes("second") || isPaidThere;
  if (!wasPaid) expect([given, payments]).toEqual([0, []]);
  const account = await app.mongo.db.collection("accounts").findOne({ _id: order.account_id as never });
  const isLive = after.state === "fulfilled";
  if (order.kind === "credits") expect(account?.["balance"]).toBe(isLive ? 500 : 0);
  else {
    const live = { account_id: order.account_id, revoked_at: null };
    expect(await app.mongo.db.collection("licences").countDocuments(live)).toBe(isLive ? 1 : 0);
  }
}
