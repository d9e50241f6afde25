// The invariants between an account's subscriptions, its plan and membership, and its orders. This file is pure and independent of the
// rules of subscriptions.
import { withoutPrefix } from "../../../runtime/clock.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import type { OrderDoc } from "../../shop/orders/store.ts";
import type { SubscriptionDoc } from "../../shop/subscriptions/store.ts";

export type Subscribed = {
  readonly account: Pick<AccountDoc, "plan" | "membership" | "status">;
  readonly subscriptions: readonly SubscriptionDoc[];
  readonly orders: readonly OrderDoc[];
};

export function checkSubscriptions(subscribed: Subscribed): string[] {
  const { subscriptions, orders } = subscribed;
  const byId = new Map(subscriptions.map((subscription) => [subscription._id, subscription]));
  return [
    ...subscriptions.flatMap((subscription) => checkSubscription(subscription, subscribed)),
    ...orders.flatMap((order) => checkOrder(order, byId)),
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

function checkOrder(order: OrderDoc, byId: ReadonlyMap<string, SubscriptionDoc>): string[] {
  if (order.kind !== "plan" && order.kind !== "membership") return [];
  const where = `order ${order._id}`;
  if (!order.events.some(({ type }) => type === "fulfilled")) return [];
  const subscription = byId.get(order.subscription?.id ?? "");
  if (!subscription) return [`${where}: was fulfilled, and its subscription is not there`];
  if (order.state === "refunded" && subscription.state !== "ended")
    return [`${where}: is refunded, and its subscription ${subscription._id} goes on`];
  return subscription.kind === order.kind ? [] : [`${where}: is for something else than its subscription`];
}
