// The invariants between an account's orders and their payments, licences and ledger entries. This file is pure and shares no decision with
// the rules of orders.
import { withoutPrefix } from "../../../runtime/clock.ts";
import { isQueued } from "../../base/work/rules.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import type { LedgerDoc } from "../../identity/credits/store.ts";
import type { LicenceDoc } from "../../shop/memberships/store.ts";
import type { OrderDoc, PaymentDoc } from "../../shop/orders/store.ts";
import type { SubscriptionDoc } from "../../shop/subscriptions/store.ts";

/** The purchases of one account. `entries` are those that name an order. */
export type Purchases = {
  readonly orders: readonly OrderDoc[];
  readonly payments: readonly PaymentDoc[];
  readonly licences: readonly LicenceDoc[];
  readonly entries: readonly Pick<LedgerDoc, "_id" | "kind" | "amount">[];
  /** True for a deleted account, which no longer has licences. */
  readonly isDeleted: boolean;
  /** When the first order of the installation was placed; older licences have no order. */
  readonly ordersSince: Date | undefined;
};

/** Purchased credits, or monthly credits that were taken back with a plan's payment. */
const ENTRY_OF_ORDER = /^led_(?:([^_]+)_o\d+|.+_monthly_.+_back_([^_]+))$/;

export function isEntryOfOrder(entryId: string): boolean {
  return ENTRY_OF_ORDER.test(entryId);
}

function orderOfEntry(entryId: string): string {
  const [, bought, taken] = ENTRY_OF_ORDER.exec(entryId) ?? [];
  return `ord_${bought ?? taken ?? ""}`;
}

export function checkPurchases(purchases: Purchases): string[] {
  const { orders, payments, licences, entries } = purchases;
  const byId = new Map(orders.map((order) => [order._id, order]));
  return [
    ...orders.flatMap((order) => checkOrder(order, purchases)),
    ...payments.flatMap((payment) => checkPayment(payment, byId.get(payment.order_id ?? ""))),
    ...licences.flatMap((licence) => checkLicence(licence, byId, purchases.ordersSince)),
    ...entries
      .filter(({ _id }) => !byId.has(orderOfEntry(_id)))
      .map(({ _id }) => `ledger entry ${_id}: is of an order that is not there`),
  ];
}

function checkOrder(
  order: OrderDoc,
  { orders, payments, licences, entries, isDeleted }: Purchases,
): string[] {
  const where = `order ${order._id}`;
  const wrong: string[] = [];
  const happened = (type: string) => order.events.some((event) => event.type === type);
  const wasGiven = happened("fulfilled");
  if (order.events.some(({ seq }, i) => seq !== i + 1))
    wrong.push(`${where}: its events are not numbered in turn`);
  const came = order.items.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const off = (order.reductions ?? []).reduce((sum, { cents }) => sum + cents, 0);
  if (came - off !== order.amount_cents)
    wrong.push(
      `${where}: costs ${order.amount_cents} cents, and its items less ${off} come to ${came - off}`,
    );
  wrong.push(...checkUpgrade(order, where, orders));
  if (order.state === "paid") wrong.push(`${where}: is paid and not fulfilled`);
  const shouldBeGiven = order.state === "fulfilled" || order.state === "disputed";
  if (shouldBeGiven !== wasGiven && order.state !== "refunded")
    wrong.push(`${where}: is ${order.state} and was ${wasGiven ? "" : "not "}fulfilled`);
  if (wasGiven && order.amount_cents > 0) wrong.push(...checkPaid(order, where, payments));
  if (!shouldBeGiven) {
    for (const { _id, state, order_id } of payments)
      if (order_id === order._id && state === "kept")
        wrong.push(`${where}: is ${order.state}, and its payment ${_id} is kept`);
  }
  wrong.push(...checkPayable(order, where, payments));
  const licence = licences.find(({ order_id }) => order_id === order._id);
  if (order.kind === "product" && !isDeleted) {
    if (wasGiven !== (licence !== undefined))
      wrong.push(`${where}: was ${wasGiven ? "" : "not "}fulfilled and has ${licence ? "a" : "no"} licence`);
    if (licence && licence.revoked_at === null && (order.state === "refunded" || order.state === "disputed"))
      wrong.push(`${where}: is ${order.state}, and its licence ${licence._id} is live`);
  }
  if (order.kind === "credits" || order.kind === "plan")
    wrong.push(...checkCredits(order, where, wasGiven, entries));
  return wrong;
}

