// On no path does an account buy an owned item or have two open orders for the same item.
import { beforeEach, describe, expect, test } from "vitest";
import { getAccount } from "../../../../core/identity/accounts/get-account.ts";
import { grantLicence } from "../../../../core/shop/memberships/licences.ts";
import { cancelOrder, startCheckout } from "../../../../core/shop/orders/checkout.ts";
import { findAnyOrder } from "../../../../core/shop/orders/list-orders.ts";
import { quoteLicences, type WantedItem } from "../../../../core/shop/orders/quote.ts";
import { checkOpenOrder } from "../../../../core/shop/orders/reconcile.ts";
import { refundOrder, refundPayment } from "../../../../core/shop/orders/refunds.ts";
import type { OrderDoc } from "../../../../core/shop/orders/store.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import {
  buy,
  FREE,
  ICONS,
  ICONS_FOR_CLIENTS,
  joinPlus,
  newBuyer,
  paidEvent,
  place,
  placeAndGo,
  PLUS,
  refundAll,
  setProduct,
  SMALL_PACK,
  tell,
  useShop,
} from "./shop-fixture.ts";

const DAY_MS = 24 * 3_600_000;
const clock = createFakeClock("2026-05-01T12:00:00Z");
let accountId: string;

const world = useShop({ clock });
const { app } = world;
beforeEach(async () => {
  ({ accountId } = await newBuyer(app));
});

const setPrice = (cents: number) =>
  setProduct(app, { slug: "icons", name: "Icons", price_regular_cents: cents, client_price_cents: 9900 });

const OWNED = {
  code: "already_owned",
  message:
    "You already have the client licence of Icons, which covers everything that the standard licence allows.",
};

describe("[SHOP-28] the holder of a client licence", () => {
  test("cannot place an order for the standard licence", async () => {
    await buy(app, accountId, ICONS_FOR_CLIENTS, 9900);
    await expect(place(app, accountId, ICONS, 1900)).rejects.toMatchObject(OWNED);
  });

  test("cannot pay for a standard licence that was ordered before", async () => {
    const { _id: orderId } = await place(app, accountId, ICONS, 1900);
    await buy(app, accountId, ICONS_FOR_CLIENTS, 9900);
    await expect(startCheckout(app, accountId, { orderId, expectedCents: 1900 })).rejects.toMatchObject(
      OWNED,
    );
  });

  test("is refunded a payment on a page that was already open", async () => {
    const older = await placeAndGo(app, accountId, ICONS, 1900);
    await buy(app, accountId, ICONS_FOR_CLIENTS, 9900);
    expect(await tell(app, paidEvent(app, older))).toBe("refused");
    expect(await findAnyOrder(app, older._id)).toMatchObject({ state: "refunded", reason: OWNED.message });
  });

  test("does not get the free standard licence either", async () => {
    await grantLicence(app, accountId, { productSlug: "free-icons", kind: "client", source: "grant" });
    await expect(place(app, accountId, FREE, 0)).rejects.toMatchObject({ code: "already_owned" });
  });
});

