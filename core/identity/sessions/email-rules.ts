// Changing an e-mail address: how long its links are valid, and which addresses are allowed. Pure.
import { AppError } from "../../../proto/codes.ts";
import { emailIssues, normaliseEmail } from "../accounts/rules.ts";
import { isSha256 } from "./rules.ts";
import type { EmailLinkDoc } from "./store-email-links.ts";

const HOUR_MS = 3_600_000;
/** Long enough to find the mail. */
const CHANGE_MS = HOUR_MS;
/** Long enough for a mailbox that is rarely read. */
const UNDO_MS = 7 * 24 * HOUR_MS;
/** An address is reserved a little longer than its link is valid, so that clocks need not agree to the second. */
const RESERVE_MORE_MS = HOUR_MS;

export type WantedEmail = { accountId: string; from: string; to: string; tokenSha256: string };

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
