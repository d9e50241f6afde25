// A cache for the results of a function of text.

const MOST_TEXTS = 1_000;
/** Clients choose the texts, so longer ones are not kept: no one can fill the memory with them. */
const MOST_LENGTH = 200;

/** Returns a function like `find`, which must return the same for the same text every time. */
export function remember<T extends object | string>(find: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const found = find(text);
    if (text.length > MOST_LENGTH) return found;
    if (known.size >= MOST_TEXTS) known.clear();
    known.set(text, found);
    return found;
  };
}
