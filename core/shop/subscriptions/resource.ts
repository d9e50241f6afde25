// Subscriptions as clients see them.
import { toMessage } from "../../../proto/codec.ts";
import {
  type ChangeQuoteResource,
  changeQuoteSchema,
  type SubscriptionResource,
  subscriptionSchema,
} from "../../../proto/resources/subscription.ts";
import type { ChangeQuoteInput } from "../../../proto/types/atelier/v1/ChangeQuote.ts";
import type { SubscriptionInput } from "../../../proto/types/atelier/v1/Subscription.ts";
import { isQueued } from "../../base/work/rules.ts";
import type { App } from "../../kernel/app.ts";
import type { ChangeQuote } from "./change.ts";
import { nameOffer } from "./offers.ts";
import type { SubscriptionDoc } from "./store.ts";

export async function toSubscription(app: App, subscription: SubscriptionDoc): Promise<SubscriptionResource> {
  const { kind, what, interval, price_cents, currency, state, next_change } = subscription;
  return {
    subscription_id: subscription._id,
    kind,
    what,
    name: await nameOffer(app, kind, subscription),
    interval,
    price_cents,
    currency,
    state,
    period_start: subscription.period_start.toISOString(),
    period_end: subscription.period_end.toISOString(),
    grace_until: subscription.grace_until?.toISOString() ?? null,
    is_suspended: subscription.suspended_at !== null,
    is_changing: isQueued(subscription) && (subscription.change ?? next_change) !== null,
    next_change,
    created_at: subscription.created_at.toISOString(),
    ended_at: subscription.ended_at?.toISOString() ?? null,
    events: subscription.events.map(({ seq, type, at, note }) => ({ seq, type, at: at.toISOString(), note })),
  };
}

/** With the fields that only operators see. */
export async function subscriptionMessage(
  app: App,
  subscription: SubscriptionDoc,
): Promise<SubscriptionInput> {
  const { account_id, provider, provider_ref } = subscription;
  return toMessage(subscriptionSchema, await toSubscription(app, subscription), {
    account_id,
    provider,
    provider_ref,
  });
}

export function quoteMessage(quote: ChangeQuote): ChangeQuoteInput {
  const { offer, name, when, dueCents, unusedCents, renewsAt, creditsNow } = quote;
  const resource: ChangeQuoteResource = {
    offer,
    name,
    when,
    due_cents: dueCents,
    unused_cents: unusedCents,
    renews_at: renewsAt.toISOString(),
    credits_now: creditsNow,
  };
  return toMessage(changeQuoteSchema, resource);
}
