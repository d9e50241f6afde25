// What an error of the AI SDK means for a job, in words that name no host, no key and no account of ours.
import { AISDKError, APICallError } from "ai";
import { ProviderError } from "../provider.ts";

const MAX_CAUSES = 8;
/** Codes with which providers say that the content, not the call, is what they do not want. */
const REFUSAL =
  /content_policy|moderation_blocked|content_filter|responsible_?ai|safety_violation|sexual|unsafe_content/i;
/** Codes of a limit that waiting does not lift. */
const OUT_OF_FUNDS = /insufficient_quota|billing/i;
/** Our request, not what the customer asked for: they can do nothing about it. */
const NOT_LET_IN = new Set([401, 402, 403]);

export function toProviderError(error: unknown, now: Date): ProviderError {
  const chain = causesOf(error);
  const own = chain.find((cause) => cause instanceof ProviderError);
  if (own) return own;
  const call = chain.find((cause) => APICallError.isInstance(cause));
  if (call?.statusCode !== undefined && call.statusCode >= 400) return fromStatus(call, call.statusCode, now);
  if (call?.isRetryable)
    return new ProviderError("provider_unavailable", "The provider could not be reached.", {
      retryable: true,
    });
  if (call || chain.some(isUnreadable))
    return new ProviderError("provider_bad_answer", "The provider's answer could not be read.");
  return new ProviderError("provider_failed", "The provider could not run this request.");
}

function fromStatus(call: APICallError, status: number, now: Date): ProviderError {
  const code = codeOf(call);
  if (status === 429 || status === 408 || status >= 500) {
    const retryAfterMs = readRetryAfter(call.responseHeaders ?? {}, now);
    const message =
      status === 429
        ? "The provider takes no more requests at the moment."
        : "The provider is unavailable at the moment.";
    return new ProviderError("provider_unavailable", message, {
      retryable: !OUT_OF_FUNDS.test(code),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  }
  if (REFUSAL.test(code))
    return new ProviderError("provider_refused", "The provider refused the prompt under its content policy.");
  if (NOT_LET_IN.has(status))
    return new ProviderError("provider_failed", "The provider does not let this service use the model.");
  if (status === 404) return new ProviderError("provider_failed", "The provider does not have this model.");
  return new ProviderError("provider_failed", "The provider did not accept the request.");
}

/** What the provider calls the error: its code and type where the body is readable. */
function codeOf({ data, responseBody }: APICallError): string {
  const error = field(data, "error") ?? field(parse(responseBody), "error");
  return [field(error, "code"), field(error, "type")].filter((part) => typeof part === "string").join(" ");
}

/** Seconds or a date, or milliseconds in the header that some providers send beside it. */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: Date): number | undefined {
  const { "retry-after-ms": inMs, "retry-after": value } = headers;
  const waits = [
    Number(inMs ?? Number.NaN),
    Number(value ?? Number.NaN) * 1000,
    Date.parse(value ?? "") - now.getTime(),
  ];
  return waits.find((wait) => Number.isFinite(wait) && wait >= 0);
}

/** Complaints about what came back: no image, not JSON, not of the expected shape, not base64. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof DOMException) return error.name === "InvalidCharacterError";
  return (
    AISDKError.isInstance(error) &&
    /^AI_(No\w+Generated|JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|Download)/.test(
      error.name,
    )
  );
}

function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (
    let cause = error;
    cause !== undefined && cause !== null && chain.length < MAX_CAUSES;
    cause = field(cause, "cause")
  )
    chain.push(cause);
  return chain;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
