// Calls Stripe: timeouts, retries, idempotency keys, and the meaning of its refusals.
import { createHash } from "node:crypto";
import { Stripe } from "stripe";
import type { Logger } from "../../../runtime/log/log.ts";
import type { Metrics } from "../../../runtime/ops/metrics.ts";
import { PaymentProviderFailed, type PaymentProviderFailure } from "./provider.ts";

/** The API version that the translation was written for. The library sends it with every request, whatever the account's own version is. */
export const STRIPE_API_VERSION = "2026-10-28.endive";
/** The time limit of one attempt, including the body of its answer. */
const TIMEOUT_MS = 8_000;
/** The library waits half a second to five before it tries again. */
const RETRIES = 1;

export type StripeOptions = {
  readonly secretKey: string;
  /** An address other than Stripe's own, for tests. */
  readonly apiBase: string | undefined;
  readonly log: Pick<Logger, "warn" | "error">;
  readonly metrics: Pick<Metrics, "counter">;
};

export type StripeCalls = {
  readonly stripe: Stripe;
  /** Rejects with PaymentProviderFailed. `what` completes "Stripe did not …". */
  ask<T>(what: string, question: (stripe: Stripe) => Promise<T>): Promise<T>;
};

export function createStripeCalls({ secretKey, apiBase, log, metrics }: StripeOptions): StripeCalls {
  const stripe = new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    // With Node's own client, the time-out measures only silence; with fetch, it covers the whole attempt.
    httpClient: Stripe.createFetchHttpClient(),
    telemetry: false,
    ...(apiBase !== undefined && stripeAddress(apiBase)),
  });
  const counter = metrics.counter("payment_provider_calls_total", "Calls of payment providers.", ["outcome"]);

  return {
    stripe,
    ask: async (what, question) => {
      try {
        const answer = await question(stripe);
        counter.inc({ outcome: "ok" });
        return answer;
      } catch (error) {
        const failed = toFailure(what, error);
        counter.inc({ outcome: failed.why });
        const isOurs = failed.why === "setup" || failed.why === "refused";
        log[isOurs ? "error" : "warn"]({ why: failed.why }, failed.message);
        throw failed;
      }
    },
  };
}

/**
 * Made from the step and all its arguments: Stripe answers a repeat as it did the first time, and refuses the same key for anything else.
 */
export function keyFor(step: string, params: object): { idempotencyKey: string } {
  const digest = createHash("sha256").update(JSON.stringify(params)).digest("hex").slice(0, 16);
  return { idempotencyKey: `${step}:${digest}` };
}

/** Whether Stripe has refused with one of these codes. */
export function isRefusal(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Stripe.errors.StripeError && codes.includes(error.code ?? "");
}

/** Whether Stripe does not know what this parameter names. */
export function isMissing(error: unknown, param: string): boolean {
  return (
    error instanceof Stripe.errors.StripeError && error.code === "resource_missing" && error.param === param
  );
}

export function stripeAddress(apiBase: string): { host: string; port: string; protocol: "http" | "https" } {
  const { hostname, port, protocol } = new URL(apiBase);
  const isHttp = protocol === "http:";
  return { host: hostname, port: port || (isHttp ? "80" : "443"), protocol: isHttp ? "http" : "https" };
}

/** The library's error is not passed on: it holds headers and whole answers. */
function toFailure(what: string, error: unknown): PaymentProviderFailed {
  if (!(error instanceof Stripe.errors.StripeError))
    throw error instanceof Error
      ? error
      : new Error("Stripe's library has thrown no error", { cause: error });
  const why = whyOf(error);
  return new PaymentProviderFailed(`Stripe did not ${what}: ${say(error, why)}`, {
    why,
    isFinal: why === "refused" || why === "declined",
  });
}

function whyOf(error: Stripe.errors.StripeError): PaymentProviderFailure {
  if (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  )
    return "setup";
  if (error instanceof Stripe.errors.StripeCardError) return "declined";
  return error instanceof Stripe.errors.StripeInvalidRequestError ? "refused" : "away";
}

function say(
  { type, code, param, message, requestId }: Stripe.errors.StripeError,
  why: PaymentProviderFailure,
): string {
  if (why === "setup")
    return `it does not accept ATELIER_STRIPE_SECRET_KEY, or not for this; nothing can be bought until the key is right (${requestId ?? type})`;
  const facts = [type, code, param, requestId].filter((fact) => fact !== undefined).join(", ");
  // It may quote an address that was typed in.
  return `${message.replace(/\S+@\S+/g, "[e-mail]")} (${facts})`;
}
