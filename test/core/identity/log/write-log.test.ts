// The log of all ledgers in the database: kills between its steps, parallel workers, and the audit's findings.
import { Binary } from "mongodb";
import { describe, expect, test } from "vitest";
import { changedHeads } from "../../../../core/identity/accounts/list-ids.ts";
import { proveAccount, readCheckpoint } from "../../../../core/identity/log/read-log.ts";
import { findLog, type LogDoc } from "../../../../core/identity/log/store.ts";
import { appendHeads, signCheckpoint, takeLog, writeLog } from "../../../../core/identity/log/write-log.ts";
import { auditLogs } from "../../../../core/operations/audit/audit-log.ts";
import { createCustomer, useEmptyApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { giveCredits } from "../../../support/credits.ts";
import { openCheckpoint, rootOfProof } from "../../../support/naive-log.ts";
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
  const LIES: readonly (readonly [what: string, tell: () => Promise<unknown>, found: readonly string[]])[] = [
    [
      "a logged head with another hash",
      () => collection("log_heads").updateOne({ index: 1 }, { $set: { hash: "ab".repeat(32) } }),
      [
        "has another hash than entry 1 of the log",
        "tile 0/0 is not",
        "its root is not",
        "its checkpoint is not",
      ],
    ],
    [
      "a logged head of an entry that does not exist",
      () => collection("log_heads").updateOne({ index: 2 }, { $set: { seq: 7 } }),
      ["is entry 2 of the log, and not in the ledger", "tile 0/0 is not", "its root", "its checkpoint"],
    ],
    [
      "a logged head that was removed",
      () => collection("log_heads").deleteOne({ index: 0 }),
      ["has entry 1 where entry 0 should be"],
    ],
    [
      "a tile that was changed",
      () => collection("log_tiles").updateOne({}, { $set: { hashes: new Binary(Buffer.alloc(96)) } }),
      ["tile 0/0 is not that of its entries"],
    ],
    [
      "a root that was changed",
      () => collection("logs").updateOne({}, { $set: { root: new Binary(Buffer.alloc(32)) } }),
      ["its root is not that of its 3 entries"],
    ],
    [
      "a log that was cut off",
      () => collection("logs").updateOne({}, { $set: { size: 2 } }),
      ["its root is not", "its checkpoint is not"],
    ],
  ];

  test("finds every planted fault, and no other", async () => {
    await Promise.all([customer(), customer(), customer()]);
    await write();
    const names = ["logs", "log_tiles", "log_heads"];
    const whole = await Promise.all(names.map((name) => collection(name).find().toArray()));
    for (const [what, tell, found] of LIES) {
      await tell();
      const findings = await auditFindings(testApp.app);
      expect(findings, what).toHaveLength(found.length);
      for (const [index, words] of found.entries()) expect(findings[index], what).toContain(words);
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
