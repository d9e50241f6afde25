// Which states a subscription may move to, how long what it bought lasts, and what a change costs. This file is pure.
import type {
  SubscriptionEventType,
  SubscriptionInterval,
  SubscriptionState,
} from "../../../proto/resources/subscription.ts";
import { monthsLater } from "../../../runtime/months.ts";
import { NO_WORK, workDue } from "../../base/work/rules.ts";
import type { Offer, SubscriptionDoc, WithdrawnChange } from "./store.ts";

const HOUR_MS = 3_600_000;

/** What moves a subscription. */
export type SubscriptionStep = Exclude<SubscriptionEventType, "joined" | "noted">;

const GOES_ON = { suspended: true, restored: true, ended: true } as const;

/** Everything that may happen to a subscription, and nothing else; `true` if it stays in its state. */
const STEPS: Readonly<
  Record<SubscriptionState, Readonly<Partial<Record<SubscriptionStep, SubscriptionState | true>>>>
> = {
  active: {
    ...GOES_ON,
    renewed: true,
    payment_failed: "past_due",
    cancelled: "cancelling",
    changed: true,
    change_planned: true,
    change_dropped: true,
    ended: "ended",
  },
  past_due: { ...GOES_ON, renewed: "active", reminded: true, ended: "ended" },
  // It was cancelled while a payment was on its way: what that pays for is given.
  cancelling: { ...GOES_ON, renewed: true, changed: true, resumed: "active", ended: "ended" },
  ended: {},
};

/** Undefined if the step cannot be taken. */
export function stateAfter(state: SubscriptionState, step: SubscriptionStep): SubscriptionState | undefined {
  const next = STEPS[state][step];
  return next === true ? state : next;
}

const DAY_MS = 24 * HOUR_MS;
/** A provider charges at the end of a period, and reports it some time later. */
const LATE_MS = DAY_MS;
/** How long what was bought is kept when a payment has failed. */
const GRACE_MS = 7 * DAY_MS;
/** How long before the end a reminder is sent. */
const REMIND_MS = 2 * DAY_MS;

type Held = Pick<SubscriptionDoc, "state" | "period_end" | "grace_until" | "ended_at">;

/** How long what was bought is kept, if nothing more is heard. The end itself is excluded. */
export function holdsUntil({ state, period_end, grace_until, ended_at }: Held): Date {
  if (state === "ended") return ended_at ?? period_end;
  if (state === "past_due") return grace_until ?? period_end;
  return state === "cancelling" ? period_end : later(period_end, LATE_MS);
}

/** When it has to be examined; null once it has ended. */
export function dueAt(subscription: Held & Pick<SubscriptionDoc, "events">): Date | null {
  if (subscription.state === "ended") return null;
  const until = holdsUntil(subscription);
  if (subscription.state !== "past_due" || wasReminded(subscription)) return until;
  return later(until, -REMIND_MS);
}

type DueStep = "payment_failed" | "reminded" | "ended";

/** The next step of a due subscription; undefined: nothing yet. */
export function decideDue(subscription: SubscriptionDoc, now: Date): DueStep | undefined {
  const { state, due_at } = subscription;
  if (state === "ended" || !due_at || due_at > now) return undefined;
  if (state === "active") return "payment_failed";
  return state === "past_due" && now < holdsUntil(subscription) ? "reminded" : "ended";
}

function wasReminded({ events }: Pick<SubscriptionDoc, "events">): boolean {
  const last = events.findLast(({ type }) => type === "reminded" || type === "payment_failed");
  return last?.type === "reminded";
}

/** The subscription after a step, with what else the step changes. Throws if it cannot be taken: callers decide that beforehand. */
export function takeStep(
  before: SubscriptionDoc,
  step: SubscriptionStep,
  {
    at,
    note = null,
    ...change
  }: { at: Date; note?: string | null } & Partial<
    Pick<SubscriptionDoc, "period_start" | "period_end" | "next_change" | "change" | "withdrawn"> & Offer
  >,
): SubscriptionDoc {
  const state = stateAfter(before.state, step);
  if (!state) throw new Error(`subscription ${before._id} is ${before.state} and cannot be ${step}`);
  const hasEnded = state === "ended";
  const after: SubscriptionDoc = {
    ...before,
    ...change,
    state,
    events: [...before.events, { seq: before.events.length + 1, type: step, at, note }],
    grace_until: state !== "past_due" ? null : (before.grace_until ?? later(at, GRACE_MS)),
    suspended_at: step === "suspended" ? at : step === "restored" || hasEnded ? null : before.suspended_at,
    ended_at: hasEnded ? at : null,
    ...(hasEnded && { next_change: null, change: null }),
    ...(hasEnded && before.change && { withdrawn: withdrawnWith(before, before.change) }),
  };
  return { ...after, due_at: dueAt(after) };
}

