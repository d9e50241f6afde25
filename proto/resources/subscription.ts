// Subscriptions as their owner and operators see them.
import { z } from "zod";

export const SUBSCRIPTION_KINDS = ["plan", "membership"] as const;
export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number];

export const SUBSCRIPTION_INTERVALS = ["month", "year"] as const;
export type SubscriptionInterval = (typeof SUBSCRIPTION_INTERVALS)[number];

export const SUBSCRIPTION_STATES = ["active", "past_due", "cancelling", "ended"] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

export const SUBSCRIPTION_EVENTS = [
  "joined",
  "renewed",
  "payment_failed",
  "reminded",
  "cancelled",
  "resumed",
  "changed",
  "change_planned",
  "change_dropped",
  "suspended",
  "restored",
  "ended",
  "noted",
] as const;
export type SubscriptionEventType = (typeof SUBSCRIPTION_EVENTS)[number];

export const offerSchema = z.object({
  what: z.string().describe("The plan, or the tier of membership."),
  interval: z.enum(SUBSCRIPTION_INTERVALS),
  price_cents: z.number().int().describe("Of each period, before tax."),
});

export const subscriptionEventSchema = z.object({
  seq: z.number().int(),
  type: z.enum(SUBSCRIPTION_EVENTS),
  at: z.iso.datetime(),
  note: z.string().nullable(),
});

export const subscriptionSchema = z.object({
  subscription_id: z.string(),
  kind: z.enum(SUBSCRIPTION_KINDS),
  what: z.string().describe("The plan, or the tier of membership."),
  name: z.string(),
  interval: z.enum(SUBSCRIPTION_INTERVALS),
  price_cents: z.number().int().describe("Of each period, before tax."),
  currency: z.string(),
  state: z
    .enum(SUBSCRIPTION_STATES)
    .describe("past_due: a payment failed; cancelling: ends with the period that is paid."),
  period_start: z.iso.datetime(),
  period_end: z.iso.datetime().describe("Paid until then; the next charge, unless it is cancelled."),
  grace_until: z.iso.datetime().nullable().describe("It ends then, where nothing is paid before."),
  is_suspended: z.boolean().describe("A payment is disputed with the bank; it rests until that is decided."),
  is_changing: z.boolean().describe("The payment provider is being told of a change."),
  next_change: offerSchema.nullable().describe("From the next period on."),
  created_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  events: z.array(subscriptionEventSchema),
});

/** The result of a change, calculated before it is made. */
export const changeQuoteSchema = z.object({
  offer: offerSchema,
  name: z.string(),
  when: z.enum(["now", "period_end"]),
  due_cents: z
    .number()
    .int()
    .describe("To be paid now: the new price less the time that is paid and not used."),
  unused_cents: z.number().int(),
  renews_at: z.iso.datetime().describe("When the new price is charged next."),
  credits_now: z
    .number()
    .int()
    .nullable()
    .describe("Of a plan that changes now: the credits that the change adds immediately."),
});

export type SubscriptionResource = z.output<typeof subscriptionSchema>;
export type ChangeQuoteResource = z.output<typeof changeQuoteSchema>;
