// The Stripe provider: people pay on Stripe's pages, and no card number ever comes here.
import type { Stripe } from "stripe";
import type { Clock } from "../../../runtime/clock.ts";
import type { Mongo } from "../../base/mongo/client.ts";
import type { NewCheckout, OpenCheckout, PaymentProvider } from "./provider.ts";
import { findCustomer, putCustomer } from "./store.ts";
import {
  createStripeCalls,
  isMissing,
  isRefusal,
  keyFor,
  type StripeCalls,
  type StripeOptions,
} from "./stripe-calls.ts";
import { readStripeEvent, verifyEvent } from "./stripe-events.ts";
import { ownerOf, SESSION_PARTS, toCheckout } from "./stripe-rules.ts";
import {
  cancelStripeSubscription,
  changeStripeSubscription,
  readStripeSubscription,
} from "./stripe-subscriptions.ts";

/** Of all sellers with the same account; more are not read. */
const MAX_LISTED = 10_000;

export type StripeProviderOptions = StripeOptions & {
  readonly mongo: Mongo;
  readonly clock: Clock;
  /** Any of them may have signed an event, so that one can replace another. */
  readonly webhookSecrets: readonly string[];
  /** Whether Stripe Tax calculates the tax and adds it to the price. */
  readonly tax: boolean;
};

/** Stripe accepts half an hour to a day, by its own clock; without a time it uses a day. */
const SHORTEST_MS = 31 * 60_000;
const LONGEST_MS = 24 * 3_600_000 - 60_000;

export function createStripeProvider(options: StripeProviderOptions): PaymentProvider {
  const calls = createStripeCalls(options);
  const { ask } = calls;
  const { mongo, clock, webhookSecrets: secrets } = options;
  const taxBehavior = options.tax ? ({ tax_behavior: "exclusive" } as const) : {};

  return {
    name: "stripe",
    createCheckout: async (wanted) => toCheckout(await createSession(calls, options, wanted)),
    fetchCheckout: async (ref) => toCheckout(await fetchSession(calls, ref)),
    cancelCheckout: async (ref) => {
      await ask("close a checkout", (stripe) =>
        // Stripe refuses if the checkout has ended: then its earlier result is returned.
        stripe.checkout.sessions.expire(ref, {}, keyFor("expire", { ref })).catch((error: unknown) => {
          if (!(error instanceof stripe.errors.StripeInvalidRequestError)) throw error;
        }),
      );
      return toCheckout(await fetchSession(calls, ref));
    },
    listOpenCheckouts: () => listOpenSessions(calls),
    refund: async ({ idempotencyKey, paymentRef }) => {
      // Nothing was taken, so there is nothing to refund.
      if (!paymentRef.startsWith("pi_")) return;
      const params = { payment_intent: paymentRef };
      await ask("give a payment back", async (stripe) => {
        await stripe.refunds.create(params, keyFor(idempotencyKey, params)).catch((error: unknown) => {
          if (!isRefusal(error, "charge_already_refunded")) throw error;
        });
      });
    },
    createPortal: async ({ accountId, returnUrl }) => {
      const customer = await findCustomer(mongo.db, accountId);
      if (customer === null) return null;
      const params = { customer, return_url: returnUrl };
      const step = `portal:${clock.now().getTime()}`;
      const { url } = await ask("open its portal", (stripe) =>
        stripe.billingPortal.sessions.create(params, keyFor(step, params)),
      );
      return url;
    },
    readSubscription: (ref) => readStripeSubscription(calls, ref),
    cancelSubscription: (wanted) => cancelStripeSubscription(calls, wanted),
    changeSubscription: (wanted) => changeStripeSubscription(calls, wanted, taxBehavior),
    readEvent: async (rawBody, headers) =>
      readStripeEvent(calls, verifyEvent(calls, { rawBody, headers }, { secrets, now: clock.now() })),
  };
}

function fetchSession({ ask }: StripeCalls, ref: string): Promise<Stripe.Checkout.Session> {
  return ask("tell of a checkout", (stripe) =>
    stripe.checkout.sessions.retrieve(ref, { expand: SESSION_PARTS }),
  );
}

async function listOpenSessions({ ask }: StripeCalls): Promise<OpenCheckout[]> {
  const sessions = await ask("list open checkouts", (stripe) =>
    stripe.checkout.sessions.list({ status: "open", limit: 100 }).autoPagingToArray({ limit: MAX_LISTED }),
  );
  return sessions.flatMap((session) => {
    const owner = ownerOf(session);
    return owner ? [{ ref: session.id, orderId: owner.orderId }] : [];
  });
}

async function createSession(
  { ask }: StripeCalls,
  options: StripeProviderOptions,
  wanted: NewCheckout,
): Promise<Stripe.Checkout.Session> {
  return ask("open a checkout", async (stripe) => {
    const create = async (customer: string) => {
      const params = sessionParams(wanted, { customer, tax: options.tax });
      return stripe.checkout.sessions.create(params, keyFor(wanted.idempotencyKey, params));
    };
    const known = await findCustomer(options.mongo.db, wanted.accountId);
    if (known !== null) {
      try {
        return await create(known);
      } catch (error) {
        // It was deleted there by hand, or belongs to test mode while the key is a live key.
        if (!isMissing(error, "customer")) throw error;
      }
    }
    return create(await createCustomer(stripe, options, { wanted, instead: known }));
  });
}

/** Returns the same promise to concurrent callers. */
async function createCustomer(
  stripe: Stripe,
  { mongo }: StripeProviderOptions,
  { wanted, instead }: { wanted: NewCheckout; instead: string | null },
): Promise<string> {
  const { accountId, email } = wanted;
  const params = { email, metadata: { account_id: accountId } };
  const { id } = await stripe.customers.create(
    params,
    keyFor(`customer:${accountId}:${instead ?? ""}`, params),
  );
  await putCustomer(mongo.db, accountId, id);
  return id;
}

function sessionParams(
  { orderId, accountId, items, currency, every, subscriptionId, returnUrl, expiresAt, at }: NewCheckout,
  { customer, tax }: { customer: string; tax: boolean },
): Stripe.Checkout.SessionCreateParams {
  const metadata = {
    order_id: orderId,
    account_id: accountId,
    ...(subscriptionId !== undefined && { subscription_id: subscriptionId }),
  };
  // It is not counted from now: a repeat with other parameters would make a second session.
  const leftMs = expiresAt.getTime() - at.getTime();
  return {
    mode: every === "once" ? "payment" : "subscription",
    customer,
    client_reference_id: orderId,
    metadata,
    ...(every === "once" ? { payment_intent_data: { metadata } } : { subscription_data: { metadata } }),
    line_items: items.map(({ name, amountCents }) => ({
      quantity: 1,
      price_data: {
        currency,
        unit_amount: amountCents,
        product_data: { name },
        ...(every !== "once" && { recurring: { interval: every } }),
        ...(tax && { tax_behavior: "exclusive" as const }),
      },
    })),
    // The price is in the service's currency only.
    adaptive_pricing: { enabled: false },
    ...(tax && {
      automatic_tax: { enabled: true },
      customer_update: { address: "auto" as const, name: "auto" as const },
    }),
    success_url: returnUrl,
    cancel_url: returnUrl,
    ...(leftMs >= SHORTEST_MS &&
      leftMs <= LONGEST_MS && { expires_at: Math.floor(expiresAt.getTime() / 1000) }),
  };
}
