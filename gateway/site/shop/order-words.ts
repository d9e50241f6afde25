// What orders and their steps are called on pages.
import type { OrderEventType, OrderResource, OrderState } from "../../../proto/resources/order.ts";
import type { BadgeTone } from "../design/badge.ts";
import { capitalised, money } from "../design/format.ts";

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

/** What being fulfilled means for what is paid by the period. */
const FULFILLED = { join: "Subscription started", renewal: "Renewed", change: "Changed" } as const;

export function stepOf(
  order: Pick<OrderResource, "amount_cents" | "tax_cents" | "terms">,
  type: OrderEventType,
): string {
  if (type === "fulfilled" && order.terms) return FULFILLED[order.terms.about];
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

/** $29 a month; $19 for what is paid once. */
export function priceOf({ items }: Pick<OrderResource, "items">, cents: number): string {
  const interval = items[0]?.interval;
  return interval ? `${price(cents)} a ${interval}` : price(cents);
}

/** Why a price is lower. */
export function reductionWords({
  kind,
  percent,
  code,
}: {
  readonly kind: string;
  readonly percent?: number | null | undefined;
  readonly code?: string | null | undefined;
}): string {
  if (kind === "membership") return `members’ price, ${percent}% off`;
  if (kind === "upgrade") return "less what you paid for your licence";
  return percent ? `code ${code}, ${percent}% off` : `code ${code}`;
}

/** The same as the name of a row. */
export function reductionLabel(reduction: Parameters<typeof reductionWords>[0]): string {
  return capitalised(reductionWords(reduction));
}

/** What the button says that takes the money. */
export function payLabel(order: Pick<OrderResource, "items">, cents: number): string {
  return order.items[0]?.interval
    ? `Subscribe for ${priceOf(order, cents)}`
    : cents === 0
      ? "Get it for free"
      : `Pay ${price(cents)}`;
}

export function titleOf({ items }: Pick<OrderResource, "items">): string {
  return items.map(({ name }) => name).join(", ");
}
