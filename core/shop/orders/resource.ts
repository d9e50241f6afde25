// Orders and packs as clients see them.
import { toMessage } from "../../../proto/codec.ts";
import { type CreditPackResource, type OrderResource, orderSchema } from "../../../proto/resources/order.ts";
import type { OrderInput } from "../../../proto/types/atelier/v1/Order.ts";
import { orderNumber } from "./rules.ts";
import type { CreditPackDoc, OrderDoc } from "./store.ts";

export function toOrder(order: OrderDoc): OrderResource {
  const { kind, state, items, currency, amount_cents, tax_cents, provider, receipt_number, reason } = order;
  return {
    order_id: order._id,
    number: orderNumber(order),
    kind,
    state,
    items,
    currency,
    amount_cents,
    tax_cents,
    provider,
    receipt_number,
    reason,
    created_at: order.created_at.toISOString(),
    paid_at: order.paid_at?.toISOString() ?? null,
    expires_at: order.expires_at.toISOString(),
    events: order.events.map(({ seq, type, at, note }) => ({ seq, type, at: at.toISOString(), note })),
  };
}

/** With what operators see beside it. */
export function orderMessage(order: OrderDoc): OrderInput {
  return toMessage(orderSchema, toOrder(order), {
    account_id: order.account_id,
    provider_ref: order.provider_ref ?? "",
    payment_ref: order.payment_ref ?? "",
  });
}

export function toPack({ _id, credits, price_cents, active }: CreditPackDoc): CreditPackResource {
  return { pack: _id, credits, price_cents, active };
}
