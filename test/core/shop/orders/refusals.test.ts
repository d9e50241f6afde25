// Refusals that a customer of the shop reads: the wrong field, and no advice for operators.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PaymentProviderFailed } from "../../../../core/adapters/payments/provider.ts";
import { allowedFile } from "../../../../core/shop/library/read-product-file.ts";
import { cancelOrder, startCheckout } from "../../../../core/shop/orders/checkout.ts";
import { findOwnOrder, listOrders } from "../../../../core/shop/orders/list-orders.ts";
import type { WantedItem } from "../../../../core/shop/orders/quote.ts";
import { ordersHandlers } from "../../../../core/shop/orders/rpc.ts";
import { cancelSubscription } from "../../../../core/shop/subscriptions/change.ts";
import { ERROR_TABLE, type ErrorCode } from "../../../../proto/codes.ts";
import type { PlaceOrderRequest } from "../../../../proto/types/atelier/v1/PlaceOrderRequest.ts";
import { createTestApp, type TestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { refusalOf } from "../../../support/refusal.ts";
import {
  createShopFixture,
  FREE,
  ICONS,
  newBuyer,
  paidEvent,
  place,
  placeAndGo,
  PLUS,
  PLUS_TIER,
  setProduct,
  type ShopFixture,
  SMALL_PACK,
  takingNoPayments,
  tell,
} from "./shop-fixture.ts";

const clock = createFakeClock("2026-05-01T12:00:00Z");
let world: ShopFixture;
let demo: TestApp;
let app: ShopFixture["app"];
let accountId: string;

beforeAll(async () => {
  [world, demo] = await Promise.all([createShopFixture({ clock }), createTestApp({ clock })]);
  app = world.app;
  await setProduct(app, { slug: "soon", name: "Soon", status: "coming_soon", price_regular_cents: 100 });
  await setProduct(app, { slug: "hidden", name: "Hidden", status: "draft", price_regular_cents: 100 });
});
beforeEach(async () => {
  ({ accountId } = await newBuyer(app));
});
afterAll(async () => {
  await world.close();
  await demo.close();
});

const wants = (wanted: WantedItem, key?: string) => place(app, accountId, wanted, 1900, key);

async function rpc(request: object): Promise<unknown> {
  const call = { caller: { kind: "account", accountId, source: "app" } };
  const { PlaceOrder } = ordersHandlers(app);
  return PlaceOrder(request as PlaceOrderRequest, call as Parameters<typeof PlaceOrder>[1]);
}

async function pressed(action: string, delivery: string): Promise<unknown> {
  const { accountId } = await newBuyer(demo.app);
  const order = await placeAndGo(demo.app, accountId, SMALL_PACK, 500);
  const { PressDemoCheckout } = ordersHandlers(demo.app);
  const call = { caller: { kind: "account", accountId, source: "app" } };
  return PressDemoCheckout(
    { ref: order.provider_ref ?? "", action, delivery } as Parameters<typeof PressDemoCheckout>[0],
    call as Parameters<typeof PressDemoCheckout>[1],
  );
}

test.each<[field: string, ask: () => Promise<unknown>]>([
  ["idempotency_key", () => wants(ICONS, "")],
  ["idempotency_key", () => wants(ICONS, "k".repeat(256))],
  ["licence", () => wants({ ...ICONS, licence: "golden" } as WantedItem)],
  ["wanted", () => rpc({ idempotency_key: "form", expected_cents: 1900 })],
  ["state", () => listOrders(app, { accountId, state: "golden" }, { limit: 10, cursor: "" })],
  ["cursor", () => listOrders(app, { accountId }, { limit: 10, cursor: "golden" })],
  ["action", () => pressed("steal", "once")],
  ["delivery", () => pressed("pay", "never ever")],
])("[SHOP-32] an invalid request names its field in the message: %s", async (field, ask) => {
  const { code, message, issues } = await refusalOf(ask());
  expect(code).toBe("invalid_request");
  expect(issues?.map(({ path }) => path)).toEqual([field]);
  expect(message).toBe(`${field} ${issues?.[0]?.message ?? ""}.`);
});

/** An operator's commands, settings and files, and error codes where people read words. */
const FOR_OPERATORS = /\batelier [a-z]|ATELIER_|npm run|--[a-z]|product export|purchase licence|configur/;
const SHOP_CODES: readonly ErrorCode[] = [
  "product_not_found",
  "not_for_sale",
  "already_owned",
  "price_changed",
  "membership_required",
  "order_not_payable",
  "order_conflict",
  "idempotency_mismatch",
];

async function goWith(why: "away" | "setup" | "refused"): Promise<unknown> {
  const { createCheckout } = world.provider;
  world.provider.createCheckout = () =>
    Promise.reject(new PaymentProviderFailed("it does not accept ATELIER_STRIPE_SECRET_KEY", { why }));
  const going = placeAndGo(app, accountId, ICONS, 1900);
  return going.finally(() => (world.provider.createCheckout = createCheckout));
}

async function over(): Promise<string> {
  const { _id } = await place(app, accountId, SMALL_PACK, 500);
  return (await cancelOrder(app, accountId, _id))._id;
}

async function bought(wanted: WantedItem, cents: number): Promise<string> {
  const order = await placeAndGo(app, accountId, wanted, cents);
  await tell(app, paidEvent(app, order));
  return order._id;
}

const readAsOther = async (id: string) => findOwnOrder(app, (await newBuyer(app)).accountId, id);
const payAsOther = async (orderId: string) =>
  startCheckout(app, (await newBuyer(app)).accountId, { orderId, expectedCents: 1900 });

describe("[SHOP-32] a refusal asks a customer for no step that only an operator can take", () => {
  test.each<[code: ErrorCode, when: string, ask: () => Promise<unknown>]>([
    ["product_not_found", "the product is unknown", () => wants({ ...ICONS, slug: "nowhere" } as WantedItem)],
    ["product_not_found", "the product is a draft", () => wants({ ...ICONS, slug: "hidden" } as WantedItem)],
    ["not_for_sale", "the licence is not offered", () => wants({ ...FREE, licence: "client" } as WantedItem)],
    ["not_for_sale", "the product is announced", () => wants({ ...ICONS, slug: "soon" } as WantedItem)],
    ["not_for_sale", "the pack is unknown", () => wants({ kind: "credits", pack: "huge" })],
    ["not_for_sale", "the plan is unknown", () => wants({ kind: "plan", plan: "huge" })],
    ["not_for_sale", "the plan is free", () => wants({ kind: "plan", plan: "free" })],
    [
      "not_for_sale",
      "the interval is not offered",
      () => wants({ ...PLUS_TIER, interval: "week" } as WantedItem),
    ],
    [
      "not_for_sale",
      "the shop takes no payments",
      () => place(takingNoPayments(app), accountId, ICONS, 1900),
    ],
    ["not_for_sale", "the provider refuses the shop", () => goWith("setup")],
    ["not_for_sale", "the provider refuses the checkout", () => goWith("refused")],
    ["service_unavailable", "the provider is away", () => goWith("away")],
    ["membership_required", "the product is for members", () => place(app, accountId, PLUS, 900)],
    ["price_changed", "the price has changed", () => place(app, accountId, ICONS, 1)],
    [
      "already_owned",
      "the licence is owned",
      async () => {
        await bought(ICONS, 1900);
        return wants(ICONS);
      },
    ],
    [
      "idempotency_mismatch",
      "the form was sent for another item",
      async () => {
        await wants(ICONS, "form");
        return place(app, accountId, SMALL_PACK, 500, "form");
      },
    ],
    [
      "order_not_payable",
      "the order was cancelled",
      async () => startCheckout(app, accountId, { orderId: await over(), expectedCents: 500 }),
    ],
    [
      "order_conflict",
      "the order is paid",
      async () => cancelOrder(app, accountId, await bought(SMALL_PACK, 500)),
    ],
    ["not_found", "the order is another account's", async () => readAsOther((await wants(ICONS))._id)],
    ["not_found", "the order to pay is another account's", async () => payAsOther((await wants(ICONS))._id)],
    ["not_found", "the order is unknown", () => findOwnOrder(app, accountId, "ord_nowhere")],
    ["not_found", "the subscription is unknown", () => cancelSubscription(app, accountId, "plan")],
    ["not_found", "the file is unknown", () => allowedFile(app, accountId, "fil_nowhere")],
  ])("%s: %s", async (code, _when, ask) => {
    const refusal = await refusalOf(ask());
    expect(refusal.code).toBe(code);
    expect(`${refusal.message} ${refusal.hint}`).not.toMatch(FOR_OPERATORS);
  });

  test.each(SHOP_CODES)("%s, in the words of the error table", (code) => {
    const { message, hint } = ERROR_TABLE[code];
    expect(`${message} ${hint}`).not.toMatch(FOR_OPERATORS);
  });
});
