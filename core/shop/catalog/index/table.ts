// A hash table from a key to its slot as one typed array. The keys themselves stay where they are, and the caller compares them.

/** The slot plus 1, or 0 if empty; the length is a power of two. */
export type Table = Uint32Array<ArrayBuffer>;

/** At most half full, so that a search ends soon. */
export function buildTable(count: number, hashAt: (slot: number) => number): Table {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, count * 2)));
  const table = new Uint32Array(size);
  for (let slot = 0; slot < count; slot++) {
    let at = hashAt(slot) & (size - 1);
    while (table[at] !== 0) at = (at + 1) & (size - 1);
    table[at] = slot + 1;
  }
  return table;
}

/** The slot that has the wanted key, as `isSame` decides; -1 if there is none. */
export function findInTable(table: Table, hash: number, isSame: (slot: number) => boolean): number {
  const mask = table.length - 1;
  for (let at = hash & mask; table[at] !== 0; at = (at + 1) & mask) {
    const slot = (table[at] as number) - 1;
    if (isSame(slot)) return slot;
  }
  return -1;
}

/** FNV-1a with its bits mixed once more. */
export function hashBytes(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return mix(hash);
}

/** The hash of the four numbers from `at` on. */
export function hashId(ids: ArrayLike<number>, at: number): number {
  let hash = 0;
  for (let i = 0; i < 4; i++) hash = mix(hash ^ (ids[at + i] as number));
  return hash;
}

function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
