// Translates an error of the AI SDK for a job, without a host, key or account of the operator.
import { AISDKError, APICallError } from "ai";
import { readRetryAfter, statusFailure } from "../http-failure.ts";
import { ProviderError } from "../provider.ts";

const MAX_CAUSES = 8;

export function toProviderError(error: unknown, now: Date): ProviderError {
  const chain = causesOf(error);
  const own = chain.find((cause) => cause instanceof ProviderError);
  if (own) return own;
  const call = chain.find((cause) => APICallError.isInstance(cause));
  if (call?.statusCode !== undefined && call.statusCode >= 400)
    return statusFailure(call.statusCode, codeOf(call), readRetryAfter(call.responseHeaders ?? {}, now));
  if (call?.isRetryable)
    return new ProviderError("provider_unavailable", "The provider could not be reached.", {
      retryable: true,
    });
  if (call || chain.some(isUnreadable))
    return new ProviderError("provider_bad_answer", "The provider's answer could not be read.");
  return new ProviderError("provider_failed", "The provider could not run this request.");
}

/** The HTTP status of the provider's answer, if that is what failed. */
export function statusOf(error: unknown): number | undefined {
  return causesOf(error).find((cause) => APICallError.isInstance(cause))?.statusCode;
}

/** The provider's name of the error: its code and type if the body is readable. */
function codeOf({ data, responseBody }: APICallError): string {
  const error = field(data, "error") ?? field(parse(responseBody), "error");
  return [field(error, "code"), field(error, "type")].filter((part) => typeof part === "string").join(" ");
}

/** Errors about what came back: no image, not JSON, an unexpected shape, not base64. */
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
