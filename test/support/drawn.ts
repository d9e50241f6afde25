// The number of random cases of a test, where each takes tenths of a second.
import { inject } from "vitest";

/** All of them with `--mode thorough`, otherwise a quarter: the suite runs often, with other cases each time. */
export const drawn = (all: number): number => (inject("isThorough") ? all : Math.ceil(all / 4));
