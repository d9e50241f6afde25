// When a provider's model is no longer called because it fails, and when it is tried again. Pure.

/** How a call ended, as far as the provider is responsible. `neutral` says nothing about whether the provider works. */
export type CallEnd = "made" | "failed" | "neutral";

/** How many calls ended in which way within a few seconds. */
export type Tally = { readonly atMs: number; readonly made: number; readonly failed: number };

/** If none is stored, it is closed and nothing has failed lately. */
export type Breaker = {
  readonly state: "closed" | "open" | "half_open";
  /** While it is closed: how the calls of the window ended, oldest first. */
  readonly tallies: readonly Tally[];
  /** How often it has opened since it was last closed. */
  readonly openings: number;
  /** While it is open: the time from which a call may try whether the provider works again. */
  readonly untilMs: number | null;
  /** While it is half open: the jobs whose calls try it. */
  readonly probes: readonly { readonly job: string; readonly atMs: number }[];
  /** While it is half open: how many of them went well. */
  readonly passed: number;
};

export const CLOSED: Breaker = {
  state: "closed",
  tallies: [],
  openings: 0,
  untilMs: null,
  probes: [],
  passed: 0,
};

/** Calls of the last minute count, in steps of five seconds. */
export const WINDOW_MS = 60_000;
const STEP_MS = 5_000;
/** So many failures within the window open it, if they are at least half of the calls. */
export const MIN_FAILURES = 5;
const FAILED_SHARE = 0.5;
/** The first pause; each further one, without a success in between, is twice as long. */
export const FIRST_PAUSE_MS = 5_000;
const PAUSE_GROWTH = 2;
export const MAX_PAUSE_MS = 5 * 60_000;
/** Calls that may try it at a time, and successes that close it. */
export const PROBES = 2;
/** A try that has not ended after this time no longer keeps others from trying: its worker may be lost, or the model slow. */
export const PROBE_LOST_MS = 60_000;

export type Entry =
  | { readonly may: true; readonly breaker: Breaker }
  /** When it is worth asking again. */
  | { readonly may: false; readonly untilMs: number };

/** Whether this job may call now, and the breaker afterwards. */
export function enter(breaker: Breaker, job: string, nowMs: number): Entry {
  switch (breaker.state) {
    case "closed":
      return { may: true, breaker };
    case "open": {
      const untilMs = breaker.untilMs ?? nowMs;
      if (nowMs < untilMs) return { may: false, untilMs };
      return {
        may: true,
        breaker: { ...breaker, state: "half_open", untilMs: null, probes: [{ job, atMs: nowMs }], passed: 0 },
      };
    }
    case "half_open":
      return enterHalfOpen(breaker, job, nowMs);
  }
}

function enterHalfOpen(breaker: Breaker, job: string, nowMs: number): Entry {
  if (breaker.probes.some((probe) => probe.job === job)) return { may: true, breaker };
  const live = breaker.probes.filter(({ atMs }) => nowMs - atMs < PROBE_LOST_MS);
  if (live.length < PROBES)
    return { may: true, breaker: { ...breaker, probes: [...live, { job, atMs: nowMs }] } };
  return { may: false, untilMs: Math.min(...live.map(({ atMs }) => atMs)) + PROBE_LOST_MS };
}

/** How many calls it lets through at the moment; Infinity while it is closed. */
export function wouldLetThrough(breaker: Breaker, nowMs: number): number {
  if (breaker.state === "closed") return Number.POSITIVE_INFINITY;
  if (breaker.state === "open") return nowMs < (breaker.untilMs ?? nowMs) ? 0 : PROBES;
  const live = breaker.probes.filter(({ atMs }) => nowMs - atMs < PROBE_LOST_MS);
  return Math.max(0, PROBES - live.length);
}

/** Counts how calls of any jobs ended. Only counts while the breaker is closed: later ones were begun before it opened. */
export function count(breaker: Breaker, tallies: readonly Tally[], nowMs: number): Breaker {
  if (breaker.state !== "closed") return breaker;
  const kept = add(breaker.tallies, tallies).filter(({ atMs }) => nowMs - atMs < WINDOW_MS);
  const made = kept.reduce((sum, tally) => sum + tally.made, 0);
  const failed = kept.reduce((sum, tally) => sum + tally.failed, 0);
  if (failed >= MIN_FAILURES && failed >= FAILED_SHARE * (made + failed)) return open(breaker, nowMs);
  // Without a failure there is nothing to remember.
  return { ...breaker, tallies: failed === 0 ? [] : kept };
}

/** Notes that a call of this job has ended. It decides something only if the call was a try of the provider. */
export function endProbe(breaker: Breaker, job: string, end: CallEnd, nowMs: number): Breaker {
  if (breaker.state !== "half_open" || !breaker.probes.some((probe) => probe.job === job)) return breaker;
  if (end === "failed") return open(breaker, nowMs);
  const probes = breaker.probes.filter((probe) => probe.job !== job);
  if (end === "neutral") return { ...breaker, probes };
  const passed = breaker.passed + 1;
  return passed >= PROBES ? CLOSED : { ...breaker, probes, passed };
}

function open(breaker: Breaker, nowMs: number): Breaker {
  const openings = breaker.openings + 1;
  const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * PAUSE_GROWTH ** (openings - 1));
  return { ...CLOSED, state: "open", openings, untilMs: nowMs + pauseMs };
}

/** The step of the window in which a call that ends now is counted. */
export function stepOf(nowMs: number): number {
  return Math.floor(nowMs / STEP_MS) * STEP_MS;
}

/** Adds both up, step by step, oldest first. */
export function add(some: readonly Tally[], more: readonly Tally[]): Tally[] {
  const sums = new Map<number, Tally>();
  for (const { atMs, made, failed } of [...some, ...more]) {
    const sum = sums.get(atMs) ?? { atMs, made: 0, failed: 0 };
    sums.set(atMs, { atMs, made: sum.made + made, failed: sum.failed + failed });
  }
  return [...sums.values()].sort((a, b) => a.atMs - b.atMs);
}
