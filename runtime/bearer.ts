// Reads the API key of a request from its Authorization header (RFC 6750). The form is checked here, the key itself by core.
import { AppError } from "../proto/codes.ts";
import { apiKeyKind, type KeyKind } from "./api-key.ts";

const BEARER = /^Bearer[ \t]+(.*)$/is;

/** The well-formed key of `kind` in an Authorization header. Throws AppError missing_key, or invalid_key (another kind of key looks the same). */
export function readBearerKey(authorization: string | undefined, kind: KeyKind): string {
  const key = BEARER.exec(authorization ?? "")?.[1]?.trim();
  if (!key) throw new AppError("missing_key");
  if (apiKeyKind(key) !== kind) throw new AppError("invalid_key");
  return key;
}
