// Translates a provider's HTTP status for a job, without a host, key or account of the operator.
import { ProviderError } from "./provider.ts";

/** Codes with which providers say that they object to the content, not to the call. */
const REFUSAL =
  /content_policy|moderation_blocked|content_filter|responsible_?ai|safety_violation|sexual|unsafe_content/i;
/** Codes of a limit that waiting does not lift. */
const OUT_OF_FUNDS = /insufficient_quota|billing/i;
/** The operator's configuration is at fault, which the customer cannot change. */
const NOT_LET_IN = new Set([401, 402, 403]);

/** Whether the same request may work in a moment. */
export function isPassing(status: number): boolean {
  return status === 429 || status === 408 || status >= 500;
}

/** For a status of 400 or more. `code` is the provider's own name for the error, if it has one. */
export function statusFailure(status: number, code: string, retryAfterMs: number | undefined): ProviderError {
  if (isPassing(status)) {
    const message =
      status === 429
        ? "The provider takes no more requests at the moment."
        : "The provider is unavailable at the moment.";
    return new ProviderError("provider_unavailable", message, {
      retryable: !OUT_OF_FUNDS.test(code),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  }
  if (REFUSAL.test(code)) return refusal();
  if (NOT_LET_IN.has(status))
    return new ProviderError("provider_failed", "The provider does not let this service use the model.");
  if (status === 404) return new ProviderError("provider_failed", "The provider does not have this model.");
  return new ProviderError("provider_failed", "The provider did not accept the request.");
}

export function refusal(): ProviderError {
  return new ProviderError("provider_refused", "The provider refused the prompt under its content policy.");
}

/** Seconds or a date, or milliseconds in the header that some providers send in addition. */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: Date): number | undefined {
  const { "retry-after-ms": inMs, "retry-after": value } = headers;
  const waits = [
    Number(inMs ?? Number.NaN),
    Number(value ?? Number.NaN) * 1000,
    Date.parse(value ?? "") - now.getTime(),
  ];
  return waits.find((wait) => Number.isFinite(wait) && wait >= 0);
}
