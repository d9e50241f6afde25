import fc from "fast-check";
import { expect, test } from "vitest";
import {
  appendEntries,
  consistencyPath,
  inclusionPath,
  sha256,
  tilesAbove,
  treeHash,
} from "../../../../core/identity/log/merkle-rules.ts";
import { naiveGrowth, naivePath, naiveRoot } from "../../../support/naive-log.ts";

const entriesOf = (count: number) => Array.from({ length: count }, (_, n) => sha256(String(n)));
const only = (tiles: ReadonlyMap<string, Uint8Array>, keys: readonly string[]) =>
  new Map([...tiles].filter(([key]) => keys.includes(key)));

/** Adds entries in parts, with no more stored tiles than the sequencer reads. */
function grow(entries: readonly Uint8Array[], cuts: readonly number[]) {
  const tiles = new Map<string, Uint8Array>();
  let size = 0;
  for (const cut of [...cuts, entries.length].toSorted((a, b) => a - b)) {
    const edge = only(tiles, tilesAbove(size));
    for (const [key, tile] of appendEntries(edge, size, entries.slice(size, cut))) tiles.set(key, tile);
    size = cut;
  }
  return tiles;
}

function expectNaive(count: number, cuts: readonly number[], asked: readonly number[]) {
  const entries = entriesOf(count);
  const tiles = grow(entries, cuts);
  const edge = tilesAbove(count);
  expect(treeHash(only(tiles, edge), 0, count)).toEqual(naiveRoot(entries));
  for (const entry of asked) {
    const read = only(tiles, [...edge, ...tilesAbove(count, entry)]);
    expect(inclusionPath(read, entry, count)).toEqual(naivePath(entry, entries));
    expect(consistencyPath(read, entry + 1, count)).toEqual(naiveGrowth(entry + 1, entries));
  }
}

test("tiles of any tree, grown in any parts, give the root and the proofs of RFC 6962", () => {
  const trees = fc
    .integer({ min: 1, max: 1_100 })
    .chain((count) =>
      fc.tuple(
        fc.constant(count),
        fc.array(fc.integer({ min: 0, max: count }), { maxLength: 4 }),
        fc.array(fc.integer({ min: 0, max: count - 1 }), { maxLength: 3 }),
      ),
    );
  fc.assert(
    fc.property(trees, (tree) => expectNaive(...tree)),
    { numRuns: 60, examples: [256, 257, 511, 512, 513].map((count) => [[count, [], [0, count - 1]]]) },
  );
});

test("a tree of 70,000 entries has tiles at three levels, as wide as the specification says", () => {
  const entries = entriesOf(70_000);
  const tiles = grow(entries, [65_535, 65_536]);
  const widths = ["0/272", "0/273", "1/0", "1/1", "2/0"].map((key) => (tiles.get(key)?.length ?? 0) / 32);
  expect([tiles.size, ...widths]).toEqual([277, 256, 112, 256, 17, 1]);
  expect(treeHash(only(tiles, tilesAbove(70_000)), 0, 70_000)).toEqual(naiveRoot(entries));
});

test("entries are refused when the stored edge does not match the tree's size", () => {
  const tiles = grow(entriesOf(300), []);
  expect(() => appendEntries(tiles, 301, entriesOf(1))).toThrow("width");
  expect(() => treeHash(tiles, 0, 301)).toThrow("no hash");
});
