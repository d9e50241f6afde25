// For how long workers die while their provider works: 8 s with all tests; `vitest run test/faults/calls-interleavings.test.ts --mode
// thorough` goes on for five minutes.
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    callSeconds: number;
  }
}

export const CALL_SECONDS = inject("callSeconds");
