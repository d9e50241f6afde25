// What orders and their steps are called on pages.
import type { OrderEventType, OrderResource, OrderState } from "../../../proto/resources/order.ts";
import type { BadgeTone } from "../design/badge.ts";
import { money } from "../design/format.ts";

export const STATES: Readonly<Record<OrderState, { label: string; tone: BadgeTone }>> = {
  placed: { label: "Not paid yet", tone: "warning" },
  paid: { label: "Paid", tone: "success" },
  fulfilled: { label: "Complete", tone: "success" },
  refunded: { label: "Refunded", tone: "neutral" },
  disputed: { label: "Disputed", tone: "danger" },
  expired: { label: "Expired", tone: "neutral" },
  cancelled: { label: "Cancelled", tone: "neutral" },
  failed: { label: "Declined", tone: "danger" },
};

export const STEPS: Readonly<Record<OrderEventType, string>> = {
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

/** $19, or Free */
export function price(cents: number): string {
  return cents === 0 ? "Free" : money(cents / 100);
}

export function titleOf({ items }: Pick<OrderResource, "items">): string {
  return items.map(({ name }) => name).join(", ");
}
