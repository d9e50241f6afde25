// When to start a mongod again that ended, depending on how often it failed recently. This file is pure.

/** A failure counts for this long, however well mongod ran in between. */
const WINDOW_MS = 10 * 60_000;
/** The delays before the first restart, the second and so on. After one more failure the process stops. */
const WAITS_MS = [100, 500, 1_000, 2_000, 5_000, 10_000, 20_000];

/** Returns how long to wait after the latest of these failures, or undefined if there were too many. */
export function nextTryMs(failedAtMs: readonly number[], nowMs: number): number | undefined {
  return WAITS_MS[failuresInWindow(failedAtMs, nowMs) - 1];
}

export function failuresInWindow(failedAtMs: readonly number[], nowMs: number): number {
  return failedAtMs.filter((at) => nowMs - at < WINDOW_MS).length;
}
