// A clock that only a test moves.
import type { Clock } from "../../runtime/clock.ts";

export type FakeClock = Clock & {
  set(time: Date | string): void;
  advance(ms: number): void;
};

export function createFakeClock(start: Date | string = "2026-01-01T00:00:00.000Z"): FakeClock {
  let nowMs = new Date(start).getTime();
  return {
    now: () => new Date(nowMs),
    set: (time) => {
      nowMs = new Date(time).getTime();
    },
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
