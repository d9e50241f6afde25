// The subscription of an order. It is begun, renewed, suspended, resumed and ended, each time within the order's transaction.
import { createHash } from "node:crypto";
import { AppError } from "../../../proto/codes.ts";
import type { SubscriptionKind } from "../../../proto/resources/subscription.ts";
import { withoutPrefix } from "../../../runtime/clock.ts";
import type { Currency, Period } from "../../adapters/payments/provider.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { compareAgain } from "./compare-rules.ts";
import { keep } from "./entitle.ts";
import { checkJoin } from "./offers.ts";
import { afterRenewal, dueAt, periodEnd, REASONS, stateAfter, takeStep, toCompare } from "./rules.ts";
import {
  findSubscription,
  findSubscriptionByRef,
  insertSubscription,
  type Offer,
  saveSubscription,
  type SubscriptionDoc,
} from "./store.ts";

export type BoughtSubscription = {
  orderId: string;
  accountId: string;
  kind: SubscriptionKind;
  offer: Offer;
  currency: Currency;
  provider: string;
  providerRef: string;
  /** The paid period; undefined if the provider does not say: from now on. */
  period: Period | undefined;
};

/** Derived from the order, so that the provider gets it before the subscription exists. */
export function subscriptionOf(orderId: string): string {
  return `sub_${withoutPrefix(orderId)}`;
}

/** Throws not_for_sale if it does not exist any more, and order_conflict if the account pays for another one of the kind. */
export async function beginSubscription(app: App, tx: TxContext, bought: BoughtSubscription): Promise<void> {
  const { kind, offer, accountId } = bought;
  // What was sold when the order was placed is delivered, whatever its price is now.
  const known = kind === "plan" ? await app.plans() : await app.tiers();
  if (!known.has(offer.what))
    throw new AppError("not_for_sale", { message: `The ${kind} does not exist any more.` });
  await checkJoin(app, { accountId, kind }, tx);
  const { from, until } = bought.period ?? { from: tx.now, until: periodEnd(tx.now, offer.interval) };
  const begun: SubscriptionDoc = {
    ...emptySubscription(bought, tx.now),
    _id: subscriptionOf(bought.orderId),
    state: "active",
    period_start: from,
    period_end: until,
    events: [{ seq: 1, type: "joined", at: tx.now, note: null }],
  };
  await keep(app, tx, null, { ...begun, due_at: dueAt(begun) });
}

/** The next period is paid. Throws not_for_sale if it has ended: then the payment is refunded. */
export async function renewSubscription(
  app: App,
  tx: TxContext,
  subscriptionId: string,
  period: Period,
): Promise<void> {
  const subscription = await findSubscription(app.mongo.db, subscriptionId, tx);
  if (!subscription || subscription.state === "ended") throw hadEnded();
  await keep(
    app,
    tx,
    subscription,
    takeStep(subscription, "renewed", { at: tx.now, ...afterRenewal(subscription, period) }),
  );
}

/**
 * A change is paid at the provider: the comparison makes it here, also if it was withdrawn. Throws not_for_sale if the subscription ended
 * before it was made: then the payment is refunded.
 */
export async function payChange(
  app: App,
  tx: TxContext,
  subscriptionId: string,
  { what, interval }: Offer,
): Promise<void> {
  const subscription = await findSubscription(app.mongo.db, subscriptionId, tx);
  if (subscription?.what === what && subscription.interval === interval) return;
  if (!subscription || subscription.state === "ended") throw hadEnded();
  // The comparison of a change that is still wanted goes on until it is made.
  if (subscription.change && !subscription.change.is_withdrawn) return;
  const after = compareAgain(subscription, tx.now, subscription.telling_until ?? null);
  await saveSubscription(app.mongo.db, after, tx);
}

function hadEnded(): AppError {
  return new AppError("not_for_sale", { message: "The subscription that this payment was for had ended." });
}

/** Its payment was refunded. A subscription that has ended stays ended. */
export async function endSubscription(
  app: App,
  tx: TxContext,
  subscriptionId: string,
  reason: string,
): Promise<void> {
  const subscription = await findSubscription(app.mongo.db, subscriptionId, tx);
  if (!subscription || subscription.state === "ended") return;
  await keep(app, tx, subscription, ended(subscription, reason, tx.now));
}

/** Whether a later order has paid for it; the change that an order itself has paid for is reported before or after it. */
export async function wasPaidSince(
  app: App,
  tx: TxContext,
  subscriptionId: string,
  { about, paidAt }: { about: "join" | "renewal" | "change"; paidAt: Date },
): Promise<boolean> {
  const events = (await findSubscription(app.mongo.db, subscriptionId, tx))?.events ?? [];
  return events.some(
    ({ type, at }) => (type === "renewed" || (type === "changed" && about !== "change")) && at > paidAt,
  );
}

/** Until a dispute is decided, or after that. */
export async function restSubscription(
  app: App,
  tx: TxContext,
  subscriptionId: string,
  step: "suspended" | "restored",
): Promise<void> {
  const subscription = await findSubscription(app.mongo.db, subscriptionId, tx);
  if (!subscription || !stateAfter(subscription.state, step)) return;
  await keep(app, tx, subscription, takeStep(subscription, step, { at: tx.now }));
}

/** Ended here: a worker cancels it at the provider, with retries. */
export function ended(subscription: SubscriptionDoc, reason: string, at: Date): SubscriptionDoc {
  return toCompare(takeStep(subscription, "ended", { at, note: reason }), at);
}

/** A subscription that a payment has begun at the provider which bought nothing here: it is ended there. A repeat changes nothing. */
export async function endStray(app: App, tx: TxContext, bought: BoughtSubscription): Promise<void> {
  const { provider, providerRef: ref } = bought;
  if (await findSubscriptionByRef(app.mongo.db, { provider, ref }, tx)) return;
  const stray: SubscriptionDoc = {
    ...emptySubscription(bought, tx.now),
    _id: `sub_${createHash("sha256").update(`${provider}:${ref}`).digest("hex").slice(0, 26)}`,
    state: "ended",
    events: [{ seq: 1, type: "ended", at: tx.now, note: REASONS.neverBegan }],
    ended_at: tx.now,
    due_at: null,
  };
  await insertSubscription(app.mongo.db, toCompare(stray, tx.now), tx);
}

function emptySubscription(
  { accountId, kind, offer, currency, provider, providerRef }: BoughtSubscription,
  at: Date,
): Omit<SubscriptionDoc, "_id" | "state" | "events"> {
  const { what, interval, price_cents } = offer;
  return {
    account_id: accountId,
    kind,
    what,
    interval,
    price_cents,
    currency,
    period_start: at,
    period_end: at,
    grace_until: null,
    suspended_at: null,
    next_change: null,
    provider,
    provider_ref: providerRef,
    created_at: at,
    ended_at: null,
    due_at: null,
  };
}
