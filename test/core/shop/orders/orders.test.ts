// Orders from placing to the end, with a payment provider's events in any order.
import { beforeEach, describe, expect, test } from "vitest";
import { type Checkout, PaymentProviderFailed } from "../../../../core/adapters/payments/provider.ts";
import { changeBilling } from "../../../../core/identity/accounts/change-settings.ts";
import { endMembership } from "../../../../core/identity/accounts/membership-rules.ts";
import { changeMembership } from "../../../../core/identity/accounts/set-terms.ts";
import { openAccount } from "../../../../core/identity/credits/open-account.ts";
import { deleteAccount } from "../../../../core/operations/privacy/erase-accounts.ts";
import { cancelOrder, startCheckout } from "../../../../core/shop/orders/checkout.ts";
import { findAnyOrder } from "../../../../core/shop/orders/list-orders.ts";
import { checkOpenOrder } from "../../../../core/shop/orders/reconcile.ts";
import { refundOrder, refundPayment } from "../../../../core/shop/orders/refunds.ts";
import { REASONS } from "../../../../core/shop/orders/rules.ts";
import type { OrderDoc } from "../../../../core/shop/orders/store.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { giveCredits } from "../../../support/credits.ts";
import { waitFor } from "../../../support/wait-for.ts";
import {
  buy,
  FREE,
  ICONS,
  joinPlus,
  mailKinds,
  newBuyer,
  paidEvent,
  payThere,
  place,
  placeAndGo,
  PLUS,
  refundAll,
  setProduct,
  SMALL_PACK,
  takingNoPayments,
  tell,
  useShop,
} from "./shop-fixture.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const clock = createFakeClock("2026-05-01T12:00:00.000Z");
let accountId: string;
let email: string;

const world = useShop({ clock });
const { app } = world;
beforeEach(async () => {
  clock.set(new Date(clock.now().getTime() + 2 * DAY_MS));
  world.provider.isAway = false;
  ({ accountId, email } = await newBuyer(app));
});

const collection = (name: string) => app.mongo.db.collection(name);
const licence = () => collection("licences").findOne({ account_id: accountId });
const mails = () => mailKinds(app, accountId);
const balance = async () =>
  (await collection("accounts").findOne({ _id: accountId as never }))?.["balance"] as number;
const payment = (order: OrderDoc) =>
  collection("payments").findOne({ _id: `scripted:pay_${order._id}` as never });
const stateOf = async ({ _id }: OrderDoc) => (await findAnyOrder(app, _id)).state;

async function openedOnHold(): Promise<string> {
  const wanted = { email: `held-${accountId.toLowerCase()}@example.com`, name: "Held", plan: "free" };
  return (await openAccount(app, wanted, { hold: true }))._id;
}

const bought = () => buy(app, accountId);

test("placing an order delivers a free product without a payment page, a receipt number or a provider", async () => {
  const order = await place(takingNoPayments(app), accountId, FREE, 0);
  expect(order).toMatchObject({ state: "fulfilled", receipt_number: null, provider: null });
  expect(await licence()).toMatchObject({
    product_slug: "free-icons",
    order_id: order._id,
    revoked_at: null,
  });
  expect(await mails()).toEqual(["order.free"]);
  await expect(place(app, accountId, FREE, 0)).rejects.toMatchObject({ code: "already_owned" });
});