describe("an upgrade from the standard to the client licence", () => {
  const licence = (orderId: string) =>
    app.mongo.db.collection("licences").findOne({ account_id: accountId, order_id: orderId });
  const isLive = async ({ _id }: OrderDoc) => (await licence(_id))?.["revoked_at"] === null;
  const stateOf = async ({ _id }: OrderDoc) => (await findAnyOrder(app, _id)).state;
  const paymentRef = ({ _id }: OrderDoc) => `pay_${_id}`;
  const upgraded = async () => ({
    base: await buy(app, accountId),
    upgrade: await buy(app, accountId, ICONS_FOR_CLIENTS, 8000),
  });

  test("costs the client licence less the price paid for the standard one", async () => {
    const { base, upgrade } = await upgraded();
    expect(upgrade).toMatchObject({
      state: "fulfilled",
      amount_cents: 8000,
      items: [{ amount_cents: 9900 }],
      reductions: [{ kind: "upgrade", cents: 1900, order_id: base._id }],
    });
    const quotes = await quoteLicences(app, await getAccount(app, accountId), "icons");
    expect(quotes.map(({ refusal }) => refusal?.code)).toEqual(["already_owned", "already_owned"]);
  });

  test("costs more by what the provider has refunded of the standard one, for reports in any order", async () => {
    const order = await placeAndGo(app, accountId, ICONS, 1900);
    const refundedInPart = (amountCents: number) =>
      tell(app, { kind: "refunded", paymentRef: paymentRef(order), amountCents, isWhole: false });
    await refundedInPart(300);
    await tell(app, paidEvent(app, order));
    const price = async () =>
      (await quoteLicences(app, await getAccount(app, accountId), "icons")).map(({ cents }) => cents)[1];
    expect(await price()).toBe(9900 - 1600);
    await refundedInPart(700);
    await refundedInPart(500);
    expect(await price()).toBe(9900 - 1200);
    expect((await buy(app, accountId, ICONS_FOR_CLIENTS, 8700)).state).toBe("fulfilled");
  });

  test("is free where what is left is too little to charge, and the audit expects that", async () => {
    await setProduct(app, {
      slug: "near",
      name: "Near",
      price_regular_cents: 1900,
      client_price_cents: 1930,
    });
    const near: WantedItem = { kind: "product", slug: "near", licence: "standard" };
    await buy(app, accountId, near, 1900);
    expect(await place(app, accountId, { ...near, licence: "client" }, 0)).toMatchObject({
      state: "fulfilled",
    });
    expect(await auditFindings(app)).toEqual([]);
  });

  test("of a gifted licence costs the whole price", async () => {
    await grantLicence(app, accountId, { productSlug: "icons", kind: "standard", source: "grant" });
    expect(await buy(app, accountId, ICONS_FOR_CLIENTS, 9900)).toMatchObject({
      state: "fulfilled",
      reductions: [],
    });
  });

  test("is refunded with the standard licence that it builds on", async () => {
    const { base, upgrade } = await upgraded();
    await refundOrder(app, base._id, "asked for");
    expect([await stateOf(upgrade), await isLive(upgrade), await isLive(base)]).toEqual([
      "refunded",
      false,
      false,
    ]);
    while (await refundPayment(app));
    expect(world.provider.refunds).toEqual(expect.arrayContaining([paymentRef(base), paymentRef(upgrade)]));
  });

  test("is suspended while the payment for the standard licence is disputed", async () => {
    const { base, upgrade } = await upgraded();
    await tell(app, { kind: "dispute_opened", paymentRef: paymentRef(base) });
    expect([await isLive(base), await isLive(upgrade)]).toEqual([false, false]);
    for (const kind of ["dispute_opened", "dispute_won"] as const)
      await tell(app, { kind, paymentRef: paymentRef(upgrade) });
    expect([await isLive(base), await isLive(upgrade)]).toEqual([false, false]);
    await tell(app, { kind: "dispute_won", paymentRef: paymentRef(base) });
    expect([await isLive(base), await isLive(upgrade)]).toEqual([true, true]);
  });

  test("is refunded too if its own payment is disputed when the standard licence is lost", async () => {
    const { base, upgrade } = await upgraded();
    for (const order of [base, upgrade])
      await tell(app, { kind: "dispute_opened", paymentRef: paymentRef(order) });
    await tell(app, { kind: "dispute_lost", paymentRef: paymentRef(base) });
    expect([await stateOf(upgrade), await isLive(upgrade)]).toEqual(["refunded", false]);
    await refundAll(app);
    expect(world.provider.refunds).not.toContain(paymentRef(upgrade));
    await tell(app, { kind: "dispute_won", paymentRef: paymentRef(upgrade) });
    clock.advance(DAY_MS);
    await refundAll(app);
    expect(world.provider.refunds).toContain(paymentRef(upgrade));
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is not refunded again if both disputes are lost: the bank has taken the money", async () => {
    const { base, upgrade } = await upgraded();
    for (const what of ["dispute_opened", "dispute_lost"] as const)
      for (const order of [base, upgrade]) await tell(app, { kind: what, paymentRef: paymentRef(order) });
    clock.advance(DAY_MS);
    await refundAll(app);
    expect(await stateOf(upgrade)).toBe("refunded");
    for (const order of [base, upgrade]) expect(world.provider.refunds).not.toContain(paymentRef(order));
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is refunded when it is paid after the standard licence was refunded", async () => {
    const base = await buy(app, accountId);
    const upgrade = await placeAndGo(app, accountId, ICONS_FOR_CLIENTS, 8000);
    await refundOrder(app, base._id, "asked for");
    expect(await tell(app, paidEvent(app, upgrade))).toBe("refused");
    expect(await findAnyOrder(app, upgrade._id)).toMatchObject({
      state: "refunded",
      reason: "The licence of Icons that this upgrades has ended.",
    });
  });

  test("costs the whole price when the standard licence was refunded before payment", async () => {
    const base = await buy(app, accountId);
    const { _id: orderId } = await place(app, accountId, ICONS_FOR_CLIENTS, 8000);
    await refundOrder(app, base._id, "asked for");
    await expect(startCheckout(app, accountId, { orderId, expectedCents: 8000 })).rejects.toMatchObject({
      code: "price_changed",
      numbers: { amount_cents: 9900 },
    });
    await startCheckout(app, accountId, { orderId, expectedCents: 9900 });
    expect(await findAnyOrder(app, orderId)).toMatchObject({ amount_cents: 9900, reductions: [] });
  });
});

