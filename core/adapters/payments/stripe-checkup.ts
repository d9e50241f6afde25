// Checks whether Stripe accepts the configured key, and sends its events here.
import { Stripe } from "stripe";
import { STRIPE_API_VERSION, stripeAddress } from "./stripe-calls.ts";

const TIMEOUT_MS = 8_000;

export type StripeInfo = {
  /** Undefined if the key may not read them, such as a restricted key. */
  readonly webhooks: readonly { readonly url: string; readonly isEnabled: boolean }[] | undefined;
};

/** Rejects if Stripe does not know the key, or does not answer. Costs nothing. */
export async function askStripe({
  secretKey,
  apiBase,
}: {
  secretKey: string;
  apiBase: string | undefined;
}): Promise<StripeInfo> {
  const stripe = new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 0,
    httpClient: Stripe.createFetchHttpClient(),
    telemetry: false,
    ...(apiBase !== undefined && stripeAddress(apiBase)),
  });
  try {
    const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
    return { webhooks: data.map(({ url, status }) => ({ url, isEnabled: status === "enabled" })) };
  } catch (error) {
    if (error instanceof stripe.errors.StripePermissionError) return { webhooks: undefined };
    throw error;
  }
}
