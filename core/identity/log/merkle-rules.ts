// The Merkle tree of the log: hashing of RFC 6962, stored in tiles of 256 hashes (c2sp.org/tlog-tiles). Level 0 of the stored tiles holds the
// entries themselves, which are as long as hashes. A tree of sums (sum-rules.ts) has the same shape with other nodes. Pure.
import { createHash } from "node:crypto";

export const TILE_WIDTH = 256;
export const HASH_BYTES = 32;

/** By `level/index`; each holds up to 256 hashes. */
export type Tiles = ReadonlyMap<string, Uint8Array>;

export function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

export function leafHash(entry: Uint8Array): Buffer {
  return sha256(Uint8Array.of(0), entry);
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256(Uint8Array.of(1), left, right);
}

/** The nodes of a tree: how long they are, and how they are made. */
export type Hashing = {
  readonly bytes: number;
  leaf(entry: Uint8Array): Uint8Array;
  node(left: Uint8Array, right: Uint8Array): Uint8Array;
};

const RFC_6962: Hashing = { bytes: HASH_BYTES, leaf: leafHash, node: nodeHash };

export function tileKey(level: number, index: number): string {
  return `${level}/${index}`;
}

/** The tiles from which the root of a tree is computed, and to which an entry is added. `at` gives those above this entry instead. */
export function tilesAbove(size: number, at = size): string[] {
  const keys = [];
  for (let level = 0, width = TILE_WIDTH; level === 0 || width / TILE_WIDTH <= size; level += 1) {
    keys.push(tileKey(level, Math.floor(at / width)));
    width *= TILE_WIDTH;
  }
  return keys;
}

/** The hashes of a tile of the log, which are stored at level 0 as the entries. */
export function hashesOf(level: number, tile: Uint8Array): Buffer {
  if (level > 0) return Buffer.from(tile);
  return Buffer.concat(slicesOf(tile).map(leafHash));
}

export function slicesOf(tile: Uint8Array): Uint8Array[] {
  return Array.from({ length: tile.length / HASH_BYTES }, (_, index) => sliceOf(tile, index, HASH_BYTES));
}

function sliceOf(tile: Uint8Array, index: number, bytes: number): Uint8Array {
  return tile.subarray(index * bytes, (index + 1) * bytes);
}

/** The Merkle tree hash of the entries from `from` to before `to`, for the subtrees that occur in the tree. Throws where a tile is missing. */
export function treeHash(tiles: Tiles, from: number, to: number, hashing = RFC_6962): Uint8Array {
  const count = to - from;
  let level = 0;
  let width = 1;
  for (; width < count; width *= TILE_WIDTH) level += 1;
  if (width === count) return hashAt(tiles, level, from / count, hashing);
  const middle = from + leftOf(count);
  return hashing.node(treeHash(tiles, from, middle, hashing), treeHash(tiles, middle, to, hashing));
}

function hashAt(tiles: Tiles, level: number, at: number, { bytes, leaf }: Hashing): Uint8Array {
  const key = tileKey(level, Math.floor(at / TILE_WIDTH));
  const hash = sliceOf(tiles.get(key) ?? new Uint8Array(), at % TILE_WIDTH, bytes);
  if (hash.length < bytes) throw new Error(`the log has no hash ${at} at level ${level}`);
  return level === 0 ? leaf(hash) : hash;
}

/** The size of the left subtree: the largest power of two below `count`. */
function leftOf(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

/** The audit path of an entry (RFC 6962, section 2.1.1), the lowest hash first. */
export function inclusionPath(tiles: Tiles, entry: number, size: number, hashing = RFC_6962): Uint8Array[] {
  const path: Uint8Array[] = [];
  for (let [from, to] = [0, size]; to - from > 1;) {
    const middle = from + leftOf(to - from);
    const isLeft = entry < middle;
    path.unshift(isLeft ? treeHash(tiles, middle, to, hashing) : treeHash(tiles, from, middle, hashing));
    if (isLeft) to = middle;
    else from = middle;
  }
  return path;
}

/**
 * Proves that a tree of `size` begins with one of `old`, which is larger than 0 (RFC 6962, section 2.1.2). Needs the tiles above `size` and
 * above entry `old` - 1.
 */
export function consistencyPath(tiles: Tiles, old: number, size: number): Uint8Array[] {
  const path: Uint8Array[] = [];
  let [from, to] = [0, size];
  while (to > old) {
    const middle = from + leftOf(to - from);
    const isLeft = old <= middle;
    path.unshift(isLeft ? treeHash(tiles, middle, to) : treeHash(tiles, from, middle));
    if (isLeft) to = middle;
    else from = middle;
  }
  return from === 0 ? path : [treeHash(tiles, from, to), ...path];
}

/** The tiles that change when entries are added to a tree of `size`, whose own right edge is in `tiles`. */
export function appendEntries(
  tiles: Tiles,
  size: number,
  entries: readonly Uint8Array[],
  hashing = RFC_6962,
): Map<string, Uint8Array> {
  const changed = new Map<string, Uint8Array>();
  let [start, hashes] = [size, entries];
  for (let level = 0; hashes.length > 0; level += 1) {
    const filled: Uint8Array[] = [];
    for (let done = 0; done < hashes.length;) {
      const index = Math.floor((start + done) / TILE_WIDTH);
      const width = (start + done) % TILE_WIDTH;
      const key = tileKey(level, index);
      const before = tiles.get(key) ?? new Uint8Array();
      if (before.length !== width * hashing.bytes)
        throw new Error(`tile ${key} of the log has not the width that its size needs`);
      const added = hashes.slice(done, done + TILE_WIDTH - width);
      const tile = Buffer.concat([before, ...added]);
      changed.set(key, tile);
      done += added.length;
      if (width + added.length === TILE_WIDTH)
        filled.push(rootOfTile(new Map([[key, tile]]), { level, index }, hashing));
    }
    [start, hashes] = [Math.floor(start / TILE_WIDTH), filled];
  }
  return changed;
}

function rootOfTile(
  tiles: Tiles,
  { level, index }: { level: number; index: number },
  hashing: Hashing,
): Uint8Array {
  const width = TILE_WIDTH ** level;
  const half = (width * TILE_WIDTH) / 2;
  const from = index * width * TILE_WIDTH;
  return hashing.node(
    treeHash(tiles, from, from + half, hashing),
    treeHash(tiles, from + half, from + half * 2, hashing),
  );
}