/** The withdrawn changes and one more, whose call may still arrive at the provider. */
export function withdrawnWith(
  { withdrawn = [] }: Pick<SubscriptionDoc, "withdrawn">,
  { offer, key }: WithdrawnChange,
): WithdrawnChange[] {
  return [...withdrawn.filter((earlier) => earlier.key !== key), { offer, key }];
}

/** Whether the account has what it bought now. */
export function isEntitled({
  state,
  suspended_at,
}: Pick<SubscriptionDoc, "state" | "suspended_at">): boolean {
  return state !== "ended" && suspended_at === null;
}

/**
 * The same, to be compared with the provider: now, or when a call that may be on its way has arrived. A worker that compares it at this
 * moment keeps it, and sees what has changed when it is done.
 */
export function toCompare(subscription: SubscriptionDoc, at: Date): SubscriptionDoc {
  const { work = NO_WORK, telling_until: until } = subscription;
  const due = workDue(until && until > at ? until : at);
  return { ...subscription, work: work.owner === null ? due : work };
}

/** The provider has it as it is wanted. */
export function asWanted(subscription: SubscriptionDoc): SubscriptionDoc {
  return { ...subscription, work: NO_WORK, telling_until: null };
}

/** A failed payment counts while the period before it is ending: an event of an older period is late, after its payment. */
export function isFailureOfNow(
  { state, period_end }: Pick<SubscriptionDoc, "state" | "period_end">,
  at: Date,
): boolean {
  return state === "active" && at.getTime() >= period_end.getTime() - LATE_MS;
}

/** After a paid period: never an earlier end than is already paid, for events in any order. */
export function afterRenewal(
  before: SubscriptionDoc,
  period: { from: Date; until: Date },
): Partial<Pick<SubscriptionDoc, "period_start" | "period_end" | "next_change"> & Offer> {
  if (period.until <= before.period_end) return {};
  const isNext =
    before.next_change !== null && period.from.getTime() >= before.period_end.getTime() - LATE_MS;
  return {
    period_start: period.from,
    period_end: period.until,
    ...(isNext && before.next_change && { ...before.next_change, next_change: null }),
  };
}

/** The offer that was paid for. A change can be paid before it is compared, and be reported after it was withdrawn. */
export function paidChange(
  {
    change,
    withdrawn = [],
    ...current
  }: Pick<SubscriptionDoc, "change" | "withdrawn" | "period_start"> & Offer,
  { at }: { at: Date },
  priceCents: number | undefined,
): Offer {
  // A payment from before this period was for an earlier change.
  const pending = change && at > current.period_start ? change.offer : current;
  const offers = [pending, current, ...withdrawn.map(({ offer }) => offer)];
  return offers.find(({ price_cents }) => price_cents === priceCents) ?? pending;
}

/** When a period that begins then ends. */
export function periodEnd(from: Date, interval: SubscriptionInterval): Date {
  return monthsLater(from, interval === "month" ? 1 : 12);
}

/** A position in the order of plans or tiers. */
export type Rank = Offer & { order: number };

/** Upgrades take effect immediately if they take nothing away; everything else from the next period on. */
export function whenToChange(from: Rank, to: Rank): "now" | "period_end" {
  const isShorter = from.interval === "year" && to.interval === "month";
  return to.order >= from.order && !isShorter ? "now" : "period_end";
}

/** The cost of an immediate change: a new period starts, and the unused paid time is taken off. */
export function priceOfChange(
  {
    price_cents,
    period_start,
    period_end,
  }: Pick<SubscriptionDoc, "price_cents" | "period_start" | "period_end">,
  to: Offer,
  now: Date,
): { dueCents: number; unusedCents: number } {
  const wholeMs = period_end.getTime() - period_start.getTime();
  const leftMs = Math.min(Math.max(period_end.getTime() - now.getTime(), 0), wholeMs);
  const unusedCents = wholeMs === 0 ? 0 : Math.round((price_cents * leftMs) / wholeMs);
  return { dueCents: Math.max(to.price_cents - unusedCents, 0), unusedCents };
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

/** Texts for people about why a subscription ended or was not changed. */
export const REASONS = {
  cancelled: "It was cancelled, and the time that was paid is over.",
  unpaid: "The payment for it did not come.",
  given_up: "It was cancelled while a payment for it was missing.",
  refunded: "Its payment was refunded.",
  there: "The payment provider has ended it.",
  deleted: "The account was deleted.",
  operator: "Support has ended it.",
  neverBegan: "The item that this payment was for could not be delivered.",
  late: "The payment for the next period did not come in time.",
  failed: "The payment for the next period failed.",
  changeDeclined: "The payment for the change was declined. Nothing was changed.",
  changeRefused: "The payment provider did not take the change. Nothing was changed.",
} as const;
