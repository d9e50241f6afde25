// Changes of a subscription by its owner: another plan or tier, its end, and resuming. The provider is told afterwards, with retries; paid
// changes take effect when the provider has accepted them.
import { AppError } from "../../../proto/codes.ts";
import type { SubscriptionKind } from "../../../proto/resources/subscription.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import { isQueued } from "../../base/work/rules.ts";
import { getAccount } from "../../identity/accounts/get-account.ts";
import { previewTopUp } from "../../identity/credits/top-up.ts";
import type { App } from "../../kernel/app.ts";
import { ended } from "./bought-subscription.ts";
import { compareSubscription } from "./compare.ts";
import { keep } from "./entitle.ts";
import { findOffer, rankOffer, type WantedOffer } from "./offers.ts";
import { periodEnd, priceOfChange, REASONS, takeStep, toCompare, whenToChange } from "./rules.ts";
import { findLiveSubscription, type Offer, type SubscriptionDoc } from "./store.ts";

export type ChangeQuote = {
  offer: Offer;
  name: string;
  when: "now" | "period_end";
  dueCents: number;
  unusedCents: number;
  /** When the new price is charged next. */
  renewsAt: Date;
  /** For a plan that changes now: the credits that the change adds immediately; null for all other changes. */
  creditsNow: number | null;
};

/** Throws not_found if there is none of the kind, not_for_sale, and order_conflict if it cannot be changed now. */
export async function quoteChange(app: App, accountId: string, wanted: WantedOffer): Promise<ChangeQuote> {
  const subscription = await findOwn(app, accountId, wanted.kind);
  const { name, order, ...offer } = await findOffer(app, wanted);
  checkChangeable(subscription, offer);
  const from = await rankOffer(app, subscription.kind, subscription);
  const when = whenToChange(from, { ...offer, order });
  const now = app.clock.now();
  if (when === "period_end") {
    const renewsAt = subscription.period_end;
    return { offer, name, when, dueCents: 0, unusedCents: 0, renewsAt, creditsNow: null };
  }
  const credits =
    subscription.kind === "plan" && (await previewTopUp(app, await getAccount(app, accountId), offer.what));
  return {
    offer,
    name,
    when,
    ...priceOfChange(subscription, offer, now),
    renewsAt: periodEnd(now, offer.interval),
    creditsNow: credits ? credits.now : null,
  };
}

/**
 * Upgrades take effect immediately, downgrades from the next period on. `expectedCents` is the price of a period that the owner saw. A
 * second press finds it done. Throws as quoteChange does, and price_changed.
 */
export async function changeSubscription(
  app: App,
  accountId: string,
  wanted: WantedOffer & { expectedCents: number },
): Promise<SubscriptionDoc> {
  const subscription = await findOwn(app, accountId, wanted.kind);
  if (isAskedFor(subscription, wanted)) return compared(app, subscription);
  const { offer, when } = await quoteChange(app, accountId, wanted);
  if (offer.price_cents !== wanted.expectedCents)
    throw new AppError("price_changed", { numbers: { amount_cents: offer.price_cents } });
  const changed = await changeLive(app, accountId, wanted.kind, (before, at) => {
    if (isAskedFor(before, wanted)) return before;
    checkChangeable(before, offer);
    // A call of the same change that still arrives late is then not charged a second time.
    const same = before.withdrawn?.find((earlier) => isSame(earlier.offer, offer));
    const key = same?.key ?? `${before._id}:change:${before.events.length}`;
    const planned =
      when === "now"
        ? { ...before, change: { offer, key, is_withdrawn: false } }
        : takeStep(before, "change_planned", { at, next_change: offer });
    return toCompare(planned, at);
  });
  return compared(app, changed);
}

/** The change that was planned for the next period is dropped. A repeat changes nothing. */
export async function dropChange(
  app: App,
  accountId: string,
  kind: SubscriptionKind,
): Promise<SubscriptionDoc> {
  const changed = await changeLive(app, accountId, kind, (before, at) => {
    if (before.next_change === null) return before;
    return toCompare(takeStep(before, "change_dropped", { at, next_change: null }), at);
  });
  return compared(app, changed);
}

