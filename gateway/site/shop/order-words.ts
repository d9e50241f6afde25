// What orders and their steps are called on pages.
import type { OrderEventType, OrderResource, OrderState } from "../../../proto/resources/order.ts";
import type { BadgeTone } from "../design/badge.ts";
import { money } from "../design/format.ts";

type State = { label: string; tone: BadgeTone };

const STATES: Readonly<Record<OrderState, State>> = {
  placed: { label: "Not paid yet", tone: "warning" },
  paid: { label: "Paid", tone: "success" },
  fulfilled: { label: "Complete", tone: "success" },
  refunded: { label: "Refunded", tone: "neutral" },
  disputed: { label: "Disputed", tone: "danger" },
  expired: { label: "Expired", tone: "neutral" },
  cancelled: { label: "Cancelled", tone: "neutral" },
  failed: { label: "Declined", tone: "danger" },
};

const STEPS: Readonly<Record<OrderEventType, string>> = {
  placed: "Order placed",
  paid: "Payment received",
  fulfilled: "Delivered to you",
  refused: "Payment returned",
  refunded: "Refunded",
  disputed: "Payment disputed",
  dispute_won: "Dispute settled, and it stays yours",
  dispute_lost: "Dispute settled, and the payment went back",
  declined: "Payment declined",
  expired: "Expired",
  cancelled: "Cancelled",
  noted: "Note",
};

/** What a step of an order that costs nothing is called, where it is not what it is called otherwise. */
const FREE_STEPS: Readonly<Partial<Record<OrderEventType, string>>> = {
  paid: "Nothing to pay",
  refunded: "Taken back",
};

export function stepOf(
  order: Pick<OrderResource, "amount_cents" | "tax_cents">,
  type: OrderEventType,
): string {
  return (isFree(order) ? FREE_STEPS[type] : undefined) ?? STEPS[type];
}

export function stateOf(order: Pick<OrderResource, "amount_cents" | "tax_cents" | "state">): State {
  return isFree(order) && order.state === "refunded"
    ? { label: "Taken back", tone: "neutral" }
    : STATES[order.state];
}

export function isFree({
  amount_cents,
  tax_cents,
}: Pick<OrderResource, "amount_cents" | "tax_cents">): boolean {
  return amount_cents + tax_cents === 0;
}

/** $19, or Free */
export function price(cents: number): string {
  return cents === 0 ? "Free" : money(cents / 100);
}

export function titleOf({ items }: Pick<OrderResource, "items">): string {
  return items.map(({ name }) => name).join(", ");
}
