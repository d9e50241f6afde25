// What orders and their steps are called on pages.
import type { OrderEventType, OrderResource, OrderState } from "../../../proto/resources/order.ts";
import type { BadgeTone } from "../design/badge.ts";
import { money } from "../design/format.ts";

export const STATES: Readonly<Record<OrderState, { label: string; tone: BadgeTone }>> = {
  placed: { label: "not paid yet", tone: "warning" },
  paid: { label: "paid", tone: "success" },
  fulfilled: { label: "complete", tone: "success" },
  refunded: { label: "refunded", tone: "neutral" },
  disputed: { label: "disputed", tone: "danger" },
  expired: { label: "expired", tone: "neutral" },
  cancelled: { label: "cancelled", tone: "neutral" },
  failed: { label: "declined", tone: "danger" },
};

export const STEPS: Readonly<Record<OrderEventType, string>> = {
  placed: "Order placed",
  paid: "Payment received",
  fulfilled: "Yours",
  refused: "Payment goes back",
  refunded: "Refunded",
  disputed: "Payment disputed",
  dispute_won: "Dispute decided for you to keep it",
  dispute_lost: "Dispute decided against it",
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