/** It ends with the paid period; immediately if a payment is missing. A repeat changes nothing. */
export async function cancelSubscription(
  app: App,
  accountId: string,
  kind: SubscriptionKind,
): Promise<SubscriptionDoc> {
  const cancelled = await changeLive(app, accountId, kind, (before, at) => {
    if (before.state === "cancelling") return before;
    if (before.state === "past_due") return ended(before, REASONS.given_up, at);
    const change = before.change ? { ...before.change, is_withdrawn: true } : null;
    return toCompare(takeStep(before, "cancelled", { at, next_change: null, change }), at);
  });
  return compared(app, cancelled);
}

/** A cancelled subscription continues. A repeat changes nothing. */
export async function resumeSubscription(
  app: App,
  accountId: string,
  kind: SubscriptionKind,
): Promise<SubscriptionDoc> {
  const resumed = await changeLive(app, accountId, kind, (before, at) => {
    if (before.state !== "cancelling") return before;
    if (before.period_end <= at) throw conflict("Its time is over; join again.");
    return toCompare(takeStep(before, "resumed", { at }), at);
  });
  return compared(app, resumed);
}

/** The provider's page on which cards are changed; null if there is none. Throws not_found. */
export async function openPortal(
  app: App,
  accountId: string,
  kind: SubscriptionKind,
): Promise<string | null> {
  const { provider } = await findOwn(app, accountId, kind);
  const known = app.payments.known.get(provider);
  return (await known?.createPortal({ accountId, returnUrl: `${app.baseUrl}/account/${kind}` })) ?? null;
}

async function findOwn(app: App, accountId: string, kind: SubscriptionKind): Promise<SubscriptionDoc> {
  const found = await findLiveSubscription(app.mongo.db, { accountId, kind });
  if (found) return found;
  throw none(kind);
}

async function changeLive(
  app: App,
  accountId: string,
  kind: SubscriptionKind,
  change: (before: SubscriptionDoc, at: Date) => SubscriptionDoc,
): Promise<SubscriptionDoc> {
  return inTx(app, async (tx) => {
    const before = await findLiveSubscription(app.mongo.db, { accountId, kind }, tx);
    if (!before) throw none(kind);
    const after = change(before, tx.now);
    return after === before ? before : keep(app, tx, before, after);
  });
}

/** The provider is told immediately if it answers, and otherwise by a worker. */
async function compared(app: App, subscription: SubscriptionDoc): Promise<SubscriptionDoc> {
  if (!isQueued(subscription)) return subscription;
  return (await compareSubscription(app, subscription._id)) ?? subscription;
}

function checkChangeable(before: SubscriptionDoc, offer: Offer): void {
  if (before.suspended_at !== null) throw conflict("It rests while a payment is disputed.");
  if (before.state === "past_due")
    throw conflict("A payment for it is missing; it can be changed once that is paid.");
  if (before.state !== "active") throw conflict("It is cancelled. Take it up again before you change it.");
  // This applies to other changes too: a resumption must not be dropped.
  if (isQueued(before)) throw conflict("A change of it is under way. Try again in a minute.");
  if (isSame(before, offer)) throw conflict("It is that already.");
}

function isAskedFor(before: SubscriptionDoc, wanted: Pick<WantedOffer, "what" | "interval">): boolean {
  const asked = before.change && !before.change.is_withdrawn ? before.change.offer : before.next_change;
  return asked !== null && isSame(asked, wanted);
}

function isSame(one: Pick<Offer, "what" | "interval">, other: { what: string; interval: string }): boolean {
  return one.what === other.what && one.interval === other.interval;
}

function none(kind: SubscriptionKind): AppError {
  return new AppError("not_found", {
    message: `The account pays for no ${kind}.`,
    hint: `Join one on /account/${kind}.`,
  });
}

function conflict(message: string): AppError {
  return new AppError("order_conflict", {
    message,
    hint: "Read the subscription to see its state.",
  });
}
