// How long links and sessions are good, and what may be kept of a browser's own words. Pure.
import { AppError } from "../../proto/codes.ts";
import { emailIssues, normaliseEmail } from "../accounts/rules.ts";
import type { LinkDoc, SessionDoc } from "./store.ts";

const LINK_MS = 15 * 60_000;
const SESSION_MS = 30 * 24 * 60 * 60_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MAX_USER_AGENT = 200;
const MAX_NAME = 100;
const SHA256_HEX = /^[0-9a-f]{64}$/;

/** So many mails within so much time. */
export type MailQuota = { readonly mails: number; readonly withinMs: number };

/** Of mails to one address, and of mails that one network asked for. */
export const EMAIL_QUOTAS: readonly MailQuota[] = [
  { mails: 3, withinMs: 15 * MINUTE_MS },
  { mails: 10, withinMs: 24 * HOUR_MS },
];
export const NETWORK_QUOTAS: readonly MailQuota[] = [{ mails: 20, withinMs: HOUR_MS }];

/** When mails were sent that still count, with one more now; undefined where a quota is used up. */
export function countMail(
  sent: readonly Date[],
  quotas: readonly MailQuota[],
  now: Date,
): { sent: Date[]; expiresAt: Date } | undefined {
  const since = (withinMs: number) => sent.filter((at) => now.getTime() - at.getTime() < withinMs);
  if (quotas.some(({ mails, withinMs }) => since(withinMs).length >= mails)) return undefined;
  const longestMs = Math.max(...quotas.map(({ withinMs }) => withinMs));
  return { sent: [...since(longestMs), now], expiresAt: new Date(now.getTime() + longestMs) };
}

/** A link for this address. Throws invalid_request. */
export function newLink(email: string, tokenSha256: string, now: Date): LinkDoc {
  const address = normaliseEmail(email);
  const issues = emailIssues(address);
  if (!SHA256_HEX.test(tokenSha256))
    issues.push({ path: "token_sha256", message: "must be 64 lower-case hexadecimal digits" });
  if (issues.length > 0) throw new AppError("invalid_request", { issues });
  return {
    _id: tokenSha256,
    email: address,
    created_at: now,
    expires_at: new Date(now.getTime() + LINK_MS),
    used_at: null,
  };
}

export function isUsableLink(link: LinkDoc | null, now: Date): link is LinkDoc {
  return link !== null && link.used_at === null && link.expires_at > now;
}

export function newSession(sessionId: string, accountId: string, userAgent: string, now: Date): SessionDoc {
  return {
    _id: sessionId,
    account_id: accountId,
    user_agent: shortenUserAgent(userAgent),
    created_at: now,
    last_seen_at: minuteOf(now),
    expires_at: new Date(now.getTime() + SESSION_MS),
    revoked_at: null,
  };
}

export function isLiveSession(session: SessionDoc | null, now: Date): session is SessionDoc {
  return session !== null && session.revoked_at === null && session.expires_at > now;
}

export function minuteOf(time: Date): Date {
  return new Date(time.getTime() - (time.getTime() % MINUTE_MS));
}

/** What a new account is called until its owner says otherwise: the name that came with it, else the first part of the address. */
export function firstName(name: string, email: string): string {
  const given = onOneLine(name).slice(0, MAX_NAME).toWellFormed().trim();
  return given || (email.split("@")[0] ?? email);
}

function shortenUserAgent(userAgent: string): string {
  return onOneLine(userAgent).slice(0, MAX_USER_AGENT).toWellFormed().trim();
}

function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
