// Compares a subscription with the provider's state: the next request to the provider, and the effect of its response. This file is pure.
import type { ProviderSubscription } from "../../adapters/payments/provider.ts";
import { NO_WORK, retryAt, type Schedule } from "../../base/work/rules.ts";
import { asWanted, REASONS, stateAfter, takeStep, toCompare, withdrawnWith } from "./rules.ts";
import type { Offer, SubscriptionDoc, WithdrawnChange } from "./store.ts";

export type Difference =
  | { readonly kind: "cancel"; readonly when: "now" | "period_end" | "resume" }
  /** With the key of a change that is paid now; without one from the next period on. */
  | { readonly kind: "change"; readonly offer: Offer; readonly key?: string };

/** The result of a worker's comparison. */
export type Comparison =
  | { readonly kind: "equal"; readonly there: ProviderSubscription | null }
  /** The provider will never do that. */
  | { readonly kind: "refused"; readonly difference: Difference; readonly isDeclined: boolean }
  /** `mayArrive`: a call was not answered, and may be carried out anyway. */
  | { readonly kind: "failed"; readonly mayArrive: boolean }
  /** Another worker has it. */
  | { readonly kind: "lost" };

/** How long a call may be on its way, answered or not. */
export const TELLING_MS = 2 * 60_000;

export const COMPARE_SCHEDULE: Schedule = {
  waitsMs: [60_000, 5 * 60_000, 30 * 60_000],
  thenMs: 60 * 60_000,
};

/** The next request to the provider; undefined if its state is as wanted, or it does not have the subscription. */
export function nextDifference(
  subscription: SubscriptionDoc,
  there: ProviderSubscription | null,
): Difference | undefined {
  const { state, change, next_change, what, interval, price_cents } = subscription;
  if (!there || there.hasEnded) return undefined;
  if (state === "ended") return { kind: "cancel", when: "now" };
  const made = changeMade(subscription, there);
  if (change && !change.is_withdrawn && state === "active" && made?.key !== change.key)
    return { kind: "change", offer: change.offer, key: change.key };
  if (there.endsThen !== (state === "cancelling"))
    return { kind: "cancel", when: there.endsThen ? "resume" : "period_end" };
  if (state === "cancelling") return undefined;
  const next = next_change ?? made?.offer ?? { what, interval, price_cents };
  const isPlanned = there.nextPrice ? isPriceOf(next, there.nextPrice) : next_change === null;
  return isPlanned ? undefined : { kind: "change", offer: next };
}

/** `before` is the current subscription, `taken` the one that the worker took. `hasTold`: the worker has sent a request to the provider. */
export function afterComparison(
  before: SubscriptionDoc,
  taken: SubscriptionDoc,
  comparison: Comparison & { readonly hasTold: boolean },
  at: Date,
): SubscriptionDoc {
  const { kind, hasTold } = comparison;
  const arrivedBy = kind === "failed" && comparison.mayArrive ? new Date(at.getTime() + TELLING_MS) : null;
  if (kind === "lost" || before.work?.owner !== taken.work?.owner)
    // This worker's request may have arrived after another one's.
    return hasTold ? compareAgain(before, at, latest(before.telling_until ?? null, arrivedBy)) : before;
  if (kind === "failed") return tryAgain(before, at, arrivedBy);
  if (kind === "refused") return afterRefusal(before, comparison, at);
  const { there } = comparison;
  const after = afterReading(before, there, at);
  if (nextDifference(after, there)) return compareAgain(after, at, null);
  // Only a change that was paid while a payment was missing is left: it waits for that.
  return after.change ? tryAgain(after, at, null) : asWanted(after);
}

/** By another worker, if one has it now. */
export function compareAgain(before: SubscriptionDoc, at: Date, arrivedBy: Date | null): SubscriptionDoc {
  return toCompare({ ...before, telling_until: arrivedBy, work: NO_WORK }, at);
}

/** It was ended at the provider, not here. */
export function endedThere(before: SubscriptionDoc, at: Date): SubscriptionDoc {
  const note = before.state === "cancelling" ? REASONS.cancelled : REASONS.there;
  return takeStep(before, "ended", { at, note });
}

function afterReading(
  before: SubscriptionDoc,
  there: ProviderSubscription | null,
  at: Date,
): SubscriptionDoc {
  const { state, change = null, withdrawn = [], period_end } = before;
  if (state === "ended") return before;
  if (there?.hasEnded) return endedThere(before, at);
  const made = there && changeMade(before, there);
  if (made)
    return stateAfter(state, "changed")
      ? takeStep(before, "changed", {
          at,
          ...made.offer,
          period_start: at,
          period_end: there.paidUntil > at ? there.paidUntil : period_end,
          next_change: null,
          change: change?.key === made.key ? null : change,
          withdrawn: withdrawn.filter(({ key }) => key !== made.key),
        })
      : before;
  if (!change || (there && state === "active" && !change.is_withdrawn)) return before;
  const after = change.is_withdrawn
    ? { ...before, change: null }
    : withoutChange(before, REASONS.changeRefused, at);
  return { ...after, withdrawn: withdrawnWith(before, change) };
}

/**
 * A request that the provider will never accept is not repeated, and the owner is informed; but the request to stop charging is repeated.
 */
function afterRefusal(
  before: SubscriptionDoc,
  { difference, isDeclined }: Extract<Comparison, { kind: "refused" }>,
  at: Date,
): SubscriptionDoc {
  const note = isDeclined ? REASONS.changeDeclined : REASONS.changeRefused;
  const isActive = before.state === "active";
  if (difference.kind === "cancel" && (difference.when !== "resume" || !isActive))
    return tryAgain(before, at, null);
  const step = difference.kind === "cancel" ? "cancelled" : "change_dropped";
  if (before.state === "ended") return compareAgain(before, at, null);
  if (difference.kind === "change" && difference.key !== undefined)
    return compareAgain(withoutChange(before, note, at), at, null);
  if (!isActive || (step === "change_dropped" && before.next_change === null))
    return tryAgain(before, at, null);
  return compareAgain(takeStep(before, step, { at, note, next_change: null }), at, null);
}

function tryAgain(before: SubscriptionDoc, at: Date, arrivedBy: Date | null): SubscriptionDoc {
  const attempts = (before.work?.attempts ?? 0) + 1;
  const due_at = latest(retryAt(COMPARE_SCHEDULE, attempts, { endedAt: at }), arrivedBy);
  return { ...before, telling_until: arrivedBy, work: { due_at, owner: null, attempts } };
}

function withoutChange(before: SubscriptionDoc, note: string, at: Date): SubscriptionDoc {
  const event = { seq: before.events.length + 1, type: "noted" as const, at, note };
  return { ...before, change: null, events: [...before.events, event] };
}

/**
 * The change that the provider has made and this subscription has not. A process may sleep before it sends a change for longer than anyone
 * waits: a withdrawn change is still recognised when its call arrives.
 */
function changeMade(
  { change, withdrawn = [], interval, price_cents, what }: SubscriptionDoc,
  { price }: ProviderSubscription,
): WithdrawnChange | undefined {
  if (isPriceOf({ what, interval, price_cents }, price)) return undefined;
  return [...(change ? [change] : []), ...withdrawn].find(({ offer }) => isPriceOf(offer, price));
}

function isPriceOf({ price_cents, interval }: Offer, price: ProviderSubscription["price"]): boolean {
  return price.amountCents === price_cents && price.every === interval;
}

function latest(one: Date | null, other: Date | null): Date | null {
  return one !== null && other !== null ? (one > other ? one : other) : (one ?? other);
}
