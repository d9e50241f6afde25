// The validity and the discount of a code. This file is pure.
import { LICENCE_KINDS } from "../../../proto/resources/membership.ts";
import type { OrderItemResource } from "../../../proto/resources/order.ts";
import type { CodeUse, DiscountCodeDoc, Uses } from "./store-codes.ts";

/** As codes are stored: people type them in any case, or copy them with invisible characters. */
export function codeName(typed: string): string {
  return typed
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .trim()
    .toUpperCase();
}

/** Why this order cannot have the code, as a sentence for its buyer; undefined if it can. `uses` are those of other orders. */
export function codeRefusal(
  code: DiscountCodeDoc,
  { item, uses, at }: { item: OrderItemResource; uses: Uses; at: Date },
): string | undefined {
  const { _id: name, expires_at: expires, max_uses: max, max_uses_each: maxEach } = code;
  if (expires && expires <= at) {
    const day = expires.toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
    return `The code ${name} expired on ${day}.`;
  }
  if (!LICENCE_KINDS.some((kind) => kind === item.licence)) return "Discount codes are for products only.";
  if (code.product_id !== null && code.product_id !== item.product_id)
    return `The code ${name} is for another product.`;
  if (maxEach !== null && uses.byAccount >= maxEach)
    return maxEach === 1
      ? `You have used the code ${name} already.`
      : `You have used the code ${name} ${maxEach} times, which is its limit.`;
  if (max !== null && uses.total >= max)
    return `The code ${name} is used up: it was good for ${max === 1 ? "one purchase" : `${max} purchases`}.`;
  return undefined;
}

/** The faults in the uses of codes; codes never change except for their end. */
export function checkCodeUses(codes: readonly DiscountCodeDoc[], uses: readonly CodeUse[]): string[] {
  const wrong: string[] = [];
  const byCode = Map.groupBy(uses, ({ code }) => code);
  for (const { _id, max_uses, max_uses_each, product_id, percent, off_cents } of codes) {
    const used = byCode.get(_id) ?? [];
    byCode.delete(_id);
    if (max_uses !== null && used.length > max_uses)
      wrong.push(`code ${_id}: has ${used.length} uses of at most ${max_uses}`);
    for (const [account, own] of Map.groupBy(used, ({ account_id }) => account_id))
      if (max_uses_each !== null && own.length > max_uses_each)
        wrong.push(`code ${_id}: has ${own.length} uses of at most ${max_uses_each} by account ${account}`);
    for (const use of used) {
      if (product_id !== null && use.product_id !== product_id)
        wrong.push(`code ${_id}: order ${use.order_id} is for another product`);
      if (use.percent !== percent || use.off_cents !== off_cents)
        wrong.push(`code ${_id}: order ${use.order_id} has other terms than the code`);
    }
  }
  for (const [name, used] of byCode)
    for (const { order_id } of used)
      wrong.push(`order ${order_id}: has the code ${name}, which is not there`);
  return wrong;
}
