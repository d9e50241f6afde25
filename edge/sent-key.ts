// Reads the API key of a request: from `Authorization: Bearer` (RFC 6750) or `Token`, or from `x-api-key`. Only the form is checked here;
// core checks the key itself.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { AppError } from "../proto/codes.ts";
import { apiKeyKind, hashApiKey, type KeyKind } from "../runtime/keys/api-key.ts";

const AUTHORIZATION = /^(?:Bearer|Token)[ \t]+(.*)$/is;

type Sent = { readonly authorization: string; readonly kind: KeyKind; readonly keySha256: string };

/** The last Authorization header of each open connection, because most clients send the same key with all requests of a connection. */
const lastSent = new WeakMap<Socket, Sent>();

/**
 * The SHA-256 of the well-formed key of `kind`. Throws AppError missing_key, invalid_key (also for a key of another kind), or invalid_request
 * if two headers carry different keys, because choosing one could charge the wrong account.
 */
export function readSentKey({ headers, socket }: IncomingMessage, kind: KeyKind): string {
  const { authorization } = headers;
  if (authorization === undefined || headers["x-api-key"] !== undefined)
    return hashApiKey(findKey(headers, kind));
  const last = lastSent.get(socket);
  if (last?.authorization === authorization && last.kind === kind) return last.keySha256;
  const keySha256 = hashApiKey(findKey(headers, kind));
  lastSent.set(socket, { authorization, kind, keySha256 });
  return keySha256;
}

function findKey(headers: IncomingHttpHeaders, kind: KeyKind): string {
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
