// Limits how many of a thing may be open at a time. A permit is taken for several subjects together, and returned later.
import { AppError } from "../proto/codes.ts";

export type Cap = {
  readonly most: number;
  /** The opened resource, and its owner, as text for a refused caller. */
  readonly words: string;
};

export type Permits<Name extends string> = {
  /** Takes one permit for each subject, or throws rate_limited and takes none. Returns the function that gives the permits back. */
  take(subjects: Readonly<Record<Name, string>>): () => void;
  /** Throws what `take` would throw now, but takes nothing. */
  check(subjects: Readonly<Record<Name, string>>): void;
  /** Returns the number of subjects that hold permits under this name: 0 if nothing is open. */
  subjects(name: Name): number;
};

/** No one knows when a permit becomes free; this keeps waiting callers from asking all the time. */
const RETRY_AFTER_SECONDS = 5;

export function createPermits<Name extends string>(
  caps: Readonly<Record<Name, Cap>>,
  onRefusal: (name: Name) => void = () => {},
): Permits<Name> {
  const names = Object.keys(caps) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, new Map()])) as Record<
    Name,
    Map<string, number>
  >;
  const add = (subjects: Readonly<Record<Name, string>>, change: 1 | -1): void => {
    for (const name of names) {
      const left = (taken[name].get(subjects[name]) ?? 0) + change;
      if (left > 0) taken[name].set(subjects[name], left);
      else taken[name].delete(subjects[name]);
    }
  };
  const check = (subjects: Readonly<Record<Name, string>>): void => {
    for (const name of names) {
      const { most, words } = caps[name];
      if ((taken[name].get(subjects[name]) ?? 0) < most) continue;
      onRefusal(name);
      const message = `There are already ${most} ${words}, which is the most there may be.`;
      throw new AppError("rate_limited", { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
  };
  return {
    check,
    take: (subjects) => {
      check(subjects);
      add(subjects, 1);
      let given = false;
      return () => {
        if (!given) add(subjects, -1);
        given = true;
      };
    },
    subjects: (name) => taken[name].size,
  };
}
