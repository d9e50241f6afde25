// An account's subscriptions: for its owner, for its export, and what to do with them when the account is deleted.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { ended } from "./bought-subscription.ts";
import { REASONS } from "./reasons.ts";
import {
  findSubscriptions,
  type LiveSubscriptions,
  countLive,
  saveSubscription,
  type SubscriptionDoc,
} from "./store.ts";

/** Newest first. */
export async function listSubscriptions(app: App, accountId: string): Promise<SubscriptionDoc[]> {
  return findSubscriptions(app.mongo.db, accountId);
}

/** Nothing more is charged: a worker cancels it at the provider, with retries. */
export async function endSubscriptionsOf(
  app: Pick<App, "mongo">,
  accountId: string,
  tx: TxContext,
): Promise<void> {
  for (const subscription of await findSubscriptions(app.mongo.db, accountId, tx))
    if (subscription.state !== "ended")
      await saveSubscription(app.mongo.db, ended(subscription, REASONS.deleted, tx.now), tx);
}

/** How many have not ended, by plan or tier. */
export async function measureSubscriptions({
  mongo,
}: Pick<App, "mongo">): Promise<{ labels: Omit<LiveSubscriptions, "count">; value: number }[]> {
  return (await countLive(mongo.db)).map(({ count, ...labels }) => ({ labels, value: count }));
}
