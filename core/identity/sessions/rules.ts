// How long links and sessions are valid, how much of a user agent is stored, and how an address changes. This file is pure.
import { timingSafeEqual } from "node:crypto";
import { AppError } from "../../../proto/codes.ts";
import { emailIssues, normaliseEmail } from "../accounts/rules.ts";
import type { EmailLinkDoc } from "./store-email-links.ts";
import type { LinkDoc, SessionDoc } from "./store.ts";

const LINK_MS = 15 * 60_000;
/** There are 10^8 codes. With ten mails a day to an address, fifty of them can be tried. */
const MAX_CODE_TRIES = 5;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** An action that gives lasting power over an account requires a sign-in that is no older than this. */
const FRESH_MS = DAY_MS;
const MAX_USER_AGENT = 200;
const MAX_NETWORK = 100;
const MAX_NAME = 100;
const SHA256_HEX = /^[0-9a-f]{64}$/;

function isSha256(text: string): boolean {
  return SHA256_HEX.test(text);
}

/** This many mails, or new accounts, within this time. */
export type Quota = { readonly most: number; readonly withinMs: number };

/** For mails to one address, and for mails that one network requested. */
export const EMAIL_QUOTAS: readonly Quota[] = [
  { most: 3, withinMs: 15 * MINUTE_MS },
  { most: 10, withinMs: DAY_MS },
];
export const NETWORK_QUOTAS: readonly Quota[] = [{ most: 20, withinMs: HOUR_MS }];

/** For new accounts of one address, or of one network. */
export function accountQuotas(perDay: number): readonly Quota[] {
  return [{ most: perDay, withinMs: DAY_MS }];
}

/** The times that still count, with one more now; undefined if a quota is used up. */
export function countWithin(
  sent: readonly Date[],
  quotas: readonly Quota[],
  now: Date,
): { sent: Date[]; expiresAt: Date } | undefined {
  const since = (withinMs: number) => sent.filter((at) => now.getTime() - at.getTime() < withinMs);
  if (quotas.some(({ most, withinMs }) => since(withinMs).length >= most)) return undefined;
  const longestMs = Math.max(...quotas.map(({ withinMs }) => withinMs));
  return { sent: [...since(longestMs), now], expiresAt: new Date(now.getTime() + longestMs) };
}

/** The digests of a link's token and of the code that is mailed with it; an empty one stands for no code. */
export type LinkSecrets = { readonly tokenSha256: string; readonly codeDigest?: string };

/** A link for this address. Throws invalid_request. */
export function newLink(email: string, { tokenSha256, codeDigest = "" }: LinkSecrets, now: Date): LinkDoc {
  const address = normaliseEmail(email);
  const issues = emailIssues(address);
  const message = "must be 64 lower-case hexadecimal digits";
  if (!isSha256(tokenSha256)) issues.push({ path: "token_sha256", message });
  if (codeDigest !== "" && !isSha256(codeDigest)) issues.push({ path: "code_digest", message });
  if (issues.length > 0) throw new AppError("invalid_request", { issues });
  return {
    _id: tokenSha256,
    email: address,
    created_at: now,
    expires_at: new Date(now.getTime() + LINK_MS),
    used_at: null,
    ...(codeDigest !== "" && { code_digest: codeDigest }),
  };
}

/** Whether the code of a link was typed correctly and may still be tried. Takes the same time for every code. */
export function isRightCode({ code_digest, code_tries = 0 }: LinkDoc, typedDigest: string): boolean {
  if (code_digest === undefined || code_tries >= MAX_CODE_TRIES || !isSha256(typedDigest)) return false;
  return timingSafeEqual(Buffer.from(code_digest), Buffer.from(typedDigest));
}

export function isUsableLink<Link extends Pick<LinkDoc, "used_at" | "expires_at">>(
  link: Link | null,
  now: Date,
): link is Link {
  return link !== null && link.used_at === null && link.expires_at > now;
}

/** How long sessions last, used and unused. */
type SessionTerms = { readonly sessionDays: number; readonly sessionIdleDays: number };

/** A browser's user agent, and its network. */
export type BrowserInfo = { readonly userAgent: string; readonly network: string };

