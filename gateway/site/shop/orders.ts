// Routes of /account/orders.
import { z } from "zod";
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import { orderSchema } from "../../../proto/resources/order.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { pageQuery } from "../../http/query.ts";
import { sendAccountPage } from "../account/account-frame.ts";
import { personCall } from "../session/current-person.ts";
import { orderView, ordersList } from "./orders-page.ts";
import { titleOf } from "./order-words.ts";
import { ORDERS_PATH } from "./shop-paths.ts";

const PAGE_SIZE = 25;
const params = z.object({ order_id: z.string().max(64) });
const cursorQuery = z.object({ cursor: pageQuery.cursor });
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
