// Lets transactions that write the same documents run side by side as long as that goes well, and one after the other when it does not.
import { waitAtMost } from "../../../runtime/service.ts";

export type Contention = {
  /**
   * Does the work immediately or, while there are conflicts, after all earlier work has ended, successfully or not. Nothing waits if
   * nothing else is under way.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Does what has just lost a conflict once more, after all others that have: a hundred at the same time on one document are done one after
   * the other instead of losing to each other again and again. One that hangs holds the others up for a second at most.
   */
  again<T>(work: () => Promise<T>): Promise<T>;
  /** A transaction has lost conflicts again and again: for a while one goes after the other. */
  noteConflicts(): void;
};

/** Without further conflicts work runs side by side again after this: overlapping it gets more done. */
const CALM_AFTER_MS = 1_000;
const MAX_HELD_MS = 1_000;

export function createContention(): Contention {
  let last: Promise<unknown> = Promise.resolve();
  let lastAgain: Promise<unknown> = Promise.resolve();
  let busyUntilMs = Number.NEGATIVE_INFINITY;
  return {
    run: (work) => {
      const before = last;
      const mine = performance.now() < busyUntilMs ? before.then(work) : work();
      last = Promise.all([before, mine.catch(() => {})]);
      return mine;
    },
    again: (work) => {
      const mine = lastAgain.then(work);
      lastAgain = lastAgain.then(() =>
        waitAtMost(
          MAX_HELD_MS,
          mine.catch(() => {}),
        ),
      );
      return mine;
    },
    noteConflicts: () => {
      busyUntilMs = performance.now() + CALM_AFTER_MS;
    },
  };
}
