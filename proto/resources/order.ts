// Orders and credit packs as their buyers and operators see them.
import { decodeTime } from "ulid";
import { z } from "zod";
import { SUBSCRIPTION_INTERVALS } from "./subscription.ts";

export const ORDER_KINDS = ["product", "credits", "plan", "membership"] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

/** So long after paying the buyer can request a refund on the page of the order. */
export const REFUND_DAYS = 14;

export const ORDER_STATES = [
  "placed",
  "paid",
  "fulfilled",
  "refunded",
  "disputed",
  "expired",
  "cancelled",
  "failed",
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** What happens to an order. Every event but the first and the last moves it to another state. */
export const ORDER_EVENTS = [
  "placed",
  "paid",
  "fulfilled",
  "refused",
  "refunded",
  "disputed",
  "dispute_won",
  "dispute_lost",
  "declined",
  "expired",
  "cancelled",
  "noted",
] as const;
export type OrderEventType = (typeof ORDER_EVENTS)[number];

export const orderItemSchema = z.object({
  /** The name at the time the order was placed. */
  name: z.string(),
  amount_cents: z.number().int(),
  product_id: z.string().nullable(),
  product_slug: z.string().nullable(),
  licence: z.string().nullable().describe("standard or client."),
  pack: z.string().nullable(),
  credits: z.number().int().nullable(),
  plan: z.string().nullable(),
  tier: z.string().nullable(),
  interval: z.enum(SUBSCRIPTION_INTERVALS).nullable().describe("Where it is paid by the period."),
});

export const ORDER_REDUCTIONS = ["membership", "upgrade", "code"] as const;

/** What is taken off the price of an item. */
export const orderReductionSchema = z.object({
  kind: z.enum(ORDER_REDUCTIONS),
  cents: z.number().int().describe("Above 0."),
  percent: z.number().int().nullable().describe("Of a membership, or of a code that takes off a part."),
  off_cents: z.number().int().nullable().describe("Of a code that takes off an amount."),
  code: z.string().nullable(),
  order_id: z.string().nullable().describe("Of an upgrade: the order of the licence that it builds on."),
});

export const orderEventSchema = z.object({
  seq: z.number().int(),
  type: z.enum(ORDER_EVENTS),
  at: z.iso.datetime(),
  note: z.string().nullable(),
});

/** The subscription that an order begins, renews or changes. */
const orderTermsSchema = z.object({
  about: z.enum(["join", "renewal", "change"]),
  period_start: z.iso.datetime(),
  period_end: z.iso.datetime().describe("Of an unpaid order: the end of the period that would begin now."),
  credits_now: z
    .number()
    .int()
    .nullable()
    .describe("Of an unpaid order for a plan: the credits that a payment adds immediately."),
  credits_a_month: z.number().int().nullable().describe("Of the same: those of each later month."),
});

/** The sides of an invoice when the order was paid; its number is `receipt_number`. */
const orderInvoiceSchema = z.object({
  seller: z.string().describe("In lines."),
  name: z.string().describe("Of the buyer, like the others; empty where the account had none."),
  address: z.string(),
  tax_id: z.string(),
});

const NUMBER_CHARS = 6;
/** What is before the number in an id. */
const PREFIX = "ord_";
export const ORDER_NUMBER = new RegExp(`^(?<day>20\\d{6})-(?<end>[0-9a-z]{${NUMBER_CHARS}})$`, "i");

/** The number of an order: 20261123-9QZ4K7. */
export function orderNumber(orderId: string): string {
  const placed = new Date(decodeTime(orderId.slice(PREFIX.length)));
  return `${placed.toISOString().slice(0, 10).replaceAll("-", "")}-${orderId.slice(-NUMBER_CHARS)}`;
}

/** A prefix and a ULID: anyone may write other letters and digits into a memo. */
export const ORDER_ID = new RegExp(`\\b${PREFIX}[0-7][0-9A-HJKMNP-TV-Z]{25}\\b`);
const ORDER_IDS = new RegExp(ORDER_ID, "g");

/**
 * Ids of orders in a text for people become the orders' numbers. Not for the memo of a whole ledger entry, whose hash covers it as it is
 * stored.
 */
export function withOrderNumbers(text: string): string {
  return text.replaceAll(ORDER_IDS, orderNumber);
}

export const orderSchema = z.object({
  order_id: z.string(),
  number: z.string().describe("For people to quote: the day on which it was placed, and the end of its id."),
  kind: z.enum(ORDER_KINDS),
  state: z.enum(ORDER_STATES),
  items: z.array(orderItemSchema),
  currency: z.string(),
  reductions: z.array(orderReductionSchema).describe("What came off the prices of the items."),
  amount_cents: z.number().int().describe("What is paid, before tax."),
  tax_cents: z.number().int(),
  provider: z.string().nullable().describe("null: nothing was to be paid, or not yet."),
  receipt_number: z.string().nullable().describe("Without gaps in each year; null where nothing was paid."),
  reason: z.string().nullable().describe("Why it did not go its usual way."),
  created_at: z.iso.datetime(),
  paid_at: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime().describe("Can be paid until then."),
  events: z.array(orderEventSchema),
  invoice: orderInvoiceSchema.nullable().describe("null where nothing was paid."),
  terms: orderTermsSchema.nullable().describe("null of what is paid once."),
});

export const discountCodeSchema = z.object({
  code: z.string().describe("In capitals."),
  percent: z.number().int().nullable().describe("What it takes off: this, or off_cents."),
  off_cents: z.number().int().nullable(),
  product_slug: z.string().nullable().describe("null: every product."),
  expires_at: z.iso.datetime().nullable(),
  max_uses: z.number().int().nullable().describe("How many orders may have it; null: any number."),
  max_uses_each: z.number().int().nullable().describe("The same for the orders of one account."),
  uses: z.number().int().describe("Orders that have it; those that ended unpaid do not count."),
});

export const creditPackSchema = z.object({
  pack: z.string(),
  credits: z.number().int(),
  price_cents: z.number().int(),
  active: z.boolean().describe("Whether it is sold."),
});

export type OrderItemResource = z.output<typeof orderItemSchema>;
export type OrderReductionResource = z.output<typeof orderReductionSchema>;
export type OrderTermsResource = z.output<typeof orderTermsSchema>;
export type OrderInvoiceResource = z.output<typeof orderInvoiceSchema>;
export type OrderResource = z.output<typeof orderSchema>;
export type DiscountCodeResource = z.output<typeof discountCodeSchema>;
export type CreditPackResource = z.output<typeof creditPackSchema>;
