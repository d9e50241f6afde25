// Tests that do more with `--mode thorough`.
import { expect, inject } from "vitest";

/**
 * The number of random cases of a test, where each takes tenths of a second: all of them with `--mode thorough`, otherwise a quarter, because
 * the suite runs often, with other cases each time.
 */
export const drawn = (all: number): number => (inject("isThorough") ? all : Math.ceil(all / 4));

/** Compares a measured time with its limit, with `--mode thorough` only, because parallel test processes may delay any step. */
export function expectPrompt(tookMs: number, boundMs: number): void {
  if (inject("isThorough")) expect(tookMs).toBeLessThan(boundMs);
}
