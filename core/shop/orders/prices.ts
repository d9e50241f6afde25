// The prices at which credits of orders were bought.
import { withoutPrefix } from "../../../runtime/clock.ts";
import type { App } from "../../kernel/app.ts";
import { findOrders } from "./store.ts";

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
