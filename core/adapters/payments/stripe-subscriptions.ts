// Reads, cancels and changes subscriptions at Stripe. Their contents are stored here; Stripe only has to charge the right amount at the
// right time.
import { createHash } from "node:crypto";
import type { Stripe } from "stripe";
import type { PaymentProvider, ProviderSubscription } from "./provider.ts";
import { isMissing, isRefusal, keyFor, type StripeCalls } from "./stripe-calls.ts";
import { hasEnded, idOf, itemOf, toSubscription } from "./stripe-rules.ts";

type Cancelling = Parameters<PaymentProvider["cancelSubscription"]>[0];
type Change = Parameters<PaymentProvider["changeSubscription"]>[0];

export async function readStripeSubscription(
  { ask }: StripeCalls,
  ref: string,
): Promise<ProviderSubscription | null> {
  return ask("tell of a subscription", async (stripe) => {
    const subscription = await stripe.subscriptions.retrieve(ref).catch((error: unknown) => {
      if (isMissing(error, "id")) return null;
      throw error;
    });
    const schedule = idOf(subscription?.schedule);
    const planned =
      schedule === undefined
        ? undefined
        : await stripe.subscriptionSchedules.retrieve(schedule, { expand: ["phases.items.price"] });
    return subscription && toSubscription(subscription, planned);
  });
}

export async function cancelStripeSubscription(
  { ask }: StripeCalls,
  { idempotencyKey, ref, when }: Cancelling,
): Promise<void> {
  await ask("cancel a subscription", async (stripe) => {
    const subscription = await stripe.subscriptions.retrieve(ref);
    if (hasEnded(subscription.status)) return subscription;
    await letGo(stripe, subscription, idempotencyKey);
    if (when === "now") return stripe.subscriptions.cancel(ref);
    const params = { cancel_at_period_end: when === "period_end" };
    return stripe.subscriptions.update(ref, params, keyFor(`${idempotencyKey}:${when}`, params));
  });
}

export async function changeStripeSubscription(
  { ask }: StripeCalls,
  change: Change,
  taxBehavior: { tax_behavior?: "exclusive" },
): Promise<void> {
  const { idempotencyKey, ref, item, currency, every, when } = change;
  await ask("change a subscription", async (stripe) => {
    const subscription = await stripe.subscriptions.retrieve(ref);
    const price_data = {
      currency,
      product: await productNamed(stripe, item.name),
      unit_amount: item.amountCents,
      recurring: { interval: every },
      ...taxBehavior,
    };
    if (when === "period_end") return changeThen(stripe, subscription, { idempotencyKey, price_data });
    await letGo(stripe, subscription, idempotencyKey);
    const params: Stripe.SubscriptionUpdateParams = {
      items: [{ id: itemOf(subscription).id, price_data }],
      // A new period begins, and the price of what is left of the old one is credited.
      billing_cycle_anchor: { type: "now" },
      proration_behavior: "always_invoice",
      // If the bank declines, nothing changes.
      payment_behavior: "error_if_incomplete",
    };
    await stripe.subscriptions.update(ref, params, keyFor(`${idempotencyKey}:change`, params));
  });
}

/** Uses a schedule with two phases: the present price until the paid period ends, then the other price until it is changed again. */
async function changeThen(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  {
    idempotencyKey,
    price_data,
  }: { idempotencyKey: string; price_data: Stripe.SubscriptionScheduleUpdateParams.Phase.Item.PriceData },
): Promise<void> {
  const from = { from_subscription: subscription.id };
  const id =
    idOf(subscription.schedule) ??
    (await stripe.subscriptionSchedules.create(from, keyFor(`${idempotencyKey}:schedule`, from))).id;
  const { price, current_period_start, current_period_end } = itemOf(subscription);
  const params: Stripe.SubscriptionScheduleUpdateParams = {
    end_behavior: "release",
    proration_behavior: "none",
    phases: [
      {
        items: [{ price: price.id, quantity: 1 }],
        start_date: current_period_start,
        end_date: current_period_end,
      },
      {
        items: [{ price_data, quantity: 1 }],
        duration: { interval: price_data.recurring.interval, interval_count: 1 },
        proration_behavior: "none",
      },
    ],
  };
  await stripe.subscriptionSchedules.update(id, params, keyFor(`${idempotencyKey}:phases`, params));
}

/** Stripe allows no direct change to a scheduled subscription: the newest request counts. */
async function letGo(
  stripe: Stripe,
  { schedule }: Stripe.Subscription,
  idempotencyKey: string,
): Promise<void> {
  const id = idOf(schedule);
  if (id !== undefined)
    await stripe.subscriptionSchedules.release(id, {}, keyFor(`${idempotencyKey}:release`, { id }));
}

/** Prices of subscriptions need an existing product; there is one for each name. */
async function productNamed(stripe: Stripe, name: string): Promise<string> {
  const id = `atelier_${createHash("sha256").update(name).digest("hex").slice(0, 24)}`;
  try {
    await stripe.products.create({ id, name }, keyFor("product", { id }));
  } catch (error) {
    if (!isRefusal(error, "resource_already_exists")) throw error;
  }
  return id;
}
