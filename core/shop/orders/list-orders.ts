// Orders as their owner and operators find them.
import { encodeTime } from "ulid";
import { AppError, oneOf } from "../../../proto/codes.ts";
import { ORDER_STATES } from "../../../proto/resources/order.ts";
import { withoutPrefix } from "../../../runtime/clock.ts";
import type { App } from "../../kernel/app.ts";
import { type Page, pageById, type PageRequest } from "../../kernel/page.ts";
import { moneyOf, ordersNumbered } from "./rules.ts";
import { findNumbered, findOrder, findOrders, findOrdersSince, type OrderDoc } from "./store.ts";

/** Of an account's newest orders, for its inbox. */
const MAX_READ = 100;

/** Throws not_found, also for an order of someone else. */
export async function findOwnOrder(app: App, accountId: string, orderId: string): Promise<OrderDoc> {
  const order = await findOrder(app.mongo.db, orderId);
  if (order?.account_id === accountId) return order;
  throw orderNotFound();
}

export async function findAnyOrder(app: App, orderId: string): Promise<OrderDoc> {
  const order = await findOrder(app.mongo.db, orderId);
  if (order) return order;
  throw orderNotFound();
}

/** Newest first; of one account, or of all. An empty state is any. Throws invalid_request. */
export async function listOrders(
  app: App,
  { accountId, state = "" }: { accountId?: string; state?: string },
  request: PageRequest,
): Promise<Page<OrderDoc>> {
  const wanted = state === "" ? undefined : oneOf("state", ORDER_STATES, state);
  return pageById(request, (beforeId, limit) =>
    findOrders(app.mongo.db, { accountId, state: wanted, beforeId }, limit),
  );
}

/** Payments and refunds after `since`, each with its order. */
export async function listMoney(
  app: App,
  accountId: string,
  since: Date,
): Promise<{ order: OrderDoc; kind: "receipt" | "refund"; at: Date }[]> {
  const found = await findOrdersSince(app.mongo.db, accountId, { since, maxRead: MAX_READ });
  return found.flatMap((order) => {
    const money = moneyOf(order);
    return money && money.at > since ? [{ order, ...money }] : [];
  });
}

/** The order that people mean by its number or its receipt's, of one account or of all. Undefined if there is none. */
export async function orderByNumber(
  { mongo }: Pick<App, "mongo">,
  number: string,
  accountId?: string,
): Promise<OrderDoc | undefined> {
  const sought = ordersNumbered(number);
  if (!sought) return undefined;
  const { from, to, ...either } = sought;
  const ids = { from: `ord_${encodeTime(from)}`, to: `ord_${encodeTime(to)}` };
  return (await findNumbered(mongo.db, { ...ids, ...either, accountId })) ?? undefined;
}

function orderNotFound(): AppError {
  return new AppError("not_found", {
    message: "There is no such order.",
    hint: "Use an order_id from the list of orders.",
  });
}

const ORDERS_PER_BATCH = 500;

/** The orders of credits of an account, by the part of the order's id that entries carry: the price before tax and the credits. */
export async function pricesOfOrders(
  { mongo }: Pick<App, "mongo">,
  accountId: string,
): Promise<Map<string, { cents: number; credits: number }>> {
  const prices = new Map<string, { cents: number; credits: number }>();
  for (let beforeId: string | undefined; ;) {
    const page = await findOrders(mongo.db, { accountId, beforeId }, ORDERS_PER_BATCH);
    for (const { _id, kind, amount_cents: cents, items } of page) {
      const credits = items[0]?.credits;
      if (kind === "credits" && credits) prices.set(withoutPrefix(_id), { cents, credits });
    }
    beforeId = page.at(-1)?._id;
    if (page.length < ORDERS_PER_BATCH) return prices;
  }
}
