// How many jobs see their workers killed at a provider's queue: 20 with all tests;
// `vitest run test/faults/providers-killed.test.ts --mode thorough` has 200.
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    killedJobs: number;
  }
}

export const KILLED_JOBS = inject("killedJobs");
