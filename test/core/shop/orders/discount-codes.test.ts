// Discount codes at checkout: the discount, the reasons of refusals, and the limit of uses under parallel orders.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyCode } from "../../../../core/shop/orders/apply-code.ts";
import { cancelOrder, startCheckout } from "../../../../core/shop/orders/checkout.ts";
import { createCode, endDiscountCode, listCodes, type NewCode } from "../../../../core/shop/orders/codes.ts";
import { findAnyOrder } from "../../../../core/shop/orders/list-orders.ts";
import { refundOrder } from "../../../../core/shop/orders/refunds.ts";
import { orders, type OrderDoc } from "../../../../core/shop/orders/store.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { drawn } from "../../../support/thorough.ts";
import {
  FREE,
  ICONS,
  ICONS_FOR_CLIENTS,
  newBuyer,
  paidEvent,
  place,
  placeAndGo,
  SMALL_PACK,
  tell,
  useShop,
} from "./shop-fixture.ts";

const clock = createFakeClock("2026-05-01T12:00:00Z");
let made = 0;

const world = useShop({ clock });
const { app } = world;

const ANY: Omit<NewCode, "code"> = {
  percent: 20,
  off_cents: null,
  product_slug: null,
  expires_at: null,
  max_uses: null,
  max_uses_each: null,
};

async function newCode(terms: Partial<NewCode> = {}): Promise<string> {
  made += 1;
  return (await createCode(app, { code: `code-${made}`, ...ANY, ...terms })).code;
}

const apply = (order: OrderDoc, code: string) =>
  applyCode(app, order.account_id, { orderId: order._id, code });

const pay = async (order: OrderDoc) => {
  const { _id: orderId, account_id, amount_cents: expectedCents } = await findAnyOrder(app, order._id);
  const { order: going } = await startCheckout(app, account_id, { orderId, expectedCents });
  if (going.state === "placed") await tell(app, paidEvent(app, going));
  return findAnyOrder(app, orderId);
};

const usesOf = async (code: string) => (await listCodes(app)).find((one) => one.code === code)?.uses;

test("a discount code of any case lowers the price, is paid with, and is replaced or removed before", async () => {
  const { accountId } = await newBuyer(app);
  const [part, amount] = [await newCode(), await newCode({ percent: null, off_cents: 500 })];
  const order = await placeAndGo(app, accountId, ICONS, 1900);
  expect((await apply(order, ` ${part.toLowerCase()}\u200b `)).amount_cents).toBe(1520);
  expect((await apply(order, amount)).amount_cents).toBe(1400);
  expect([await usesOf(part), await usesOf(amount)]).toEqual([0, 1]);
  expect((await apply(order, "")).amount_cents).toBe(1900);
  await apply(order, part);
  // An order of the same item is the same order and keeps its code.
  expect((await place(app, accountId, ICONS, 1900))._id).toBe(order._id);
  const paid = await pay(order);
  expect(paid).toMatchObject({ state: "fulfilled", amount_cents: 1520 });
  expect(paid.reductions).toMatchObject([{ kind: "code", code: part, percent: 20, cents: 380 }]);
  await expect(apply(paid, amount)).rejects.toMatchObject({ code: "order_not_payable" });
  expect(await auditFindings(app)).toEqual([]);
});

test("a code that leaves nothing to pay delivers without a payment, and only after the buyer confirms", async () => {
  const { accountId } = await newBuyer(app);
  const order = await place(app, accountId, ICONS, 1900);
  const free = await apply(order, await newCode({ percent: 100 }));
  expect(free).toMatchObject({ state: "placed", amount_cents: 0 });
  const before = world.provider.made.length;
  expect(await pay(free)).toMatchObject({ state: "fulfilled", amount_cents: 0, receipt_number: null });
  expect(world.provider.made.length).toBe(before);
  expect(await auditFindings(app)).toEqual([]);
});

