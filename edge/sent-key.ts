// Reads the API key of a request: from `Authorization: Bearer` (RFC 6750) or `Token`, or from `x-api-key`. Only the form is checked here;
// core checks the key itself.
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../proto/codes.ts";
import { apiKeyKind, type KeyKind } from "../runtime/keys/api-key.ts";

const AUTHORIZATION = /^(?:Bearer|Token)[ \t]+(.*)$/is;

/**
 * The well-formed key of `kind`. Throws AppError missing_key, invalid_key (also for a key of another kind), or invalid_request if two
 * headers carry different keys, because choosing one could charge the wrong account.
 */
export function readSentKey(headers: IncomingHttpHeaders, kind: KeyKind): string {
  const inAuthorization = AUTHORIZATION.exec(headers.authorization ?? "")?.[1]?.trim();
  const inOwnHeader = String(headers["x-api-key"] ?? "").trim();
  if (inAuthorization && inOwnHeader && inAuthorization !== inOwnHeader) throw twoKeys();
  const key = inAuthorization || inOwnHeader;
  if (!key) throw new AppError("missing_key");
  if (apiKeyKind(key) !== kind) throw new AppError("invalid_key");
  return key;
}

function twoKeys(): AppError {
  const message = "carries another key than Authorization";
  return new AppError("invalid_request", {
    message: `The header x-api-key ${message}.`,
    hint: "Send one key, in one of the two headers.",
    issues: [{ path: "x-api-key", message }],
  });
}