describe("members", () => {
  test("pay their tier's member price while the membership is active", async () => {
    await joinPlus(app, accountId);
    expect(await buy(app, accountId, ICONS, 1520)).toMatchObject({
      state: "fulfilled",
      reductions: [{ kind: "membership", percent: 20, cents: 380 }],
    });
    expect((await buy(app, accountId, PLUS, 720)).state).toBe("fulfilled");
    clock.advance(366 * DAY_MS);
    await expect(place(app, accountId, ICONS_FOR_CLIENTS, 6400)).rejects.toMatchObject({
      code: "price_changed",
      numbers: { amount_cents: 9900 - 1520 },
    });
  });

  test("cannot join a tier without benefits", async () => {
    const basic: WantedItem = { kind: "membership", tier: "basic", interval: "month" };
    await expect(place(app, accountId, basic, 500)).rejects.toMatchObject({ code: "not_for_sale" });
  });
});

describe("an open order for the same item", () => {
  const open = () =>
    app.mongo.db.collection("orders").countDocuments({ account_id: accountId, state: "placed" });

  test("is reused instead of a second one", async () => {
    const first = await place(app, accountId, ICONS, 1900);
    expect((await place(app, accountId, ICONS, 1900))._id).toBe(first._id);
    expect((await place(app, accountId, ICONS_FOR_CLIENTS, 9900))._id).not.toBe(first._id);
    expect(await open()).toBe(2);
  });

  test("[SHOP-29] is reused by parallel forms", async () => {
    const placed = await Promise.all(
      Array.from({ length: 12 }, () => place(app, accountId, SMALL_PACK, 500)),
    );
    expect(new Set(placed.map(({ _id }) => _id)).size).toBe(1);
    expect(await open()).toBe(1);
  });

  test("[SHOP-29] remembers every form that it answered, also once it is paid", async () => {
    const send = (key: string) => place(app, accountId, SMALL_PACK, 500, key);
    const first = await send("first form");
    await Promise.all([send("second form"), send("second form"), send("third form")]);
    const { order } = await startCheckout(app, accountId, { orderId: first._id, expectedCents: 500 });
    await tell(app, paidEvent(app, order));
    for (const key of ["first form", "second form", "third form"])
      expect(await send(key)).toMatchObject({ _id: first._id, state: "fulfilled" });
    expect((await send("fourth form"))._id).not.toBe(first._id);
  });

  test("refuses a form that it answered when it is sent again for another item", async () => {
    await place(app, accountId, ICONS, 1900);
    await place(app, accountId, ICONS, 1900, "second form");
    await expect(place(app, accountId, SMALL_PACK, 500, "second form")).rejects.toMatchObject({
      code: "idempotency_mismatch",
    });
  });

  test("remembers the forms that it answers now, though an earlier release recorded only one", async () => {
    const first = await place(app, accountId, SMALL_PACK, 500, "first form");
    await app.mongo.db
      .collection("orders")
      .updateOne({ _id: first._id as never }, { $unset: { idempotency_keys: "" } });
    await place(app, accountId, SMALL_PACK, 500, "second form");
    await cancelOrder(app, accountId, first._id);
    for (const key of ["first form", "second form"])
      expect(await place(app, accountId, SMALL_PACK, 500, key)).toMatchObject({
        _id: first._id,
        state: "cancelled",
      });
  });

  test("answers at most a thousand forms", async () => {
    const first = await place(app, accountId, SMALL_PACK, 500, "form 1");
    const idempotency_keys = Array.from({ length: 1_000 }, (_, i) => `form ${i + 1}`);
    await app.mongo.db
      .collection("orders")
      .updateOne({ _id: first._id as never }, { $set: { idempotency_keys } });
    expect((await place(app, accountId, SMALL_PACK, 500, "form 1000"))._id).toBe(first._id);
    await expect(place(app, accountId, SMALL_PACK, 500, "form 1001")).rejects.toMatchObject({
      code: "order_conflict",
    });
  });

  test("takes the price seen last, while no payment page with another one is open", async () => {
    const first = await place(app, accountId, ICONS, 1900);
    await setPrice(2500);
    expect(await place(app, accountId, ICONS, 2500)).toMatchObject({ _id: first._id, amount_cents: 2500 });
    const { order } = await startCheckout(app, accountId, { orderId: first._id, expectedCents: 2500 });
    await setPrice(1900);
    expect(await place(app, accountId, ICONS, 1900)).toMatchObject({ _id: first._id, amount_cents: 2500 });
    const again = await startCheckout(app, accountId, { orderId: first._id, expectedCents: 1900 });
    expect(again.order).toMatchObject({ amount_cents: 1900 });
    expect(world.provider.checkouts.get(order.provider_ref ?? "")?.state).toBe("cancelled");
  });

  test.each(["cancelled", "expired", "fulfilled"] as const)(
    "that is %s is replaced by a new one",
    async (how) => {
      const first = await placeAndGo(app, accountId, SMALL_PACK, 500);
      if (how === "cancelled") await cancelOrder(app, accountId, first._id);
      else if (how === "fulfilled") await tell(app, paidEvent(app, first));
      else {
        clock.advance(DAY_MS);
        while (await checkOpenOrder(app));
      }
      expect((await findAnyOrder(app, first._id)).state).toBe(how);
      expect((await place(app, accountId, SMALL_PACK, 500))._id).not.toBe(first._id);
    },
  );

  test("that has expired but was not ended yet is replaced too", async () => {
    const first = await place(app, accountId, SMALL_PACK, 500);
    clock.advance(DAY_MS);
    expect((await place(app, accountId, SMALL_PACK, 500))._id).not.toBe(first._id);
  });
});

test("the refusal of a members' product gives advice that its buyer can follow", async () => {
  await expect(place(app, accountId, PLUS, 900)).rejects.toMatchObject({
    code: "membership_required",
    message: "Plus Icons is for members only: it needs an active membership that includes plus products.",
    hint: "Join or renew the membership at /account/membership, then try again.",
  });
});

test("the audit of all these orders is clean", async () => {
  expect(await auditFindings(app)).toEqual([]);
});
