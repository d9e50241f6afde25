import { expect, inject } from "vitest";

/** Compares a measured time with its limit, with `--mode thorough` only, because parallel test processes may delay any step. */
export function expectPrompt(tookMs: number, boundMs: number): void {
  if (inject("isThorough")) expect(tookMs).toBeLessThan(boundMs);
}
