// Work that is done one after the other, in the order in which it was asked for.

/** Does the work when all that was asked for before has ended, well or not. Nothing waits where nobody else wants a turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