describe("paying an order", () => {
  test("grants the licence, the receipt and the mail in one transaction", async () => {
    const order = await bought();
    expect(order).toMatchObject({ state: "fulfilled", paid_at: clock.now(), work: { due_at: null } });
    expect(order.receipt_number).toMatch(/^2026-\d{6}$/);
    expect(order.events.map(({ type }) => type)).toEqual(["placed", "paid", "fulfilled"]);
    expect(await licence()).toMatchObject({ kind: "standard", source: "purchase", order_id: order._id });
    expect(await mails()).toEqual(["order.receipt"]);
    expect(await payment(order)).toMatchObject({ state: "kept", amount_cents: 1900 });
  });

  test("grants the credits of a pack as a ledger entry", async () => {
    const order = await buy(app, accountId, SMALL_PACK, 500);
    expect(await balance()).toBe(500);
    expect(await collection("ledger").findOne({ account_id: accountId })).toMatchObject({
      kind: "purchase",
      amount: 500,
      memo: `Order ${order._id}`,
    });
  });

  test("is applied once under parallel events, and receipt numbers have no gaps", async () => {
    const orders = await Promise.all(
      [0, 1, 2, 3].map(async () => {
        const buyer = await newBuyer(app);
        return placeAndGo(app, buyer.accountId, SMALL_PACK, 500);
      }),
    );
    const news = orders.flatMap((order) => [paidEvent(app, order), paidEvent(app, order)]);
    await Promise.all(news.map((one) => tell(app, one)));
    const numbers = await collection("orders").distinct("receipt_number", { receipt_number: { $ne: null } });
    const counted = numbers.map((number) => Number(String(number).slice(5))).toSorted((a, b) => a - b);
    expect(counted).toEqual(counted.map((_number, i) => i + 1));
  });

  test("has an invoice with both sides as they were at the payment; the buyer's is erased with the account", async () => {
    const details = { name: " Ada Ltd ", address: "1 Quay\r\n\r\n Bristol", tax_id: "GB1" };
    await changeBilling(app, accountId, details);
    const order = await bought();
    await changeBilling(app, accountId, { ...details, name: "Later Ltd" });
    const invoice = async () => (await findAnyOrder(app, order._id)).invoice;
    const buyer = { name: "Ada Ltd", address: "1 Quay\nBristol", tax_id: "GB1" };
    expect(await invoice()).toEqual({ seller: "Atelier", buyer });
    await deleteAccount(app, accountId, email);
    await waitFor("the erasure", async () => (await invoice())?.buyer === undefined);
    expect(await invoice()).toEqual({ seller: "Atelier" });
    expect(JSON.stringify(await collection("accounts").findOne({ _id: accountId as never }))).not.toContain(
      "Later Ltd",
    );
  });

  test.each([
    ["another amount", { amountCents: 1 }],
    ["another currency", { currency: "eur" }],
  ])("refuses and refunds a payment with %s", async (_what, fields) => {
    const order = await placeAndGo(app, accountId, ICONS, 1900);
    expect(await tell(app, paidEvent(app, order, fields))).toBe("refused");
    expect(await findAnyOrder(app, order._id)).toMatchObject({ state: "refunded", reason: REASONS.amount });
    expect(await licence()).toBeNull();
    await refundAll(app);
    expect(world.provider.refunds).toContain(`pay_${order._id}`);
    expect(await payment(order)).toMatchObject({ state: "given_back", work: { due_at: null } });
    expect(await mails()).toEqual(["order.given_back"]);
  });

  test("keeps a payment for an unknown order for the operator's attention", async () => {
    const order = await placeAndGo(app, accountId, ICONS, 1900);
    const news = { ...paidEvent(app, order, { ref: "lost" }), orderId: "ord_UNKNOWN" };
    expect(await tell(app, news as never)).toBe("unclaimed");
    expect(await collection("payments").findOne({ _id: "scripted:lost" as never })).toMatchObject({
      state: "unclaimed",
      amount_cents: 1900,
    });
    expect(await stateOf(order)).toBe("placed");
  });

  test("is matched by its checkout when the event has no order id", async () => {
    const order = await placeAndGo(app, accountId, ICONS, 1900);
    expect(await tell(app, { ...paidEvent(app, order), orderId: null, accountId: null } as never)).toBe(
      "fulfilled",
    );
  });

  test("is refunded when the order was cancelled", async () => {
    const cancelled = await placeAndGo(app, accountId, ICONS, 1900);
    expect((await cancelOrder(app, accountId, cancelled._id)).state).toBe("cancelled");
    expect((await cancelOrder(app, accountId, cancelled._id)).state).toBe("cancelled");
    expect(await tell(app, paidEvent(app, cancelled))).toBe("given_back");
    expect(await stateOf(cancelled)).toBe("cancelled");
    expect(await licence()).toBeNull();
  });

  test("checks plus_only again when the payment completes", async () => {
    await joinPlus(app, accountId);
    const order = await placeAndGo(app, accountId, PLUS, 720);
    await changeMembership(app, accountId, (current) => endMembership(current, clock.now()));
    expect(await tell(app, paidEvent(app, order))).toBe("refused");
    expect(await findAnyOrder(app, order._id)).toMatchObject({
      state: "refunded",
      reason: expect.stringContaining("membership"),
    });
    await joinPlus(app, accountId);
    const again = await placeAndGo(app, accountId, PLUS, 720);
    expect(await tell(app, paidEvent(app, again))).toBe("fulfilled");
  });

  test("for the second of two orders for one licence, placed with an earlier release, is refunded", async () => {
    const one = await placeAndGo(app, accountId, ICONS, 1900);
    await collection("orders").updateOne({ _id: one._id as never }, { $unset: { open_for: "" } });
    const two = await placeAndGo(app, accountId, ICONS, 1900);
    const outcomes = await Promise.all([tell(app, paidEvent(app, one)), tell(app, paidEvent(app, two))]);
    expect(outcomes.toSorted()).toEqual(["fulfilled", "refused"]);
    expect(await collection("licences").countDocuments({ account_id: accountId })).toBe(1);
  });

  test("is refunded when the account was closed meanwhile", async () => {
    const order = await placeAndGo(app, accountId, ICONS, 1900);
    await deleteAccount(app, accountId, email);
    // The erasure runs separately, and would remove a refused order's reason first.
    await waitFor("the erasure", async () =>
      Boolean(
        await collection("account_deletions").findOne({ _id: accountId as never, erased_at: { $ne: null } }),
      ),
    );
    expect(await tell(app, paidEvent(app, order))).toBe("refused");
    expect(await findAnyOrder(app, order._id)).toMatchObject({ reason: REASONS.accountGone });
    expect(await mails()).toEqual([]);
  });
});

