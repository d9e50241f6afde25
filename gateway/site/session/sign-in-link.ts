// Sign-in links. Only the link contains the token; core stores its hash.
import { createHash, createHmac, randomBytes, randomInt } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { homeOrigins } from "../../../edge/http/home-origins.ts";
import type { GatewayOptions } from "../../gateway.ts";

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const MAX_NEXT = 2_000;
/** A host that never exists: addresses that resolve to it stay on this site. */
const HERE = "http://here.invalid";

/**
 * A fresh link to the page that asks to be confirmed; `next` is where the person goes afterwards. `prove` makes what tells the browser that
 * asked; a link of a terminal has none.
 */
export function newSignInLink(
  baseUrl: string,
  next: string,
  prove?: (tokenSha256: string) => string,
): { url: string; tokenSha256: string } {
  const token = newToken();
  const tokenSha256 = hashToken(token);
  const browser = prove?.(tokenSha256);
  const query = new URLSearchParams({ token, ...(browser && { browser }), ...(next !== "" && { next }) });
  return { url: `${baseUrl}/sign-in/confirm?${query.toString()}`, tokenSha256 };
}

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** The origin of the website under the host name of the request, to which the cookies belong. */
export function homeOf(
  { protocol, host }: FastifyRequest,
  { config, baseUrl }: Pick<GatewayOptions, "config" | "baseUrl">,
): string {
  return homeOrigins(config, baseUrl).find((origin) => origin === `${protocol}://${host}`) ?? baseUrl;
}

const CODE_DIGITS = 8;

/** A code of eight digits in two groups, to type instead of opening the link. */
export function newCode(): string {
  const digits = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, "0");
  return `${digits.slice(0, 4)} ${digits.slice(4)}`;
}

/** The keyed digest of a code that core stores. Without the key, eight digits could be found by trying all of them. */
export function codeDigest(key: Uint8Array, code: string, tokenSha256: string): string {
  return createHmac("sha256", key)
    .update(`${digitsOf(code)}.${tokenSha256}`)
    .digest("hex");
}

/** Whether a typed text has as many digits as a code: another one is no try. */
export function isWholeCode(typed: string): boolean {
  return digitsOf(typed).length === CODE_DIGITS;
}

function digitsOf(typed: string): string {
  return typed.replaceAll(/\D/g, "");
}

/** Whether a text has the form of a token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Returns `wanted` if it is a path on this site, otherwise an empty string, so that no redirect leads to another site. */
export function safeNext(wanted: string): string {
  if (!wanted.startsWith("/") || wanted.length > MAX_NEXT || !URL.canParse(wanted, HERE)) return "";
  const { origin, pathname, search } = new URL(wanted, HERE);
  const isHere = origin === HERE && !pathname.startsWith("//") && !pathname.startsWith("/sign-");
  return isHere ? pathname + search : "";
}
