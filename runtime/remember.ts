// Remembers what a function made of the texts that it was given of late.

const MOST_TEXTS = 1_000;
/** Senders choose the texts: longer ones are not kept, so that nobody can fill the memory with them. */
const MOST_LENGTH = 200;

/** The same as `find`, which must give the same for the same text every time. */
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
