// The links that sign people in. The token stands in the link alone; core keeps its hash.
import { createHash, createHmac, randomBytes, randomInt } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { homeOrigins } from "../../../edge/http/home-origins.ts";
import type { GatewayOptions } from "../../gateway.ts";

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const MAX_NEXT = 2_000;
/** A host that never is: what resolves to it stays on this site. */
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

/** The origin of the website under the name that the browser uses, which is the one of its cookies. */
export function homeOf(
  { protocol, host }: FastifyRequest,
  { config, baseUrl }: Pick<GatewayOptions, "config" | "baseUrl">,
): string {
  return homeOrigins(config, baseUrl).find((origin) => origin === `${protocol}://${host}`) ?? baseUrl;
}

const CODES = 10 ** 8;

/** A code to type instead of opening the link: eight digits, in two groups. */
export function newCode(): string {
  const digits = String(randomInt(CODES)).padStart(8, "0");
  return `${digits.slice(0, 4)} ${digits.slice(4)}`;
}

/** What core keeps of a code. Without the key, its few digits could be found by trying all of them. */
export function codeDigest(key: Uint8Array, code: string, tokenSha256: string): string {
  const digits = code.replaceAll(/\D/g, "");
  return createHmac("sha256", key).update(`${digits}.${tokenSha256}`).digest("hex");
}

/** Whether this could be a token at all. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** `wanted` if it is a path of this site that can be visited; otherwise empty. No one is redirected to another site. */
export function safeNext(wanted: string): string {
  if (!wanted.startsWith("/") || wanted.length > MAX_NEXT || !URL.canParse(wanted, HERE)) return "";
  const { origin, pathname, search } = new URL(wanted, HERE);
  const isHere = origin === HERE && !pathname.startsWith("//") && !pathname.startsWith("/sign-");
  return isHere ? pathname + search : "";
}
