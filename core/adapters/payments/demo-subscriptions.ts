// Subscriptions at the demo provider. A checkout begins them; they are renewed when due, and changed and ended on request. Their events are
// sent as any provider would send them.
import type { Clock } from "../../../runtime/clock.ts";
import { monthsLater } from "../../../runtime/months.ts";
import type { Mongo } from "../../base/mongo/client.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import { sendDemoEvent } from "./deliver-demo.ts";
import {
  type Payment,
  type PaymentEventBody,
  type PaymentProvider,
  PaymentProviderFailed,
  type ProviderSubscription,
} from "./provider.ts";
import {
  type DemoCheckoutDoc,
  type DemoSubscriptionDoc,
  findDemoSubscription,
  findDueDemoSubscription,
  saveDemoSubscription,
} from "./store.ts";

type Own = { readonly mongo: Mongo; readonly clock: Clock };

const DAY_MS = 24 * 3_600_000;
/** When, and how often, a declined renewal is tried again. */
const RETRY_MS = 3 * DAY_MS;
const MAX_FAILURES = 3;

/** The subscription of a checkout that is paid by the period; null for all others. */
export function refOf(checkoutRef: string, every: DemoCheckoutDoc["every"]): string | null {
  return every === "once" ? null : checkoutRef.replace(/^demo_/, "demo_sub_");
}

export function beginDemoSubscription(
  checkout: Pick<DemoCheckoutDoc, "_id" | "accountId" | "subscriptionId" | "items" | "currency" | "every">,
  { at, declines }: { at: Date; declines: boolean },
): DemoSubscriptionDoc | null {
  const { _id, accountId, subscriptionId = null, items, currency, every } = checkout;
  const ref = refOf(_id, every);
  const [item] = items;
  if (every === "once" || ref === null || !item) return null;
  const paidUntil = after(at, every);
  return {
    _id: ref,
    accountId,
    subscriptionId,
    item,
    currency,
    every,
    paidFrom: at,
    paidUntil,
    endsThen: false,
    next: null,
    declines,
    failures: 0,
    events: 0,
    lastKey: null,
    next_at: paidUntil,
  };
}

/** Renews or ends one due subscription. Returns whether there was one. */
export async function renewDemoSubscription(own: Own): Promise<boolean> {
  const { mongo } = own;
  return inTx(own, async (tx) => {
    const due = await findDueDemoSubscription(mongo.db, tx.now, tx);
    if (!due) return false;
    if (due.endsThen || due.failures >= MAX_FAILURES) await over(mongo, due, tx);
    else if (due.declines) {
      const failed = { ...due, failures: due.failures + 1, next_at: new Date(tx.now.getTime() + RETRY_MS) };
      await tell(mongo, failed, { kind: "renewal_failed", ...factsOf(due) }, tx);
    } else await renew(mongo, due, tx);
    return true;
  });
}

export async function endDemoPeriod(mongo: Mongo, ref: string, tx: TxContext): Promise<void> {
  const found = await findDemoSubscription(mongo.db, ref, tx);
  if (found?.next_at)
    await saveDemoSubscription(mongo.db, { ...found, paidUntil: tx.now, next_at: tx.now }, tx);
}

export async function readDemoSubscription(mongo: Mongo, ref: string): Promise<ProviderSubscription | null> {
  const found = await findDemoSubscription(mongo.db, ref);
  if (!found) return null;
  const { paidUntil, endsThen, item, every, next, next_at } = found;
  return {
    hasEnded: next_at === null,
    paidUntil,
    endsThen,
    price: { amountCents: item.amountCents, every },
    nextPrice: next && { amountCents: next.item.amountCents, every: next.every },
  };
}

export async function cancelDemoSubscription(
  own: Own,
  { ref, when }: Parameters<PaymentProvider["cancelSubscription"]>[0],
): Promise<void> {
  const { mongo } = own;
  await inTx(own, async (tx) => {
    const found = await find(mongo, ref, tx);
    if (when === "now" && found.next_at === null) return;
    checkLive(found);
    if (when === "now") await over(mongo, found, tx);
    else await saveDemoSubscription(mongo.db, { ...found, endsThen: when === "period_end" }, tx);
  });
}

