// The parts of subscriptions that processes need.
import type { Slice } from "../../kernel/slice.ts";
import { endSubscriptionsOf, measureSubscriptions } from "./any-subscription.ts";
import { compareSubscription } from "./compare.ts";
import { endDueSubscriptions } from "./end-due.ts";
import { toSubscription } from "./resource.ts";
import { subscriptionsHandlers } from "./rpc.ts";
import { eraseSubscriptions, findSubscriptions, SUBSCRIPTION_COLLECTIONS } from "./store.ts";

const POLL_MS = 1_000;

export const subscriptionsSlice: Slice = {
  name: "shop/subscriptions",
  collections: SUBSCRIPTION_COLLECTIONS,
  serve: (app) => ({ Subscriptions: subscriptionsHandlers(app) }),
  observe: (app) =>
    app.metrics.gauges(
      "subscriptions",
      "Subscriptions that have not ended, by what they are of and their state.",
      ["kind", "what", "state"],
      () => measureSubscriptions(app),
    ),
  owned: {
    export: {
      parts: async (app, accountId) => ({
        subscriptions: await Promise.all(
          (await findSubscriptions(app.mongo.db, accountId)).map((each) => toSubscription(app, each)),
        ),
      }),
    },
    erase: {
      closing: (app, { accountId }, tx) => endSubscriptionsOf(app, accountId, tx),
      afterClosing: ({ mongo }, accountId) => eraseSubscriptions(mongo.db, accountId),
    },
  },
  loops: [
    {
      what: "end subscriptions whose time is over",
      everyMs: POLL_MS,
      step: endDueSubscriptions,
    },
    {
      what: "compare subscriptions with payment providers",
      everyMs: POLL_MS,
      drain: async (app) => (await compareSubscription(app)) !== undefined,
    },
  ],
};