export function newSession(
  { sessionId, accountId, browser }: { sessionId: string; accountId: string; browser: BrowserInfo },
  { sessionDays }: SessionTerms,
  now: Date,
): SessionDoc {
  return {
    _id: sessionId,
    account_id: accountId,
    user_agent: shortenUserAgent(browser.userAgent),
    network: browser.network.slice(0, MAX_NETWORK),
    created_at: now,
    last_seen_at: minuteOf(now),
    expires_at: new Date(now.getTime() + sessionDays * DAY_MS),
    revoked_at: null,
  };
}

export function isLiveSession(
  session: SessionDoc | null,
  terms: SessionTerms,
  now: Date,
): session is SessionDoc {
  return session !== null && session.revoked_at === null && endOf(session, terms) > now;
}

/** When it ends if it is not used again. */
export function endOf(
  { expires_at, last_seen_at }: Pick<SessionDoc, "expires_at" | "last_seen_at">,
  terms: SessionTerms,
): Date {
  return new Date(Math.min(expires_at.getTime(), last_seen_at.getTime() + terms.sessionIdleDays * DAY_MS));
}

/** Sessions that were last used at this time or before have been idle for too long. */
export function idleSince({ sessionIdleDays }: SessionTerms, now: Date): Date {
  return new Date(now.getTime() - sessionIdleDays * DAY_MS);
}

export function isFresh(signedInAt: Date, now: Date): boolean {
  return now.getTime() - signedInAt.getTime() < FRESH_MS;
}

/**
 * Whether none of the account's earlier sessions had such a browser in the same network. Versions change automatically and do not count.
 */
export function isNewBrowser(opened: SessionDoc, earlier: readonly SessionDoc[]): boolean {
  const kind = ({ user_agent }: SessionDoc) => user_agent.replaceAll(/[\d._]+/g, "");
  return !earlier.some((session) => session.network === opened.network && kind(session) === kind(opened));
}

export function minuteOf(time: Date): Date {
  return new Date(time.getTime() - (time.getTime() % MINUTE_MS));
}

/** The name of a new account until its owner changes it: the name that came with it, or else the first part of the address. */
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

/** Long enough to find the mail. */
const CHANGE_MS = HOUR_MS;
/** Long enough for a mailbox that is rarely read. */
const UNDO_MS = 7 * 24 * HOUR_MS;
/** An address is reserved a little longer than its link is valid, so that clocks need not agree to the second. */
const RESERVE_MORE_MS = HOUR_MS;

type WantedEmail = { accountId: string; from: string; to: string; tokenSha256: string };

/** The link that is mailed to the new address. Throws invalid_request. */
export function newChangeLink({ accountId, from, to, tokenSha256 }: WantedEmail, now: Date): EmailLinkDoc {
  const email = normaliseEmail(to);
  const issues = emailIssues(email);
  if (email === from) issues.push({ path: "email", message: "is the address that you have" });
  if (!isSha256(tokenSha256))
    issues.push({ path: "token_sha256", message: "must be 64 lower-case hexadecimal digits" });
  if (issues.length > 0) throw new AppError("invalid_request", { issues });
  return linkDoc("change", { accountId, from, to: email, tokenSha256 }, now, CHANGE_MS);
}

/** The link that is mailed to the former address. */
export function newUndoLink(done: WantedEmail, now: Date): EmailLinkDoc {
  const { from, to } = done;
  return linkDoc("undo", { ...done, from: to, to: from }, now, UNDO_MS);
}

function linkDoc(
  kind: EmailLinkDoc["kind"],
  { accountId, from, to, tokenSha256 }: WantedEmail,
  now: Date,
  lifetimeMs: number,
): EmailLinkDoc {
  return {
    _id: tokenSha256,
    account_id: accountId,
    kind,
    from,
    to,
    created_at: now,
    expires_at: new Date(now.getTime() + lifetimeMs),
    used_at: null,
  };
}

/** The end of the reservation of the address that an undo restores. */
export function reservedUntil({ expires_at }: EmailLinkDoc): Date {
  return new Date(expires_at.getTime() + RESERVE_MORE_MS);
}
