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
import {
  leafNode,
  pathInPart,
  rootOfPart,
  saltOf,
  statementOf,
  SUMS,
  sumOf,
} from "../../../../core/identity/log/sum-rules.ts";
import { naiveGrowth, naivePath, naiveRoot, rootOfBalance } from "../../../support/naive-log.ts";

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

test.for([1, 2, 256, 600])("a balance is in the total of %d, by parts of 256", (count) => {
  const secret = Buffer.alloc(32, 7);
  const leaves = Array.from({ length: count }, (_, at) => ({
    account_id: `acc_${at}`,
    seq: at,
    balance: at * 3,
  }));
  const nodes = leaves.map((leaf) => leafNode(leaf, saltOf(secret, leaf.account_id)));
  const parts = Array.from({ length: Math.ceil(count / 256) }, (_, at) =>
    nodes.slice(at * 256, at * 256 + 256),
  );
  const tiles = appendEntries(new Map(), 0, parts.map(rootOfPart), SUMS);
  const root = treeHash(tiles, 0, parts.length, SUMS);
  expect(sumOf(root)).toBe((count * (count - 1) * 3) / 2);
  const total = { at: new Date(0), accounts: count, total: sumOf(root), root: root.subarray(8) };
  const statement = statementOf("log", total);
  const hex = (path: readonly Uint8Array[]) => path.map((one) => Buffer.from(one).toString("hex"));
  for (const [index, leaf] of leaves.entries()) {
    if (index % 37 !== 0 && index < count - 2) continue;
    const path = hex([
      ...pathInPart(parts[Math.floor(index / 256)] ?? [], index % 256),
      ...inclusionPath(tiles, Math.floor(index / 256), parts.length, SUMS),
    ]);
    const salt = saltOf(secret, leaf.account_id).toString("hex");
    const proof = { ...leaf, salt, index, path, statement, log_index: 0, log_path: [], checkpoint: "" };
    expect(() => rootOfBalance(proof, 1)).not.toThrow();
    expect(() => rootOfBalance({ ...proof, balance: leaf.balance + 1 }, 1)).toThrow("not in the total");
  }
});

test("a sum below 0 or above 2^53 - 1 is refused", () => {
  const nodeOf = (balance: number) => leafNode({ account_id: "acc_1", seq: 1, balance }, Buffer.alloc(32));
  expect(() => nodeOf(-1)).toThrow("cannot have the sum -1");
  expect(() => rootOfPart([nodeOf(Number.MAX_SAFE_INTEGER), nodeOf(1)])).toThrow("cannot have the sum");
});
