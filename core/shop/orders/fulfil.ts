// The effect of each kind of order when it is paid, and how that is taken back. There is one row for each kind.
import { AppError } from "../../../proto/codes.ts";
import { LICENCE_KINDS } from "../../../proto/resources/membership.ts";
import type { OrderKind } from "../../../proto/resources/order.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import {
  giveBoughtCredits,
  restoreBoughtCredits,
  takeBoughtCredits,
} from "../../identity/credits/bought-credits.ts";
import { takePlanCredits } from "../../identity/credits/take-plan-credits.ts";
import type { App } from "../../kernel/app.ts";
import { findProduct } from "../catalog/find-product.ts";
import { giveBoughtLicence, restoreBoughtLicence, takeBoughtLicence } from "../memberships/bought-licence.ts";
import {
  beginSubscription,
  type BoughtSubscription,
  endSubscription,
  payChange,
  renewSubscription,
  restSubscription,
  wasPaidSince,
} from "../subscriptions/bought-subscription.ts";
import { REASONS as SUBSCRIPTION_REASONS } from "../subscriptions/rules.ts";
import { findOrder, findUpgradesOf, type OrderDoc, type OrderedSubscription } from "./store.ts";

export type Delivery = { app: App; tx: TxContext; order: OrderDoc; account: AccountDoc };

/** The credits that were taken back with it, and those that are gone because they were spent or expired. */
export type TakenBack = { readonly taken: number; readonly gone: number };
const NO_CREDITS: TakenBack = { taken: 0, gone: 0 };

export type Fulfilment = {
  /**
   * Gives what was bought. Throws AppError, before or after it has written, if that is no longer possible; then the payment is refunded.
   */
  give(delivery: Delivery): Promise<void>;
  /** Takes it back, permanently or until a dispute is decided. */
  takeBack(delivery: Delivery, isPermanent: boolean): Promise<TakenBack>;
  /** Gives again what was suspended, after a won dispute. */
  restore(delivery: Delivery): Promise<void>;
};

const product: Fulfilment = {
  give: async ({ app, tx, order, account }) => {
    const item = itemOf(order);
    const kind = LICENCE_KINDS.find((known) => known === item.licence);
    // A product that was for sale when the order was placed may be archived since; it is delivered anyway.
    const found = await findProduct(app, item.product_slug ?? "");
    if (!kind || !found)
      throw new AppError("not_for_sale", { message: "The product does not exist any more." });
    const upgradeOf = upgradedBy(order);
    await giveBoughtLicence(app, tx, { account, product: found, kind }, { orderId: order._id, upgradeOf });
  },
  // An upgrade is suspended with the licence that it builds on.
  takeBack: async ({ app, tx, order }, isPermanent) => {
    await takeBoughtLicence(app, tx, order._id, isPermanent);
    for (const { _id } of isPermanent ? [] : await findUpgradesOf(app.mongo.db, order, ["fulfilled"], tx))
      await takeBoughtLicence(app, tx, _id, false);
    return NO_CREDITS;
  },
  restore: async ({ app, tx, order }) => {
    const base = upgradedBy(order);
    // While that is disputed, it stays suspended with it.
    if (base !== undefined && (await findOrder(app.mongo.db, base, tx))?.state === "disputed") return;
    await restoreBoughtLicence(app, tx, order._id);
    for (const { _id } of await findUpgradesOf(app.mongo.db, order, ["fulfilled"], tx))
      await restoreBoughtLicence(app, tx, _id);
  },
};

const credits: Fulfilment = {
  give: ({ app, tx, order }) =>
    giveBoughtCredits(app, tx, { ...creditsOf(order), credits: itemOf(order).credits ?? 0 }),
  takeBack: async ({ app, tx, order }) => {
    const left = (itemOf(order).credits ?? 0) - order.credits_taken_back;
    // The rest was taken when the dispute began.
    if (order.state === "disputed") return { taken: 0, gone: left };
    const taken = await takeBoughtCredits(app, tx, { ...creditsOf(order), credits: left });
    return { taken, gone: left - taken };
  },
  restore: ({ app, tx, order }) =>
    restoreBoughtCredits(app, tx, { ...creditsOf(order), credits: order.credits_taken_back }),
};

/** A plan or a membership: the first order begins it, each further one pays for a period or a change. */
const subscription: Fulfilment = {
  give: async ({ app, tx, order }) => {
    const { id, about, period } = subscriptionOfOrder(order);
    if (about === "join") await beginSubscription(app, tx, boughtBy(order));
    else if (about === "change") await payChange(app, tx, id, boughtBy(order).offer);
    else if (period) await renewSubscription(app, tx, id, period);
  },
  takeBack: async ({ app, tx, order }, isPermanent) => {
    const { id, about, period } = subscriptionOfOrder(order);
    if (!isPermanent) {
      await restSubscription(app, tx, id, "suspended");
      return NO_CREDITS;
    }
    await endSubscription(app, tx, id, SUBSCRIPTION_REASONS.refunded);
    const { plan } = itemOf(order);
    if (!plan || !order.paid_at) return NO_CREDITS;
    return takePlanCredits(app, tx, {
      accountId: order.account_id,
      orderId: order._id,
      plan,
      isTopUp: about !== "renewal",
      paidFor: about === "renewal" && period ? period.from : order.paid_at,
      isNewest: !(await wasPaidSince(app, tx, id, { about, paidAt: order.paid_at })),
    });
  },
  restore: ({ app, tx, order }) => restSubscription(app, tx, subscriptionOfOrder(order).id, "restored"),
};

const FULFILMENTS: Readonly<Record<OrderKind, Fulfilment>> = {
  product,
  credits,
  plan: subscription,
  membership: subscription,
};

export function fulfilmentOf({ kind }: OrderDoc): Fulfilment {
  return FULFILMENTS[kind];
}

/** The subscription that an order started at a provider, if it is paid by the period. */
export function boughtBy(order: OrderDoc): BoughtSubscription {
  const { plan, tier, interval, amount_cents: price_cents } = itemOf(order);
  const { ref: providerRef, period } = subscriptionOfOrder(order);
  return {
    orderId: order._id,
    accountId: order.account_id,
    kind: order.kind === "plan" ? "plan" : "membership",
    offer: { what: plan ?? tier ?? "", interval: interval ?? "month", price_cents },
    currency: order.currency,
    provider: order.provider ?? "",
    providerRef,
    period,
  };
}

function subscriptionOfOrder({ _id, subscription: found }: OrderDoc): OrderedSubscription {
  if (!found)
    throw new AppError("not_for_sale", { message: `The provider began no subscription for order ${_id}.` });
  return found;
}

/** The order of the licence that an upgrade builds on; undefined for everything else. */
export function upgradedBy({ reductions }: Pick<OrderDoc, "reductions">): string | undefined {
  return reductions?.find(({ kind }) => kind === "upgrade")?.order_id ?? undefined;
}

export function itemOf({ _id, items }: OrderDoc): OrderDoc["items"][number] {
  const [item] = items;
  if (!item) throw new Error(`order ${_id} has no item`);
  return item;
}

/** The entry is named after the event that is about to be written. */
function creditsOf({ _id, account_id, events }: OrderDoc): {
  orderId: string;
  accountId: string;
  seq: number;
} {
  return { orderId: _id, accountId: account_id, seq: events.length + 1 };
}
