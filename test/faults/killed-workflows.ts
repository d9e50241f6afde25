// How many random workflows are run while workers and core are killed: none with all tests, because it takes minutes;
// `vitest run test/faults/workflows-killed.test.ts --mode thorough` has 1,000.
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    killedWorkflows: number;
  }
}

export const KILLED_WORKFLOWS = inject("killedWorkflows");
