// Decisions about deliveries: when the next attempt is due, what an answer means, and the overall status of a job's deliveries. This file
// is pure.
import type {
  CALLBACK_EVENTS,
  DELIVERY_STATUSES,
  TEST_EVENT,
  WORKFLOW_EVENTS,
} from "../../../proto/resources/callback.ts";
import type { AccountEvent } from "../../../proto/resources/event.ts";

/** The most redeliveries of one job; more would be someone's endless loop. */
export const MAX_REDELIVERIES_OF_JOB = 10;
/** The most redeliveries of one account in a minute. Each can become seven attempts at an address that someone else may own. */
export const MAX_REDELIVERIES_A_MINUTE = 30;

/** The event that announces the end of a job or a workflow. */
export type EndEvent = (typeof CALLBACK_EVENTS | typeof WORKFLOW_EVENTS)[number];
export type DeliveryEvent = AccountEvent | typeof TEST_EVENT;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The wait before each attempt, counted from the end of the attempt before. There are as many attempts as entries. */
export const ATTEMPT_WAITS_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
];

/** Each wait is extended by up to this fraction of it, so that a receiver that comes back is not called by all at the same time. */
const JITTER = 0.2;
/** The longest wait that a receiver may ask for. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

const GONE = 410;

/** The result of one attempt. */
export type AttemptOutcome = {
  /** Null if no answer came. */
  readonly httpStatus: number | null;
  /** The failure in plain words without addresses; null if delivered. */
  readonly error: string | null;
  /** The wait that the receiver asked for. */
  readonly retryAfterMs?: number | undefined;
};

export type DeliveryStep =
  | { readonly status: "delivered" | "failed"; readonly nextAttemptAt: null }
  | { readonly status: "pending"; readonly nextAttemptAt: Date };

/**
 * Returns what follows attempt `number` (from 1) that ended at `endedAt`. `random` is in 0..1. A Retry-After makes the wait longer, never
 * shorter: otherwise a receiver could make us call it all the time.
 */
export function decideNext(
  number: number,
  outcome: AttemptOutcome,
  endedAt: Date,
  random: number,
): DeliveryStep {
  if (outcome.error === null) return { status: "delivered", nextAttemptAt: null };
  const wait = ATTEMPT_WAITS_MS[number];
  if (wait === undefined || outcome.httpStatus === GONE) return { status: "failed", nextAttemptAt: null };
  const scheduled = wait * (1 + JITTER * random);
  const asked = Math.min(outcome.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return {
    status: "pending",
    nextAttemptAt: new Date(endedAt.getTime() + Math.round(Math.max(scheduled, asked))),
  };
}

/** The outcome of an answer. Only 2xx delivers; a redirect is a failure because its target was never checked. */
export function checkAnswer(httpStatus: number, retryAfter: string | undefined, now: Date): AttemptOutcome {
  if (httpStatus >= 200 && httpStatus < 300) return { httpStatus, error: null };
  const redirected = httpStatus >= 300 && httpStatus < 400;
  return {
    httpStatus,
    error: redirected ? `HTTP ${httpStatus}: redirects are not followed` : `HTTP ${httpStatus}`,
    retryAfterMs: parseRetryAfter(retryAfter, now),
  };
}

/** Milliseconds of a Retry-After header (RFC 9110: seconds or an HTTP date), or undefined if it is unusable. */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  const value = header?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * SECOND_MS;
  // Every form of HTTP date names its day; Date.parse alone would read "1.5" or "-3" as a year.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

/** How many redeliveries an account has asked for since `since`. */
export type ResendWindow = { readonly since: Date; readonly count: number };

/** The window with one redelivery more, or the number of seconds until another is allowed. */
export function countResend(
  window: ResendWindow | undefined,
  now: Date,
): ResendWindow | { readonly waitSeconds: number } {
  const endsMs = window ? window.since.getTime() + MINUTE_MS : 0;
  if (!window || endsMs <= now.getTime()) return { since: now, count: 1 };
  if (window.count < MAX_REDELIVERIES_A_MINUTE) return { since: window.since, count: window.count + 1 };
  return { waitSeconds: Math.ceil((endsMs - now.getTime()) / SECOND_MS) };
}

export type Resend =
  /** A delivery is pending: it is sent immediately. It may already be in progress. */
  | { readonly kind: "hasten"; readonly pending: number }
  | { readonly kind: "repeat" }
  | { readonly kind: "exhausted" };

/** Decides what a request for one more delivery does, from the job's deliveries so far, oldest first. */
export function decideResend(deliveries: readonly { status: DeliveryStatus }[]): Resend {
  const pending = deliveries.findIndex(({ status }) => status === "pending");
  if (pending >= 0) return { kind: "hasten", pending };
  return { kind: deliveries.length > MAX_REDELIVERIES_OF_JOB ? "exhausted" : "repeat" };
}

/** The receiver by which attempts in flight are limited: scheme, host and port. */
export function endpointOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

export type CallbackSummary = { status: DeliveryStatus; attempts: number };

/** The status of all deliveries of a job together: delivered if any arrived, else pending if any still may. */
export function summarise(
  deliveries: readonly { status: DeliveryStatus; attempt_count: number }[],
): CallbackSummary {
  const has = (status: DeliveryStatus) => deliveries.some((delivery) => delivery.status === status);
  return {
    status: has("delivered") ? "delivered" : has("pending") ? "pending" : "failed",
    attempts: deliveries.reduce((sum, { attempt_count }) => sum + attempt_count, 0),
  };
}