/** An upgrade requires a paid licence to build on. */
function checkUpgrade(order: OrderDoc, where: string, orders: readonly OrderDoc[]): string[] {
  const upgrade = order.reductions?.find(({ kind }) => kind === "upgrade");
  if (!upgrade) return [];
  const base = orders.find(({ _id }) => _id === upgrade.order_id);
  const what = `${where}: upgrades the licence of order ${upgrade.order_id ?? ""}, which`;
  if (!base) return [`${what} is not there`];
  // A remainder below half a dollar, which no provider charges, comes off with it.
  const most = base.amount_cents + (order.amount_cents === 0 ? 49 : 0);
  if (upgrade.cents > most) return [`${what} cost less than what it takes off`];
  const isHad = base.state === "fulfilled" || base.state === "disputed";
  return order.state === "fulfilled" && !isHad ? [`${what} is ${base.state}`] : [];
}

/** At most one payment stays with an order, and at most one more is possible. */
function checkPayable(order: OrderDoc, where: string, payments: readonly PaymentDoc[]): string[] {
  const wrong: string[] = [];
  const kept = payments.filter(({ state, order_id }) => state === "kept" && order_id === order._id);
  if (kept.length > 1)
    wrong.push(
      `${where}: was paid ${kept.length} times and not refunded: ${kept.map(({ _id }) => _id).join(", ")}`,
    );
  const open = (order.checkouts_made ?? []).filter(({ state }) => state !== "closed");
  if (open.length > 1) wrong.push(`${where}: has ${open.length} checkouts that can be paid`);
  if (open.length > 0 && !isQueued(order))
    wrong.push(`${where}: has a checkout that can be paid, and no check of it with the provider is due`);
  return wrong;
}

/** A checkout that can be paid at its provider, and its order. */
export function checkOpenCheckout(
  { ref, orderId }: { ref: string; orderId: string },
  order: Pick<OrderDoc, "state" | "provider_ref" | "checkouts_made"> | undefined,
): string[] {
  const where = `checkout ${ref}`;
  if (!order) return [`${where}: can be paid, and its order ${orderId} is not there`];
  // A response that is not stored yet, and which the order will request again, may concern this checkout.
  const made = order.checkouts_made?.find(
    (one) => one.ref === ref || (one.ref === null && one.state !== "closed"),
  );
  if (order.provider_ref !== ref && !made)
    return [`${where}: can be paid, and the order ${orderId} does not name it`];
  const isClosed = made ? made.state === "closed" : order.state !== "placed";
  return isClosed ? [`${where}: can be paid, and the order ${orderId} says that it is closed`] : [];
}

function checkPaid(order: OrderDoc, where: string, payments: readonly PaymentDoc[]): string[] {
  const payment = payments.find(({ ref, order_id }) => ref === order.payment_ref && order_id === order._id);
  const wrong: string[] = [];
  if (!payment) wrong.push(`${where}: was fulfilled without a payment`);
  else if (payment.amount_cents !== order.amount_cents + order.tax_cents)
    wrong.push(
      `${where}: costs ${order.amount_cents + order.tax_cents} cents and ${payment.amount_cents} were paid`,
    );
  if (payment?.state === "kept" && order.state === "refunded")
    wrong.push(`${where}: is refunded, and its payment is kept`);
  if (order.receipt_number === null) wrong.push(`${where}: was paid and has no receipt number`);
  return wrong;
}

function checkCredits(
  order: OrderDoc,
  where: string,
  wasGiven: boolean,
  entries: Purchases["entries"],
): string[] {
  const own = entries.filter(({ _id }) => orderOfEntry(_id) === order._id);
  const sum = own.reduce((total, { amount }) => total + amount, 0);
  const wanted = wasGiven ? (order.items[0]?.credits ?? 0) - order.credits_taken_back : 0;
  return sum === wanted ? [] : [`${where}: its entries come to ${sum} credits in place of ${wanted}`];
}

/** A payment pays for an order or is refunded. */
function checkPayment(payment: PaymentDoc, order: OrderDoc | undefined): string[] {
  const where = `payment ${payment._id}`;
  if (!order) return [`${where}: its order ${payment.order_id ?? ""} is not one of the account`];
  const isItsOwn = order.payment_ref === payment.ref;
  const wrong: string[] = [];
  if (payment.state === "kept" && !(isItsOwn && (order.state === "fulfilled" || order.state === "disputed")))
    wrong.push(
      `${where}: is kept, and the order ${order._id} is ${order.state}${isItsOwn ? "" : " by another one"}`,
    );
  if (payment.state === "given_back" && isItsOwn && order.state === "fulfilled")
    wrong.push(`${where}: was refunded, and the order ${order._id} is fulfilled`);
  if ((payment.state === "to_give_back") !== isQueued(payment))
    wrong.push(`${where}: is ${payment.state} and ${isQueued(payment) ? "is" : "is not"} due`);
  return wrong;
}

