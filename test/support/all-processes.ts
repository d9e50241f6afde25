// Whether tests that start every role as a process of its own run: `--mode thorough`.
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    allProcesses: boolean;
  }
}

export const ALL_PROCESSES = inject("allProcesses");
