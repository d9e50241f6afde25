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
  /** Like `take`, for up to `count` permits: all that are free, and at least one. */
  takeSome(subjects: Readonly<Record<Name, string>>, count: number): (() => void)[];
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
  const fullName = (subjects: Readonly<Record<Name, string>>): Name | undefined =>
    names.find((name) => (taken[name].get(subjects[name]) ?? 0) >= caps[name].most);
  const check = (subjects: Readonly<Record<Name, string>>): void => {
    const name = fullName(subjects);
    if (name === undefined) return;
    onRefusal(name);
    const { most, words } = caps[name];
    const message = `There are already ${most} ${words}, which is the most there may be.`;
    throw new AppError("rate_limited", { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
  };
  const take = (subjects: Readonly<Record<Name, string>>): (() => void) => {
    check(subjects);
    add(subjects, 1);
    let given = false;
    return () => {
      if (!given) add(subjects, -1);
      given = true;
    };
  };
  return {
    check,
    take,
    takeSome: (subjects, count) => {
      const leaves = [take(subjects)];
      while (leaves.length < count && fullName(subjects) === undefined) leaves.push(take(subjects));
      return leaves;
    },
    subjects: (name) => taken[name].size,
  };
}