export async function changeDemoSubscription(
  own: Own,
  { ref, item, every, when, idempotencyKey }: Parameters<PaymentProvider["changeSubscription"]>[0],
): Promise<void> {
  const { mongo } = own;
  await inTx(own, async (tx) => {
    const found = await find(mongo, ref, tx);
    if (found.lastKey === idempotencyKey) return;
    checkLive(found);
    if (when === "period_end") {
      const planned = { ...found, next: { item, every }, lastKey: idempotencyKey };
      return saveDemoSubscription(mongo.db, planned, tx);
    }
    if (found.declines)
      throw new PaymentProviderFailed("the card was declined", { isFinal: true, why: "declined" });
    const paidUntil = after(tx.now, every);
    const changed: DemoSubscriptionDoc = {
      ...found,
      item,
      every,
      next: null,
      lastKey: idempotencyKey,
      paidFrom: tx.now,
      paidUntil,
      next_at: paidUntil,
    };
    const amountCents = Math.max(item.amountCents - unused(found, tx.now), 0);
    const period = { from: tx.now, until: paidUntil };
    const payment = { ...paymentOf(found, amountCents, tx.now), period };
    const priceCents = item.amountCents;
    await tell(mongo, changed, { kind: "change_paid", ...factsOf(found), payment, priceCents }, tx);
  });
}

async function find(mongo: Mongo, ref: string, tx: TxContext): Promise<DemoSubscriptionDoc> {
  const found = await findDemoSubscription(mongo.db, ref, tx);
  if (found) return found;
  throw new PaymentProviderFailed("the demo provider has no such subscription", { isFinal: true });
}

function checkLive({ next_at }: DemoSubscriptionDoc): void {
  if (next_at === null) throw new PaymentProviderFailed("the subscription is over", { isFinal: true });
}

async function renew(mongo: Mongo, due: DemoSubscriptionDoc, tx: TxContext): Promise<void> {
  const { item, every } = due.next ?? due;
  const until = after(due.paidUntil, every);
  const period = { from: due.paidUntil, until };
  const payment = { ...paymentOf(due, item.amountCents, tx.now), period };
  const renewed = {
    ...due,
    item,
    every,
    next: null,
    failures: 0,
    paidFrom: period.from,
    paidUntil: until,
    next_at: until,
  };
  await tell(mongo, renewed, { kind: "renewed", ...factsOf(due), payment }, tx);
}

async function over(mongo: Mongo, due: DemoSubscriptionDoc, tx: TxContext): Promise<void> {
  const news = { kind: "subscription_ended", ...factsOf(due) } as const;
  await tell(mongo, { ...due, next_at: null }, news, tx);
}

/** Writes the changed subscription with an event that reports it. */
async function tell(
  mongo: Mongo,
  subscription: DemoSubscriptionDoc,
  news: PaymentEventBody,
  tx: TxContext,
): Promise<void> {
  const counted = { ...subscription, events: subscription.events + 1 };
  await saveDemoSubscription(mongo.db, counted, tx);
  const id = `${counted._id}_${counted.events}_${news.kind}`;
  await sendDemoEvent(mongo, { id, at: tx.now, news }, { delivery: "once", tx });
}

function paymentOf({ _id, events, currency }: DemoSubscriptionDoc, amountCents: number, at: Date): Payment {
  return { ref: `${_id}_pay_${events + 1}`, amountCents, taxCents: 0, currency, at };
}

/** The price of the remaining time of the paid period. */
function unused({ item, paidFrom, paidUntil }: DemoSubscriptionDoc, now: Date): number {
  const wholeMs = paidUntil.getTime() - paidFrom.getTime();
  const leftMs = Math.min(Math.max(paidUntil.getTime() - now.getTime(), 0), wholeMs);
  return wholeMs <= 0 ? 0 : Math.round((item.amountCents * leftMs) / wholeMs);
}

function factsOf({ _id, subscriptionId }: Pick<DemoSubscriptionDoc, "_id" | "subscriptionId">): {
  subscriptionRef: string;
  subscriptionId: string | null;
} {
  return { subscriptionRef: _id, subscriptionId };
}

function after(at: Date, every: "month" | "year"): Date {
  return monthsLater(at, every === "month" ? 1 : 12);
}
