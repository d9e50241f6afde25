// Times that are promised.
import { expect, inject } from "vitest";

/** Compares a measured time with its promise, with `--mode thorough` only: beside other test processes any step may be held up. */
export function expectPrompt(tookMs: number, boundMs: number): void {
  if (inject("isThorough")) expect(tookMs).toBeLessThan(boundMs);
}
