// How many calls of a provider may be in progress, and how many may begin in a minute. This file is pure.

/** Absent: no limit. */
export type Limits = { readonly maxCalls: number | undefined; readonly maxPerMinute: number | undefined };

/** A call that is in progress, or that a waiting job may make now; `begun` says which. */
export type Permit = { readonly job: string; readonly begun: boolean };

/** Calls that began in a second, which is counted from 1970. */
export type Starts = { readonly second: number; readonly calls: number };

export type Usage = {
  /** The longest-running first. */
  readonly places: readonly Permit[];
  /** The starts of the last minute, oldest first. */
  readonly starts: readonly Starts[];
};

export const UNUSED: Usage = { places: [], starts: [] };

/** A call of the 61st second back certainly began a minute ago. */
const COUNTED_SECONDS = 61;

/** The result for a job that requests a permit. */
export type Admission = {
  /** Ids of the admitted jobs, in order of their requests. */
  readonly admitted: readonly string[];
  readonly usage: Usage;
  /** When time alone may free a permit for another job; undefined if a call has to end first. */
  readonly nextAtMs: number | undefined;
};

/**
 * Gives permits to jobs, in this order, as far as there is capacity. With `begin` they call now; otherwise a permit is reserved for each,
 * which counts as a call until it is used. A job with a reserved permit uses it; a job that has already begun makes another call under the
 * same permit.
 */
export function admit(
  limits: Limits,
  { places, starts }: Usage,
  { jobs, begin, nowMs }: { jobs: readonly string[]; begin: boolean; nowMs: number },
): Admission {
  const nowSecond = Math.floor(nowMs / 1000);
  const counted = starts.filter(({ second }) => second > nowSecond - COUNTED_SECONDS);
  const held = new Map(places.map((permit) => [permit.job, permit]));
  let begun = counted.reduce((sum, { calls }) => sum + calls, 0);
  let starting = 0;
  const admitted: string[] = [];
  const { maxCalls = Number.POSITIVE_INFINITY, maxPerMinute = Number.POSITIVE_INFINITY } = limits;
  for (const job of jobs) {
    const own = held.get(job);
    const needsPlace = own === undefined;
    // A reserved permit includes its start.
    const needsStart = own === undefined || (own.begun && begin);
    if (needsPlace && held.size >= maxCalls) continue;
    if (needsStart && begun >= maxPerMinute) continue;
    if (needsStart) [begun, starting] = [begun + 1, starting + 1];
    held.set(job, { job, begun: begin || own?.begun === true });
    admitted.push(job);
  }
  const usage = { places: [...held.values()], starts: withStarts(counted, nowSecond, starting) };
  return { admitted, usage, nextAtMs: nextStart(usage.starts, maxPerMinute) };
}

/** Frees the permits of jobs that have ended. */
export function withoutEnded(usage: Usage, isRunning: (job: string) => boolean): Usage {
  return { ...usage, places: usage.places.filter(({ job }) => isRunning(job)) };
}

/** Calls that began within the last minute. */
export function begunLately({ starts }: Usage, nowMs: number): number {
  const nowSecond = Math.floor(nowMs / 1000);
  return starts
    .filter(({ second }) => second > nowSecond - COUNTED_SECONDS)
    .reduce((sum, { calls }) => sum + calls, 0);
}

function withStarts(starts: readonly Starts[], second: number, calls: number): Starts[] {
  if (calls === 0) return [...starts];
  const before = starts.find((one) => one.second === second)?.calls ?? 0;
  const others = starts.filter((one) => one.second !== second);
  return [...others, { second, calls: before + calls }].sort((a, b) => a.second - b.second);
}

/** When few enough calls of the last minute are left that another may begin. */
function nextStart(starts: readonly Starts[], maxPerMinute: number): number | undefined {
  let over = starts.reduce((sum, { calls }) => sum + calls, 0) - maxPerMinute + 1;
  if (over <= 0) return undefined;
  for (const { second, calls } of starts) {
    over -= calls;
    if (over <= 0) return (second + COUNTED_SECONDS) * 1000;
  }
  return undefined;
}
