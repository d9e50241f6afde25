// How often a worker of the work queue is killed: 4 times with all tests; `vitest run test/faults/work-killed.test.ts --mode thorough` kills
// it 200 times.
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    workKills: number;
  }
}

export const WORK_KILLS = inject("workKills");
