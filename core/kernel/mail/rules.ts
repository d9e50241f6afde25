// Decisions about mails that wait to be sent: when the next attempt is due, and when there is none. Pure.

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The wait before each attempt, counted from the end of the one before it; as many attempts as entries. */
export const ATTEMPT_WAITS_MS: readonly number[] = [
  0,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  DAY_MS,
];

/** Each wait is made longer by up to this part of it, so that a server that comes back is not met by all at once. */
const JITTER = 0.2;
/** News from last week help nobody: a mail that has waited longer, because there was no mail server, is not sent any more. */
export const MAX_AGE_MS = 7 * DAY_MS;
/** How long a finished mail is kept, so that a repeat of its cause sends no second one. */
export const KEPT_MS = 90 * DAY_MS;

/** The result of one attempt. */
export type Attempt = { readonly error: string | null; readonly isFinal: boolean };

export type MailStatus = "queued" | "sent" | "failed";
export type NextStep =
  | { readonly status: "sent" | "failed"; readonly nextAttemptAt: null; readonly expiresAt: Date }
  | { readonly status: "queued"; readonly nextAttemptAt: Date; readonly expiresAt: null };

/** What follows attempt `number` (from 1) that ended at `endedAt`. `random` is in 0..1. */
export function decideNext(number: number, attempt: Attempt, endedAt: Date, random: number): NextStep {
  const expiresAt = new Date(endedAt.getTime() + KEPT_MS);
  if (attempt.error === null) return { status: "sent", nextAttemptAt: null, expiresAt };
  const wait = ATTEMPT_WAITS_MS[number];
  if (wait === undefined || attempt.isFinal) return { status: "failed", nextAttemptAt: null, expiresAt };
  const waitMs = Math.round(wait * (1 + JITTER * random));
  return { status: "queued", nextAttemptAt: new Date(endedAt.getTime() + waitMs), expiresAt: null };
}

export function isTooOld(createdAt: Date, now: Date): boolean {
  return now.getTime() - createdAt.getTime() > MAX_AGE_MS;
}

/**
 * A failure in words without addresses. It is final if the server permanently refuses mail for this recipient (RFC 5321: 5yz to RCPT).
 * Everything else, even a refused password, may be put right.
 */
export function judgeFailure(error: unknown): Attempt {
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
