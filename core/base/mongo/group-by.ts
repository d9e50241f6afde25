// Groups bulk writes by statement.

/** Non-empty groups of items with the same key, in the order of the first occurrence of each key. */
export function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}
