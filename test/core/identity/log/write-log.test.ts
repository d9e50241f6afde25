// The log of all ledgers in the database: kills between its steps, parallel workers, and the audit's findings.
import fc from "fast-check";
import { Binary } from "mongodb";
import { describe, expect, test } from "vitest";
import { changedHeads } from "../../../../core/identity/accounts/list-ids.ts";
import {
  appendEntries,
  consistencyPath,
  inclusionPath,
  sha256,
  tilesAbove,
  treeHash,
} from "../../../../core/identity/log/merkle-rules.ts";
import { proveAccount, readCheckpoint } from "../../../../core/identity/log/read-log.ts";
import { findLog, type LogDoc } from "../../../../core/identity/log/store.ts";
import {
  leafNode,
  pathInPart,
  rootOfPart,
  saltOf,
  statementOf,
  SUMS,
  sumOf,
} from "../../../../core/identity/log/sum-rules.ts";
import { appendHeads, signCheckpoint, takeLog, writeLog } from "../../../../core/identity/log/write-log.ts";
import { auditLogs } from "../../../../core/operations/audit/audit-log.ts";
import { createCustomer, useEmptyApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { giveCredits } from "../../../support/credits.ts";
import {
  openCheckpoint,
  rootOfProof,
  naiveGrowth,
  naivePath,
  naiveRoot,
  rootOfBalance,
} from "../../../support/naive-log.ts";
import { watchCommands } from "../../../support/watch-commands.ts";

const { testApp, clock } = useEmptyApp("2026-01-31T09:30:00.000Z");
const SOON_MS = 10_000;
const LEASE_MS = 60_000;
const customer = async () => (await createCustomer(testApp.app)).accountId;
const grant = (accountId: string) => giveCredits(testApp.app, accountId, 1);
async function write() {
  clock.advance(SOON_MS);
  await writeLog(testApp.app);
}
const headsNow = async () => Array.fromAsync(changedHeads(testApp.app));

async function expectProven(accountId: string, seq: number) {
  const { proof } = await proveAccount(testApp.app, accountId);
  if (!proof) throw new Error("there is no proof");
  const { size, root } = openCheckpoint(proof.checkpoint, testApp.app.signingKeys.receipts);
  expect(proof.seq).toBe(seq);
  expect(rootOfProof(proof, size)).toBe(root);
  return { size, root };
}

test("a changed ledger is in the next checkpoint, and each owner can prove it", async () => {
  const [ada, bob] = [await customer(), await customer()];
  await expect(readCheckpoint(testApp.app)).rejects.toMatchObject({ code: "not_found" });
  expect((await proveAccount(testApp.app, ada)).proof).toBeUndefined();
  await write();
  expect(await expectProven(ada, 1)).toMatchObject({ size: 2 });
  await grant(ada);
  await write();
  expect((await expectProven(ada, 2)).size).toBe(3);
  expect((await expectProven(bob, 1)).size).toBe(3);
  const note = await readCheckpoint(testApp.app);
  await write();
  expect(await readCheckpoint(testApp.app)).toBe(note);
  expect(await auditFindings(testApp.app)).toEqual([]);
});

test("adding many entries does not delay the next search", async () => {
  await customer();
  clock.advance(SOON_MS);
  const begun = clock.now().getTime();
  const { app, close } = await watchCommands(testApp, ({ commandName }) => {
    if (commandName === "insert") clock.advance(SOON_MS);
  });
  await writeLog(app);
  await close();
  const log = await findLog(testApp.app.mongo.db);
  expect(clock.now().getTime()).toBeGreaterThan(begun + SOON_MS);
  expect(log?.work.due_at?.getTime()).toBeLessThan(begun + 2 * SOON_MS);
});

/** The sequencer's steps up to the one after which it is killed. */
const KILLED_AFTER: Readonly<Record<string, (log: LogDoc) => Promise<unknown>>> = {
  "taking the log": async () => {},
  "adding entries": async (log) => appendHeads(testApp.app, log, await headsNow()),
  signing: async (log) => {
    const appended = await appendHeads(testApp.app, log, await headsNow());
    if (appended) await signCheckpoint(testApp.app, appended);
  },
};

test.for(Object.keys(KILLED_AFTER))(
  "a worker that is killed after %s leaves one history, which the next one continues",
  async (step) => {
    const [ada, bob] = [await customer(), await customer()];
    await write();
    await grant(ada);
    clock.advance(SOON_MS);
    const stale = await takeLog(testApp.app);
    if (!stale) throw new Error("the log is not due");
    await KILLED_AFTER[step]?.(stale);
    const left = await findLog(testApp.app.mongo.db);
    await writeLog(testApp.app);
    expect(await findLog(testApp.app.mongo.db)).toEqual(left);

    clock.advance(LEASE_MS);
    await grant(bob);
    await writeLog(testApp.app);
    expect((await expectProven(ada, 2)).size).toBe(4);
    await expectProven(bob, 2);
    // The killed worker returns, and has lost its lease.
    const note = await readCheckpoint(testApp.app);
    expect(await appendHeads(testApp.app, stale, await headsNow())).toBeUndefined();
    expect(await signCheckpoint(testApp.app, { ...stale, size: 9 })).toBe(false);
    expect(await readCheckpoint(testApp.app)).toBe(note);
    expect(await auditFindings(testApp.app)).toEqual([]);
  },
);

test("parallel workers, some killed, never publish two roots of one size", async () => {
  const owners = [await customer(), await customer(), await customer()];
  const roots = new Map<number, string>();
  const steps = Object.values(KILLED_AFTER);
  for (let round = 0; round < 12; round++) {
    clock.advance(LEASE_MS);
    const kill = async () => {
      const log = await takeLog(testApp.app);
      if (log) await steps[round % steps.length]?.(log);
    };
    await Promise.all([grant(owners[round % 3] ?? ""), kill(), writeLog(testApp.app), writeLog(testApp.app)]);
    // Nothing is signed while another worker has the lease.
    const note = (await findLog(testApp.app.mongo.db))?.checkpoint?.note;
    if (note === undefined) continue;
    const { size, root } = openCheckpoint(note, testApp.app.signingKeys.receipts);
    expect(roots.get(size) ?? root).toBe(root);
    roots.set(size, root);
  }
  clock.advance(LEASE_MS);
  await write();
  for (const owner of owners) await expectProven(owner, 5);
  expect(roots.size).toBeGreaterThan(2);
  expect(await auditFindings(testApp.app)).toEqual([]);
});

test("a restored database starts another log, and the audit still knows the earlier one", async () => {
  const ada = await customer();
  await write();
  const before = await findLog(testApp.app.mongo.db);
  await testApp.app.mongo.db.collection("logs").updateMany({}, { $set: { made_in: "elsewhere" } });
  await expect(readCheckpoint(testApp.app)).rejects.toMatchObject({ code: "not_found" });
  await write();
  await expectProven(ada, 1);
  expect((await findLog(testApp.app.mongo.db))?.origin).not.toBe(before?.origin);
  expect(await auditFindings(testApp.app)).toEqual([]);
});

describe("the audit of the log", () => {
  const collection = (name: string) => testApp.app.mongo.db.collection<{ _id: string }>(name);
  const LIES: readonly (readonly [tell: () => Promise<unknown>, found: readonly string[]])[] = [
    [
      () => collection("log_heads").updateOne({ index: 1 }, { $set: { hash: "ab".repeat(32) } }),
      [
        "has another hash than entry 1 of the log",
        "tile 0/0 is not",
        "its root is not",
        "its checkpoint is not",
      ],
    ],
    [
      () => collection("log_heads").updateOne({ index: 2 }, { $set: { seq: 7 } }),
      ["is entry 2 of the log, and not in the ledger", "tile 0/0 is not", "its root", "its checkpoint"],
    ],
    [() => collection("log_heads").deleteOne({ index: 0 }), ["has entry 1 where entry 0 should be"]],
    [
      () => collection("log_tiles").updateOne({}, { $set: { hashes: new Binary(Buffer.alloc(96)) } }),
      ["tile 0/0 is not that of its entries"],
    ],
    [
      () => collection("logs").updateOne({}, { $set: { root: new Binary(Buffer.alloc(32)) } }),
      ["its root is not that of its 3 entries"],
    ],
    [
      () => collection("logs").updateOne({}, { $set: { size: 2 } }),
      ["its root is not", "its checkpoint is not"],
    ],
  ];

  test("finds every planted fault, and no other", async () => {
    await Promise.all([customer(), customer(), customer()]);
    await write();
    const names = ["logs", "log_tiles", "log_heads"];
    const whole = await Promise.all(names.map((name) => collection(name).find().toArray()));
    for (const [tell, found] of LIES) {
      await tell();
      const findings = await auditFindings(testApp.app);
      expect(findings, found[0]).toHaveLength(found.length);
      for (const [index, words] of found.entries()) expect(findings[index], found[0]).toContain(words);
      for (const [index, name] of names.entries()) {
        await collection(name).deleteMany({});
        await collection(name).insertMany(whole[index] ?? []);
      }
    }
    expect(await auditFindings(testApp.app)).toEqual([]);
  });
});

test("the audit recounts a log of several tiles at each level", async () => {
  const { db } = testApp.app.mongo;
  const hash = "cd".repeat(32);
  const heads = Array.from({ length: 520 }, (_, at) => ({ accountId: `acc_${at}`, seq: 1, hash }));
  const log = await takeLog(testApp.app);
  const appended = log && (await appendHeads(testApp.app, log, heads));
  expect(appended && (await signCheckpoint(testApp.app, appended))).toBe(true);
  expect(await auditLogs(db)).toEqual([]);
  const tile = { _id: `${log?._id}/1/0` as never };
  await db.collection("log_tiles").updateOne(tile, { $set: { hashes: new Binary(Buffer.alloc(64)) } });
  expect(await auditLogs(db)).toEqual([expect.stringContaining("tile 1/0 is not that of its entries")]);
});

test("nothing is appended to a log whose stored tiles do not match its root", async () => {
  const ada = await customer();
  await write();
  const note = await readCheckpoint(testApp.app);
  const zeros = new Binary(Buffer.alloc(32));
  await testApp.app.mongo.db.collection("log_tiles").updateOne({}, { $set: { hashes: zeros } });
  await grant(ada);
  await expect(write()).rejects.toThrow("do not have the root");
  expect(await readCheckpoint(testApp.app)).toBe(note);
});

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
