// Routes of /account/orders.
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import { AppError } from "../../../proto/codes.ts";
import { libraryLicenceSchema } from "../../../proto/resources/library.ts";
import { type OrderResource, orderSchema } from "../../../proto/resources/order.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { pageQuery } from "../../http/query.ts";
import { sendAccountPage } from "../account/account-frame.ts";
import { personCall } from "../session/current-person.ts";
import { invoiceView } from "./invoice-page.ts";
import { titleOf } from "./order-words.ts";
import { orderView, ordersList } from "./orders-page.ts";
import { ORDERS_PATH } from "./shop-paths.ts";
import { liveOf, readSubscriptions } from "./subscriptions.ts";

const PAGE_SIZE = 25;
/** More than an account can have of one product. */
const MAX_LICENCES = 20;
const params = z.object({ order_id: z.string().max(64) });
const cursorQuery = z.object({ cursor: pageQuery.cursor });
export function orderPages(app: GatewayApp, { core }: GatewayOptions): void {
  async function licenceOf(order: OrderResource, request: FastifyRequest) {
    const product_id = order.items[0]?.product_id ?? "";
    if (order.state !== "fulfilled" || product_id === "") return undefined;
    const { licences } = await core.library.ListLibrary(
      { product_id, limit: MAX_LICENCES },
      personCall(request),
    );
    return fromMessages(libraryLicenceSchema, licences).find(
      ({ order_id, status }) => order_id === order.order_id && status === "active",
    );
  }

  async function subscriptionOf({ kind, terms }: OrderResource, request: FastifyRequest) {
    if (!terms || (kind !== "plan" && kind !== "membership")) return undefined;
    return liveOf(await readSubscriptions(core, request), kind);
  }

  app.get(ORDERS_PATH, { schema: { querystring: cursorQuery } }, async (request, reply) => {
    const { cursor = "" } = request.query;
    const page = await core.orders.ListOrders({ limit: PAGE_SIZE, cursor }, personCall(request));
    const body = ordersList(fromMessages(orderSchema, page.orders), page.next_cursor);
    return sendAccountPage(reply, { path: ORDERS_PATH, title: "Orders", body });
  });

  app.get(`${ORDERS_PATH}/:order_id`, { schema: { params } }, async (request, reply) => {
    const order = fromMessage(orderSchema, await core.orders.GetOrder(request.params, personCall(request)));
    const [licence, subscription] = await Promise.all([
      licenceOf(order, request),
      subscriptionOf(order, request),
    ]);
    const body = orderView(request.person, order, { licence, subscription, now: new Date() });
    return sendAccountPage(reply, { path: ORDERS_PATH, title: titleOf(order), body, styles: ["shop.css"] });
  });

  app.get(`${ORDERS_PATH}/:order_id/invoice`, { schema: { params } }, async (request, reply) => {
    const order = fromMessage(orderSchema, await core.orders.GetOrder(request.params, personCall(request)));
    if (order.receipt_number === null) throw new AppError("not_found");
    const body = invoiceView(request.person, order);
    const title = `Invoice ${order.receipt_number}`;
    return sendAccountPage(reply, { path: ORDERS_PATH, title, body, styles: ["shop.css"] });
  });
}