describe("a code is refused with the reason, and the price stays", () => {
  test.each<[string, Partial<NewCode>, Parameters<typeof place>[2], number, RegExp]>([
    [
      "of another product",
      { product_slug: "free-icons" },
      ICONS,
      1900,
      /^The code .* is for another product/,
    ],
    ["for credits", {}, SMALL_PACK, 500, /^Discount codes are for products only\.$/],
  ])("%s", async (_what, terms, wanted, cents, why) => {
    const { accountId } = await newBuyer(app);
    const order = await place(app, accountId, wanted, cents);
    const refused = apply(order, await newCode(terms));
    await expect(refused).rejects.toMatchObject({ code: "invalid_request", issues: [{ path: "code" }] });
    await expect(refused).rejects.toThrow(why);
    expect((await findAnyOrder(app, order._id)).amount_cents).toBe(cents);
  });

  test("that has expired; one that would have is not made", async () => {
    const { accountId } = await newBuyer(app);
    const expires_at = new Date(clock.now().getTime() + 1).toISOString();
    const code = await newCode({ expires_at });
    const order = await place(app, accountId, ICONS, 1900);
    clock.advance(1);
    await expect(apply(order, code)).rejects.toThrow(/^The code .* expired on 1 May 2026\.$/);
    await expect(newCode({ expires_at })).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ path: "expires_at", message: expect.stringContaining("must be in the future") }],
    });
  });

  test("that is unknown, ended, used up, or used by this account before", async () => {
    const [ada, eve] = [await newBuyer(app), await newBuyer(app)];
    const first = await place(app, ada.accountId, ICONS, 1900);
    await expect(apply(first, "nothing")).rejects.toThrow("There is no code NOTHING.");
    const ended = await newCode();
    await endDiscountCode(app, ended);
    await expect(apply(first, ended)).rejects.toThrow(/expired on 1 May 2026/);
    await expect(endDiscountCode(app, ended)).rejects.toThrow(/has ended already/);
    const [once, each] = [await newCode({ max_uses: 1 }), await newCode({ max_uses_each: 1 })];
    await apply(first, once);
    const second = await place(app, eve.accountId, ICONS, 1900);
    await expect(apply(second, once)).rejects.toThrow(/is used up: it was good for one purchase/);
    await cancelOrder(app, ada.accountId, first._id);
    expect((await apply(second, once)).amount_cents).toBe(1520);
    await apply(second, each);
    const other = await place(app, eve.accountId, ICONS_FOR_CLIENTS, 9900);
    await expect(apply(other, each)).rejects.toThrow(/^You have used the code .* already\.$/);
    await expect(applyCode(app, ada.accountId, { orderId: other._id, code: each })).rejects.toMatchObject({
      code: "not_found",
    });
    expect((await place(app, eve.accountId, FREE, 0)).state).toBe("fulfilled");
  });
});

test("the audit reports a use above the limit, one of another product, and one of no code", async () => {
  const { accountId } = await newBuyer(app);
  const [icons, other] = [await newCode({ product_slug: "icons", max_uses: 5 }), await newCode()];
  const order = await apply(await place(app, accountId, ICONS, 1900), icons);
  const codes = app.mongo.db.collection<{ _id: string }>("discount_codes");
  await codes.updateOne({ _id: icons }, { $set: { max_uses: 0, product_id: "prd_other" } });
  expect(await auditFindings(app)).toEqual([
    `code ${icons}: has 1 uses of at most 0`,
    `code ${icons}: order ${order._id} is for another product`,
  ]);
  await codes.deleteOne({ _id: icons });
  expect(await auditFindings(app)).toEqual([`order ${order._id}: has the code ${icons}, which is not there`]);
  expect((await apply(order, other)).amount_cents).toBe(1520);
  expect(await auditFindings(app)).toEqual([]);
});

test("parallel orders get exactly the remaining uses of a code", async () => {
  const code = await newCode({ max_uses: 2 });
  const placed = await Promise.all(
    Array.from({ length: 6 }, async () => place(app, (await newBuyer(app)).accountId, ICONS, 1900)),
  );
  const tried = await Promise.allSettled(placed.map((order) => apply(order, code)));
  expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(await usesOf(code)).toBe(2);
});

test("a code never has more uses than allowed, for any orders, payments, cancellations and refunds", async () => {
  const step = fc.record({
    buyer: fc.nat(2),
    what: fc.constantFrom("apply", "apply", "remove", "pay", "cancel", "refund"),
    isClient: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 14 }),
      fc.integer({ min: 1, max: 3 }),
      async (steps, max) => {
        const code = await newCode({ max_uses: max, max_uses_each: 1 });
        const buyers = await Promise.all([0, 1, 2].map(async () => (await newBuyer(app)).accountId));
        // Two parallel steps, as from two browsers.
        for (let i = 0; i < steps.length; i += 2)
          await Promise.allSettled(
            steps.slice(i, i + 2).map(async ({ buyer, what, isClient }) => {
              const accountId = buyers[buyer] ?? "";
              const wanted = isClient ? ICONS_FOR_CLIENTS : ICONS;
              const order = await place(app, accountId, wanted, isClient ? 9900 : 1900).catch(
                () => undefined,
              );
              const had = order ?? (await orders(app.mongo.db).findOne({ account_id: accountId }));
              if (!had) return;
              if (what === "apply") await apply(had, code);
              if (what === "remove") await apply(had, "");
              if (what === "pay") await pay(had);
              if (what === "cancel") await cancelOrder(app, accountId, had._id);
              if (what === "refund") await refundOrder(app, had._id, "for the test");
            }),
          );
        expect(await usesOf(code)).toBeLessThanOrEqual(max);
        expect(await auditFindings(app)).toEqual([]);
      },
    ),
    { numRuns: drawn(12) },
  );
  // The audit also checks that no account has used a code twice.
  expect(await auditFindings(app)).toEqual([]);
});