test("a price that changes before payment is ignored once the buyer was sent to pay", async () => {
  await setProduct(app, { slug: "rising", name: "Rising", price_regular_cents: 1000 });
  const wanted = { kind: "product", slug: "rising", licence: "standard" } as const;
  const order = await placeAndGo(app, accountId, wanted, 1000);
  await setProduct(app, { slug: "rising", price_regular_cents: 5000 });
  expect(await tell(app, paidEvent(app, order))).toBe("fulfilled");
});

describe("going to the payment page", () => {
  test("leads to the same checkout when pressed twice", async () => {
    const order = await placeAndGo(app, accountId, ICONS, 1900);
    const { url } = await startCheckout(app, accountId, { orderId: order._id, expectedCents: 1900 });
    expect(url).toBe(`https://pay.test/${order.provider_ref}`);
    const request = world.provider.made.filter(({ orderId }) => orderId === order._id);
    expect(request).toMatchObject([
      { email, items: [{ amountCents: 1900 }], idempotencyKey: `${order._id}:1` },
    ]);
  });

  test("applies the payment of an order that is paid meanwhile", async () => {
    const order = await placeAndGo(app, accountId, ICONS, 1900);
    payThere(world, order);
    const { order: after, url } = await startCheckout(app, accountId, {
      orderId: order._id,
      expectedCents: 1900,
    });
    expect([after.state, url]).toEqual(["fulfilled", ""]);
    await expect(
      startCheckout(app, accountId, { orderId: order._id, expectedCents: 1900 }),
    ).rejects.toMatchObject({ code: "order_not_payable" });
  });

  test("applies a faster payment when cancelling", async () => {
    const order = await placeAndGo(app, accountId, ICONS, 1900);
    payThere(world, order);
    await expect(cancelOrder(app, accountId, order._id)).rejects.toMatchObject({ code: "order_conflict" });
    expect(await stateOf(order)).toBe("fulfilled");
  });
});

describe("an order without payment events", () => {
  async function checkAll(): Promise<void> {
    while (await checkOpenOrder(app));
  }

  test("is fulfilled at its expiry when it was paid in its last moment", async () => {
    const order = await placeAndGo(app, accountId, ICONS, 1900);
    payThere(world, order);
    clock.advance(DAY_MS);
    await checkAll();
    expect(await stateOf(order)).toBe("fulfilled");
  });

  test("does not expire while the provider is away, because it may be paid", async () => {
    const order = await placeAndGo(app, accountId, ICONS, 1900);
    clock.advance(DAY_MS);
    world.provider.isAway = true;
    await checkAll();
    expect(await stateOf(order)).toBe("placed");
    world.provider.isAway = false;
    payThere(world, order);
    clock.advance(60 * MINUTE_MS);
    await checkAll();
    expect(await stateOf(order)).toBe("fulfilled");
  });

  test("ends at the next query when its account was deleted", async () => {
    const order = await placeAndGo(app, accountId, ICONS, 1900);
    await deleteAccount(app, accountId, email);
    clock.advance(MINUTE_MS);
    await checkAll();
    expect(await stateOf(order)).toBe("expired");
  });
});

test("is not changed by a worker whose lease has ended", async () => {
  const order = await placeAndGo(app, accountId, ICONS, 1900);
  clock.advance(MINUTE_MS);
  const { fetchCheckout } = world.provider;
  const frozen = Promise.withResolvers<Checkout>();
  const asked = Promise.withResolvers<void>();
  world.provider.fetchCheckout = () => {
    asked.resolve();
    return frozen.promise;
  };
  const late = checkOpenOrder(app);
  await asked.promise;
  world.provider.fetchCheckout = fetchCheckout;
  clock.advance(2 * MINUTE_MS);
  expect(await checkOpenOrder(app)).toBe(true);
  const before = await findAnyOrder(app, order._id);
  expect(before).toMatchObject({ state: "placed", work: { owner: null, attempts: 1 } });
  clock.advance(MINUTE_MS);
  frozen.reject(new PaymentProviderFailed("away"));
  await late;
  expect(await findAnyOrder(app, order._id)).toEqual(before);
});

