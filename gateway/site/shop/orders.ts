// Routes of /account/orders, and the same with ordering and paying as JSON under /account/api.
import { z } from "zod";
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import { creditPackSchema, orderSchema } from "../../../proto/resources/order.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { toList, toResult } from "../../answers/result.ts";
import { pageQuery } from "../../http/query.ts";
import { sendAccountPage } from "../account/account-frame.ts";
import { personCall } from "../session/current-person.ts";
import { NOT_SEEN, toMessage } from "./checkout.ts";
import { orderView, ordersList } from "./orders-page.ts";
import { titleOf } from "./order-words.ts";
import { ORDERS_PATH } from "./shop-paths.ts";

const PAGE_SIZE = 25;
const params = z.object({ order_id: z.string().max(64) });
const cursorQuery = z.object({ cursor: pageQuery.cursor });
const cents = z.number().int().min(0);
/** Core says what can be bought; here it is only the shape. */
const newOrder = z.union([
  z.strictObject({
    idempotency_key: z.string(),
    expected_cents: cents,
    product: z.string(),
    licence: z.string(),
  }),
  z.strictObject({ idempotency_key: z.string(), expected_cents: cents, pack: z.string() }),
  z.strictObject({ idempotency_key: z.string(), expected_cents: cents, plan: z.string() }),
  z.strictObject({
    idempotency_key: z.string(),
    expected_cents: cents,
    tier: z.string(),
    interval: z.enum(["month", "year"]),
  }),
]);
const seen = z.strictObject({ expected_cents: cents.default(NOT_SEEN) });

export function orderPages(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(ORDERS_PATH, { schema: { querystring: cursorQuery } }, async (request, reply) => {
    const { cursor = "" } = request.query;
    const page = await core.orders.ListOrders({ limit: PAGE_SIZE, cursor }, personCall(request));
    const body = ordersList(fromMessages(orderSchema, page.orders), page.next_cursor);
    return sendAccountPage(reply, { path: ORDERS_PATH, title: "Orders", body });
  });

  app.get(`${ORDERS_PATH}/:order_id`, { schema: { params } }, async (request, reply) => {
    const order = fromMessage(orderSchema, await core.orders.GetOrder(request.params, personCall(request)));
    const body = orderView(request.person, order);
    return sendAccountPage(reply, { path: ORDERS_PATH, title: titleOf(order), body, styles: ["shop.css"] });
  });
}

export function orderJson(app: GatewayApp, { core }: GatewayOptions): void {
  app.get("/account/api/shop", async () => {
    const [{ payments }, { packs }] = await Promise.all([
      core.orders.DescribeShop({}),
      core.orders.ListPacks({}),
    ]);
    return toResult({ payments: payments || null, packs: fromMessages(creditPackSchema, packs) });
  });

  app.get("/account/api/orders", { schema: { querystring: z.object(pageQuery) } }, async (request) => {
    const { limit, cursor = "" } = request.query;
    const page = await core.orders.ListOrders({ limit, cursor }, personCall(request));
    return toList(fromMessages(orderSchema, page.orders), page.next_cursor);
  });

  app.get("/account/api/orders/:order_id", { schema: { params } }, async (request) => {
    const order = await core.orders.GetOrder(request.params, personCall(request));
    return toResult(fromMessage(orderSchema, order));
  });

  app.post("/account/api/orders", { schema: { body: newOrder } }, async (request, reply) => {
    const { idempotency_key, expected_cents, ...wanted } = request.body;
    const order = await core.orders.PlaceOrder(
      { idempotency_key, expected_cents, ...toMessage(wanted) },
      personCall(request),
    );
    return reply.code(201).send(toResult(fromMessage(orderSchema, order)));
  });

  app.post("/account/api/orders/:order_id/checkout", { schema: { params, body: seen } }, async (request) => {
    const { order, url } = await core.orders.StartCheckout(
      { ...request.params, ...request.body },
      personCall(request),
    );
    if (!order) throw new Error("core began a checkout and did not say of what");
    return toResult({ order: fromMessage(orderSchema, order), url: url || null });
  });

  app.post(
    "/account/api/orders/:order_id/cancel",
    { schema: { params }, config: { bodyOptional: true } },
    async (request) => {
      const order = await core.orders.CancelOrder(request.params, personCall(request));
      return toResult(fromMessage(orderSchema, order));
    },
  );
}
