// How many cases a test draws, where each takes tenths of a second.
import { inject } from "vitest";

/** All of them with `--mode thorough`, otherwise a quarter: the suite runs often, and draws others each time. */
export const drawn = (all: number): number => (inject("isThorough") ? all : Math.ceil(all / 4));