describe("[SHOP-06] a refund of an order", () => {
  test("is not changed by a worker whose lease has ended", async () => {
    const order = await bought();
    await refundOrder(app, order._id, "Ordered by mistake.");
    const { refund } = world.provider;
    const frozen = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    world.provider.refund = () => {
      asked.resolve();
      return frozen.promise;
    };
    const late = refundPayment(app);
    await asked.promise;
    world.provider.refund = refund;
    clock.advance(2 * MINUTE_MS);
    await refundAll(app);
    const before = await payment(order);
    expect(before).toMatchObject({ state: "given_back" });
    frozen.reject(new PaymentProviderFailed("away"));
    await late;
    expect(await payment(order)).toEqual(before);
  });

  test("takes the remaining credits, and records the rest", async () => {
    const order = await buy(app, accountId, SMALL_PACK, 500);
    await giveCredits(app, accountId, -380);
    const after = await refundOrder(app, order._id, "Ordered by mistake.");
    expect(after.credits_taken_back).toBe(120);
    expect(after.events.map(({ note }) => note)).toContain(
      "380 credits had been spent and could not be taken back.",
    );
    expect(await balance()).toBe(0);
  });

  test("leaves held credits and expiring grants", async () => {
    const order = await buy(app, accountId, SMALL_PACK, 500);
    const expiresAt = new Date(clock.now().getTime() + DAY_MS);
    await giveCredits(app, accountId, 40, expiresAt);
    await giveCredits(app, accountId, -490);
    expect((await refundOrder(app, order._id, "Mistake.")).credits_taken_back).toBe(10);
    expect(await balance()).toBe(40);
  });

  test("[SHOP-31] only revokes the licence of a free order, and its mail mentions no payment", async () => {
    const order = await place(app, accountId, FREE, 0);
    expect((await refundOrder(app, order._id, "Not wanted.")).state).toBe("refunded");
    expect((await licence())?.["revoked_at"]).not.toBeNull();
    const sent = await collection("mails").find({ account_id: accountId }).toArray();
    expect(sent).toHaveLength(2);
    for (const { subject, text } of sent)
      expect(`${subject} ${text}`).not.toMatch(/pay|paid|refund|receipt/i);
  });
});

describe("[SHOP-06] a dispute of a payment", () => {
  const disputed = (order: OrderDoc, what: "opened" | "won" | "lost") =>
    tell(app, { kind: `dispute_${what}`, paymentRef: `pay_${order._id}` });

  test("suspends the licence until it is won", async () => {
    const order = await bought();
    expect(await disputed(order, "opened")).toBe("disputed");
    expect((await licence())?.["revoked_at"]).not.toBeNull();
    expect(await disputed(order, "opened")).toBe("noted");
    await expect(refundOrder(app, order._id, "No.")).rejects.toMatchObject({ code: "order_conflict" });
    expect(await disputed(order, "won")).toBe("fulfilled");
    expect(await licence()).toMatchObject({ revoked_at: null });
    expect((await mails()).toSorted()).toEqual(["order.disputed", "order.receipt"]);
  });

  test("takes the remaining credits, and restores them when it is won", async () => {
    const order = await buy(app, accountId, SMALL_PACK, 500);
    await giveCredits(app, accountId, -100);
    await disputed(order, "opened");
    expect(await balance()).toBe(0);
    await disputed(order, "won");
    expect(await balance()).toBe(400);
  });

  test("restores no credits when it is won after the account was deleted", async () => {
    const order = await buy(app, accountId, SMALL_PACK, 500);
    await disputed(order, "opened");
    await deleteAccount(app, accountId, email);
    expect(await disputed(order, "won")).toBe("fulfilled");
    expect(await findAnyOrder(app, order._id)).toMatchObject({ credits_taken_back: 500 });
    expect(await auditFindings(app)).toEqual([]);
  });
});

test("the audit of all these orders is clean", async () => {
  expect(await auditFindings(app)).toEqual([]);
});

describe("welcome credits on hold", () => {
  const BOUGHT = 500;
  const WELCOME = 50;

  test("are granted with the first paid order, once", async () => {
    accountId = await openedOnHold();
    expect(await balance()).toBe(0);
    for (const expected of [BOUGHT + WELCOME, 2 * BOUGHT + WELCOME]) {
      await buy(app, accountId, SMALL_PACK, 500);
      expect(await balance()).toBe(expected);
    }
    expect(await auditFindings(app)).toEqual([]);
  });

  test("are not granted with a free order", async () => {
    accountId = await openedOnHold();
    await place(app, accountId, FREE, 0);
    expect(await balance()).toBe(0);
  });
});
