// Accepted requests of a load over time: the rate before a fault, the time until 90% are back, and the outcome of a constant rate. Pure;
// times are in milliseconds of one clock.
import type { Call } from "./load.ts";

/** A steady sample of clients that wait for each other. */
const WINDOW_MS = 3_000;
const ENOUGH = 0.9;
const BIN_MS = 5_000;
const FROM_MS = 8_000;
const WAITED_MS = 1_000;

/** When job requests were accepted, in order. */
export function acceptTimes(calls: readonly Call[]): number[] {
  return calls
    .filter(({ request }) => request?.jobId !== undefined)
    .map(({ answeredAtMs }) => answeredAtMs)
    .sort((a, b) => a - b);
}

/** The attempts of each job request, by its Idempotency-Key, in order. */
export function attemptsOf(calls: readonly Call[]): Map<string, Call[]> {
  const requests = calls.filter(({ request }) => request !== undefined);
  return Map.groupBy(requests, ({ request }) => request?.idempotencyKey ?? "");
}

/** The longest time between two of these moments, including start and end. */
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
 * Seconds from the fault until 90% of the earlier rate are accepted again, over three seconds and over the next three; undefined when that
 * did not happen by `untilMs`.
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
  /** The accepted share of requests from eight seconds after the fault until its end. */
  readonly acceptedPart: number;
  /** From the fault until no request waited longer than a second; undefined when that did not happen. */
  readonly backlogGoneSeconds: number | undefined;
  /** The wait from first attempt to acceptance, of requests during the fault. */
  readonly p99Seconds: number;
};

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
