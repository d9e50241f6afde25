// Decisions about mails that wait to be sent: when the next attempt is due, and when there is none. This file is pure.
import { retryAt, type Schedule } from "../../base/work/rules.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const SCHEDULE: Schedule = {
  waitsMs: [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS],
  jitter: 0.2,
};

/** A mail of a week ago is not relevant any more: one that has waited longer, because there was no mail server, is not sent. */
export const MAX_AGE_MS = 7 * DAY_MS;
/** How long a finished mail is kept, so that a repeat of its cause does not send a second one. */
export const KEPT_MS = 90 * DAY_MS;

/** The result of one attempt. */
export type MailAttempt = { readonly error: string | null; readonly isFinal: boolean };

export type MailStatus = "queued" | "sent" | "failed";

/** Says what follows attempt `number` (from 1) that ended at `endedAt`: another attempt at `dueAt`, or the end. `random` is in 0..1. */
export function decideNext(
  number: number,
  attempt: MailAttempt,
  endedAt: Date,
  random: number,
): { status: MailStatus; dueAt: Date | null; expiresAt: Date | null } {
  const dueAt =
    attempt.error === null || attempt.isFinal ? null : retryAt(SCHEDULE, number, { endedAt, random });
  const expiresAt = dueAt ? null : new Date(endedAt.getTime() + KEPT_MS);
  return { status: dueAt ? "queued" : attempt.error === null ? "sent" : "failed", dueAt, expiresAt };
}

export function isTooOld(
  { created_at, not_after }: { readonly created_at: Date; readonly not_after?: Date },
  now: Date,
): boolean {
  return now.getTime() - created_at.getTime() > MAX_AGE_MS || (not_after !== undefined && not_after <= now);
}

/**
 * Describes a failure without addresses. It is final if the server permanently refuses mail for this recipient (RFC 5321: 5yz to RCPT).
 * Everything else, even a refused password, may be fixed.
 */
export function classifyFailure(error: unknown): MailAttempt {
  const { code, responseCode, command } = (error ?? {}) as {
    code?: unknown;
    responseCode?: unknown;
    command?: unknown;
  };
  const status = typeof responseCode === "number" ? responseCode : undefined;
  const words = [typeof code === "string" ? code : "not sent", status].filter((word) => word !== undefined);
  return {
    error: words.join(" "),
    isFinal: status !== undefined && status >= 500 && command === "RCPT TO",
  };
}
