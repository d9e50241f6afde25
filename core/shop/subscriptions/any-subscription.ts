// Subscriptions as their owners find them, and as operators find and end them.
import { AppError, oneOf } from "../../../proto/codes.ts";
import { SUBSCRIPTION_STATES } from "../../../proto/resources/subscription.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { type Page, pageById, type PageRequest } from "../../kernel/page.ts";
import { ended } from "./bought-subscription.ts";
import { compareSubscription } from "./compare.ts";
import { keep } from "./entitle.ts";
import { REASONS } from "./rules.ts";
import {
  countLive,
  countUntold,
  findAnySubscriptions,
  findSubscription,
  findSubscriptions,
  type LiveSubscriptions,
  saveSubscription,
  type SubscriptionDoc,
} from "./store.ts";

/** After this many attempts it is unlikely to succeed automatically. */
const MANY_ATTEMPTS = 3;

/** Newest first; of one account, or of all. An empty state is any. Throws invalid_request. */
export async function listAnySubscriptions(
  app: App,
  { accountId, state }: { accountId: string | undefined; state: string },
  request: PageRequest,
): Promise<Page<SubscriptionDoc>> {
  const wanted = state === "" ? undefined : oneOf("state", SUBSCRIPTION_STATES, state);
  return pageById(request, (beforeId, limit) =>
    findAnySubscriptions(app.mongo.db, { accountId, state: wanted, beforeId }, limit),
  );
}

/** Throws not_found. */
export async function findAnySubscription(app: App, id: string): Promise<SubscriptionDoc> {
  return (await findSubscription(app.mongo.db, id)) ?? none();
}

/** Ends it immediately, with its plan or membership; the owner gets `note`. Throws not_found, and order_conflict if it has ended. */
export async function endAnySubscription(app: App, id: string, note: string): Promise<SubscriptionDoc> {
  const over = await inTx(app, async (tx) => {
    const before = (await findSubscription(app.mongo.db, id, tx)) ?? none();
    if (before.state === "ended")
      throw new AppError("order_conflict", { message: "The subscription has ended already." });
    return keep(app, tx, before, ended(before, note || REASONS.operator, tx.now));
  });
  return (await compareSubscription(app, id)) ?? over;
}

/** Subscriptions that differ from what their provider should have. */
export async function measureUntold({ mongo }: Pick<App, "mongo">): Promise<number> {
  return countUntold(mongo.db, MANY_ATTEMPTS);
}

function none(): never {
  throw new AppError("not_found", {
    message: "There is no such subscription.",
    hint: "Use a subscription_id from the list of subscriptions.",
  });
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
