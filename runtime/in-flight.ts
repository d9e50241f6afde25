// What is in progress, by number. Entries come and go with every request, and a Map would keep requests alive after their end: V8 replaces a
// Map's table every few deletions, and each replaced table points to the next one. Once a collection of the old generation has moved one
// table there, it holds all that follow, with the requests that were in them, until the next such collection, which comes much sooner
// because of them. A plain object's table points to no other.
export type InFlight<T> = {
  get(id: number): T | undefined;
  /** The id must not be in progress. */
  add(id: number, value: T): void;
  /** False if it was not in progress. */
  remove(id: number): boolean;
  has(id: number): boolean;
  /** By id, the lowest first. */
  all(): [id: number, value: T][];
  size(): number;
};

export function createInFlight<T extends object>(): InFlight<T> {
  const entries: Record<number, T> = Object.create(null);
  let size = 0;
  return {
    get: (id) => entries[id],
    add: (id, value) => {
      entries[id] = value;
      size += 1;
    },
    remove: (id) => {
      if (entries[id] === undefined) return false;
      delete entries[id];
      size -= 1;
      return true;
    },
    has: (id) => entries[id] !== undefined,
    all: () => Object.entries(entries).map(([id, value]) => [Number(id), value]),
    size: () => size,
  };
}
