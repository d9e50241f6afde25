// Orders and packs as clients see them.
import { toMessage } from "../../../proto/codec.ts";
import {
  type CreditPackResource,
  orderNumber,
  type OrderInvoiceResource,
  type OrderResource,
  orderSchema,
  type OrderTermsResource,
} from "../../../proto/resources/order.ts";
import type { OrderInput } from "../../../proto/types/atelier/v1/Order.ts";
import { getAccount } from "../../identity/accounts/get-account.ts";
import { previewTopUp } from "../../identity/credits/top-up.ts";
import type { App } from "../../kernel/app.ts";
import { invoiceOf } from "./advance.ts";
import { itemOf } from "./fulfil.ts";
import { paidPeriod } from "./rules.ts";
import type { CreditPackDoc, OrderDoc } from "./store.ts";

export function toOrder(order: OrderDoc): OrderResource {
  const { kind, state, items, currency, amount_cents, tax_cents, provider, receipt_number, reason } = order;
  return {
    order_id: order._id,
    number: orderNumber(order._id),
    kind,
    state,
    items,
    currency,
    reductions: order.reductions ?? [],
    amount_cents,
    tax_cents,
    provider,
    receipt_number,
    reason,
    created_at: order.created_at.toISOString(),
    paid_at: order.paid_at?.toISOString() ?? null,
    expires_at: order.expires_at.toISOString(),
    invoice: order.invoice ? toInvoice(order.invoice) : null,
    events: order.events.map(({ seq, type, at, note }) => ({ seq, type, at: at.toISOString(), note })),
    terms: termsOf(order),
  };
}

function toInvoice({ seller, buyer }: NonNullable<OrderDoc["invoice"]>): OrderInvoiceResource {
  const { name = "", address = "", tax_id = "" } = buyer ?? {};
  return { seller, name, address, tax_id };
}

/** The period of an unpaid order would begin when it was placed; on its owner's own page, now. */
function termsOf(
  order: OrderDoc,
  ifPaid: { at: Date; credits?: { now: number; monthly: number } | undefined } = { at: order.created_at },
): OrderTermsResource | null {
  const period = paidPeriod(order, ifPaid.at);
  if (!period) return null;
  return {
    about: order.subscription?.about ?? "join",
    period_start: period.from.toISOString(),
    period_end: period.until.toISOString(),
    credits_now: ifPaid.credits?.now ?? null,
    credits_a_month: ifPaid.credits?.monthly ?? null,
  };
}

/**
 * As its owner sees it: an unpaid order says what it would bring if it were paid now, and a paid one has an invoice, completed by what is
 * known now.
 */
export async function ownOrderMessage(app: App, order: OrderDoc): Promise<OrderInput> {
  const { plan, interval } = itemOf(order);
  if (order.receipt_number !== null && !order.invoice?.buyer) {
    const now = invoiceOf(app, await getAccount(app, order.account_id));
    return orderMessage({ ...order, invoice: { ...now, ...order.invoice } });
  }
  if (order.state !== "placed" || !interval) return orderMessage(order);
  const account = await getAccount(app, order.account_id);
  const credits = plan === null ? undefined : await previewTopUp(app, account, plan);
  const terms = termsOf(order, { at: app.clock.now(), credits });
  return toMessage(orderSchema, { ...toOrder(order), terms }, { account_id: order.account_id });
}

/** With the fields that only operators see. */
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
