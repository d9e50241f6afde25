// How much of a load was accepted, when: the rate before a fault, when the service is back at nine tenths of it, and what became of a rate
// that was offered all the time. Pure; times are in milliseconds of one clock.
import type { Call } from "./load.ts";

/** Of which clients that wait for each other are a steady sample. */
const WINDOW_MS = 3_000;
const ENOUGH = 0.9;
const BIN_MS = 5_000;

/** When requests for jobs were accepted, in order. */
export function acceptTimes(calls: readonly Call[]): number[] {
  return calls
    .filter(({ request }) => request?.jobId !== undefined)
    .map(({ answeredAtMs }) => answeredAtMs)
    .sort((a, b) => a - b);
}

/** The attempts of each request for a job, by its Idempotency-Key, in order. */
export function attemptsOf(calls: readonly Call[]): Map<string, Call[]> {
  const requests = calls.filter(({ request }) => request !== undefined);
  return Map.groupBy(requests, ({ request }) => request?.idempotencyKey ?? "");
}

/** The longest time between two of these moments, or from the beginning or to the end. */
export function longestGapMs(times: readonly number[], fromMs: number, untilMs: number): number {
  const marks = [fromMs, ...times.filter((atMs) => atMs >= fromMs && atMs <= untilMs), untilMs];
  return Math.max(...marks.slice(1).map((atMs, i) => atMs - (marks[i] ?? atMs)));
}

export function perSecond(times: readonly number[], fromMs: number, untilMs: number): number {
  return count(times, fromMs, untilMs) / ((untilMs - fromMs) / 1_000);
}

/** For each five seconds from the fault on. */
export function perBin(times: readonly number[], faultAtMs: number, untilMs: number): number[] {
  const bins = Math.floor((untilMs - faultAtMs) / BIN_MS);
  return Array.from({ length: bins }, (_, n) =>
    count(times, faultAtMs + n * BIN_MS, faultAtMs + (n + 1) * BIN_MS),
  );
}

/**
 * Seconds from the fault until nine tenths of the rate before are accepted again, over three seconds and over the three after them;
 * undefined when that was not seen by `untilMs`.
 */
export function nineTenthsSeconds(
  times: readonly number[],
  beforePerSecond: number,
  { faultAtMs, untilMs }: { faultAtMs: number; untilMs: number },
): number | undefined {
  const enough = ENOUGH * beforePerSecond;
  const isBack = (atMs: number) =>
    perSecond(times, atMs, atMs + WINDOW_MS) >= enough &&
    perSecond(times, atMs + WINDOW_MS, atMs + 2 * WINDOW_MS) >= enough;
  const back = [faultAtMs, ...times]
    .filter((atMs) => atMs >= faultAtMs && atMs + 2 * WINDOW_MS <= untilMs)
    .find(isBack);
  return back === undefined ? undefined : (back - faultAtMs) / 1_000;
}

export type Offered = {
  readonly perSecond: number;
  /** Accepted from eight seconds after the fault until it was mended, as a part of what was offered in that time. */
  readonly acceptedPart: number;
  /** From the fault until nothing waited for longer than a second any more; undefined when that was not seen. */
  readonly backlogGoneSeconds: number | undefined;
  /** From first being sent to being accepted, of what was sent from the fault on until it was mended. */
  readonly p99Seconds: number;
};

const FROM_MS = 8_000;
const WAITED_MS = 1_000;

export function checkOffered(
  calls: readonly Call[],
  {
    offeredPerSecond,
    faultAtMs,
    repairedAtMs,
  }: { offeredPerSecond: number; faultAtMs: number; repairedAtMs: number },
): Offered {
  const waits = [...attemptsOf(calls).values()]
    .map((attempts) => ({
      sentAtMs: attempts[0]?.sentAtMs ?? Number.POSITIVE_INFINITY,
      acceptedAtMs: acceptTimes(attempts)[0] ?? Number.POSITIVE_INFINITY,
    }))
    .filter(({ sentAtMs }) => sentAtMs >= faultAtMs && sentAtMs < repairedAtMs);
  const late = waits.filter(({ sentAtMs, acceptedAtMs }) => acceptedAtMs - sentAtMs > WAITED_MS);
  const goneAtMs = Math.max(faultAtMs, ...late.map(({ acceptedAtMs }) => acceptedAtMs));
  const sorted = waits.map(({ sentAtMs, acceptedAtMs }) => acceptedAtMs - sentAtMs).sort((a, b) => a - b);
  return {
    perSecond: offeredPerSecond,
    acceptedPart: perSecond(acceptTimes(calls), faultAtMs + FROM_MS, repairedAtMs) / offeredPerSecond,
    backlogGoneSeconds: Number.isFinite(goneAtMs) ? (goneAtMs - faultAtMs) / 1_000 : undefined,
    p99Seconds: (sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY) / 1_000,
  };
}

function count(times: readonly number[], fromMs: number, untilMs: number): number {
  return times.filter((atMs) => atMs >= fromMs && atMs < untilMs).length;
}
