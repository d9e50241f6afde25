// A cache for the results of a function of text.

const MOST_TEXTS = 1_000;
/** Where clients choose the texts, longer ones are not kept: no one can fill the memory with them. */
const MOST_LENGTH = 200;

/**
 * Returns a function like `find`, which must return the same for the same text every time. Only texts of up to `mostLength` UTF-16 units
 * are kept; Infinity is for those of operators.
 */
export function remember<T extends object | string>(
  find: (text: string) => T,
  mostLength = MOST_LENGTH,
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const found = find(text);
    if (text.length > mostLength) return found;
    if (known.size >= MOST_TEXTS) known.clear();
    known.set(text, found);
    return found;
  };
}
