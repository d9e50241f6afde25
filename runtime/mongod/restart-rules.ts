// When to start a mongod again that ended, judged by how often it failed lately. Pure.

/** A failure counts for this long, however well mongod ran in between. */
const WINDOW_MS = 10 * 60_000;
/** Before the first try, the second and so on; one failure more, and it is given up. */
const WAITS_MS = [100, 500, 1_000, 2_000, 5_000, 10_000, 20_000];

/** How long to wait after the last of these failures, or undefined if there were too many. */
export function nextTryMs(failedAtMs: readonly number[], nowMs: number): number | undefined {
  return WAITS_MS[failuresInWindow(failedAtMs, nowMs) - 1];
}

export function failuresInWindow(failedAtMs: readonly number[], nowMs: number): number {
  return failedAtMs.filter((at) => nowMs - at < WINDOW_MS).length;
}