function checkLicence(
  licence: LicenceDoc,
  byId: ReadonlyMap<string, OrderDoc>,
  ordersSince: Date | undefined,
): string[] {
  const where = `licence ${licence._id}`;
  const { order_id: orderId, source, granted_at } = licence;
  if (source !== "purchase" || orderId === null) return [];
  if (orderId === undefined)
    return ordersSince && granted_at >= ordersSince
      ? [`${where}: was bought, and neither by an order nor given by an operator`]
      : [];
  const order = byId.get(orderId);
  if (!order) return [`${where}: its order ${orderId} is not there`];
  const { product_id, licence: kind } = order.items[0] ?? {};
  return product_id === licence.product_id && kind === licence.kind
    ? []
    : [`${where}: its order ${orderId} is for something else`];
}

type Subscribed = {
  readonly account: Pick<AccountDoc, "plan" | "membership" | "status">;
  readonly subscriptions: readonly SubscriptionDoc[];
  readonly orders: readonly OrderDoc[];
};

export function checkSubscriptions(subscribed: Subscribed): string[] {
  const { subscriptions, orders } = subscribed;
  const byId = new Map(subscriptions.map((subscription) => [subscription._id, subscription]));
  return [
    ...subscriptions.flatMap((subscription) => checkSubscription(subscription, subscribed)),
    ...orders.flatMap((order) => checkOrderOfSubscription(order, byId)),
  ];
}

function checkSubscription(subscription: SubscriptionDoc, { account, orders }: Subscribed): string[] {
  const where = `subscription ${subscription._id}`;
  const { state, kind, what, ended_at, due_at, events, period_end } = subscription;
  const wrong: string[] = [];
  if (events.some(({ seq }, i) => seq !== i + 1)) wrong.push(`${where}: its events are not numbered in turn`);
  const isLive = state !== "ended";
  if (isLive === (ended_at !== null))
    wrong.push(`${where}: is ${state} and ${ended_at ? "has" : "has no"} end`);
  if (isLive !== (due_at !== null)) wrong.push(`${where}: is ${state} and is ${due_at ? "" : "not "}due`);
  if (subscription.change && !subscription.work?.due_at)
    wrong.push(`${where}: its change is not due at its provider`);
  if ((state === "past_due") !== (subscription.grace_until !== null))
    wrong.push(`${where}: is ${state} and has ${subscription.grace_until ? "a" : "no"} grace`);
  if (!isLive) return wrong;
  if (account.status === "deleted") return [...wrong, `${where}: goes on, and its account is deleted`];
  const paid = orders.find(({ _id }) => withoutPrefix(_id) === withoutPrefix(subscription._id));
  if (!paid?.events.some(({ type }) => type === "fulfilled"))
    wrong.push(`${where}: is had without an order that was fulfilled`);
  if (subscription.suspended_at !== null) return wrong;
  if (kind === "plan" && account.plan !== what)
    wrong.push(`${where}: is of the plan ${what}, and the account is on ${account.plan}`);
  const { membership } = account;
  if (kind === "membership" && (membership?.tier !== what || membership.period_end < period_end))
    wrong.push(
      `${where}: is of the tier ${what} until ${period_end.toISOString()}, and the membership is not`,
    );
  return wrong;
}

function checkOrderOfSubscription(order: OrderDoc, byId: ReadonlyMap<string, SubscriptionDoc>): string[] {
  if (order.kind !== "plan" && order.kind !== "membership") return [];
  const where = `order ${order._id}`;
  if (!order.events.some(({ type }) => type === "fulfilled")) return [];
  const subscription = byId.get(order.subscription?.id ?? "");
  if (!subscription) return [`${where}: was fulfilled, and its subscription is not there`];
  if (order.state === "refunded" && subscription.state !== "ended")
    return [`${where}: is refunded, and its subscription ${subscription._id} goes on`];
  return subscription.kind === order.kind ? [] : [`${where}: is for something else than its subscription`];
}
