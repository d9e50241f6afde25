// The Subscriptions service: decode, call the verb, encode.
import { oneOf } from "../../../proto/codes.ts";
import { SUBSCRIPTION_KINDS, type SubscriptionKind } from "../../../proto/resources/subscription.ts";
import type { SubscriptionsDefinition } from "../../../proto/types/atelier/v1/Subscriptions.ts";
import { signedInAccount } from "../../identity/accounts/signed-in-account.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import {
  cancelSubscription,
  changeSubscription,
  dropChange,
  openPortal,
  quoteChange,
  resumeSubscription,
} from "./change.ts";
import { endPeriodOfDemo } from "./end-demo-period.ts";
import { quoteMessage, subscriptionMessage } from "./resource.ts";
import { findSubscriptions } from "./store.ts";

export function subscriptionsHandlers(app: App): Handlers<SubscriptionsDefinition> {
  return {
    ListSubscriptions: async (_request, { caller }) => {
      const found = await findSubscriptions(app.mongo.db, await signedInAccount(app, caller));
      return { subscriptions: await Promise.all(found.map((each) => subscriptionMessage(app, each))) };
    },

    QuoteChange: async ({ kind, what, interval }, { caller }) => {
      const accountId = await signedInAccount(app, caller);
      return quoteMessage(await quoteChange(app, accountId, { kind: decodeKind(kind), what, interval }));
    },

    ChangeSubscription: async ({ kind, what, interval, expected_cents: expectedCents }, { caller }) => {
      const accountId = await signedInAccount(app, caller);
      const wanted = { kind: decodeKind(kind), what, interval, expectedCents };
      return subscriptionMessage(app, await changeSubscription(app, accountId, wanted));
    },

    DropChange: async ({ kind }, { caller }) =>
      subscriptionMessage(app, await dropChange(app, await signedInAccount(app, caller), decodeKind(kind))),

    CancelSubscription: async ({ kind }, { caller }) =>
      subscriptionMessage(
        app,
        await cancelSubscription(app, await signedInAccount(app, caller), decodeKind(kind)),
      ),

    ResumeSubscription: async ({ kind }, { caller }) =>
      subscriptionMessage(
        app,
        await resumeSubscription(app, await signedInAccount(app, caller), decodeKind(kind)),
      ),

    EndDemoPeriod: async ({ kind }, { caller }) =>
      subscriptionMessage(
        app,
        await endPeriodOfDemo(app, await signedInAccount(app, caller), decodeKind(kind)),
      ),

    OpenPortal: async ({ kind }, { caller }) => ({
      url: (await openPortal(app, await signedInAccount(app, caller), decodeKind(kind))) ?? "",
    }),
  };
}

/** Throws invalid_request. */
function decodeKind(kind: string): SubscriptionKind {
  return oneOf("kind", SUBSCRIPTION_KINDS, kind);
}
