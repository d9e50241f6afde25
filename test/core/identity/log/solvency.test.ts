// The daily tree of all balances: its proofs against a plain reading of the definition, kills between its steps, and the audit's findings.
import { Binary, type Document } from "mongodb";
import { describe, expect, test } from "vitest";
import { insertAccounts } from "../../../../bench/support/history.ts";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { buildSolvency } from "../../../../core/identity/log/build-solvency.ts";
import { currentLog, proveAccount, readStatements } from "../../../../core/identity/log/read-log.ts";
import { findUnlogged, statements } from "../../../../core/identity/log/store-solvency.ts";
import { appendStatement, takeLog, writeLog } from "../../../../core/identity/log/write-log.ts";
import { createCustomer, useEmptyApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { giveCredits } from "../../../support/credits.ts";
import { openCheckpoint, rootOfBalance } from "../../../support/naive-log.ts";
import { watchCommands } from "../../../support/watch-commands.ts";

const BEGIN = "2026-01-31T09:30:00.000Z";
const [SOON_MS, LEASE_MS, DAY_MS] = [10_000, 600_000, 86_400_000];
const { testApp, clock } = useEmptyApp(BEGIN);
const docs = (name: string) => testApp.app.mongo.db.collection<Document & { _id: string }>(name);
const customer = async () => (await createCustomer(testApp.app)).accountId;
const grant = (accountId: string, amount = 1) => giveCredits(testApp.app, accountId, amount);
async function write() {
  clock.advance(SOON_MS);
  await writeLog(testApp.app);
}
async function stateDay() {
  clock.advance(DAY_MS);
  await buildSolvency(testApp.app);
  await write();
}

/** The total that the account's balance is proven to be in. */
async function expectProven(accountId: string) {
  const { solvency } = await proveAccount(testApp.app, accountId);
  if (!solvency) throw new Error("there is no proof");
  const { size, root } = openCheckpoint(solvency.checkpoint, testApp.app.signingKeys.receipts);
  expect(rootOfBalance(solvency, size)).toBe(root);
  const account = await accounts(testApp.app.mongo.db).findOne({ _id: accountId });
  expect(solvency).toMatchObject({ balance: account?.balance, seq: account?.ledger_seq });
  return Number(solvency.statement.split("\n")[4]);
}

test("once a day the log states the total of all balances, and each owner can prove that theirs is in it", async () => {
  const [ada, bob] = [await customer(), await customer()];
  await insertAccounts(testApp.app, 700);
  await grant(ada, 5);
  await buildSolvency(testApp.app);
  expect(await readStatements(testApp.app)).toEqual([]);
  await write();
  await buildSolvency(testApp.app);
  expect((await proveAccount(testApp.app, ada)).solvency).toBeUndefined();
  await write();
  const [first] = await readStatements(testApp.app);
  const balances = await accounts(testApp.app.mongo.db).find().toArray();
  const total = balances.reduce((sum, { balance }) => sum + balance, 0);
  expect([await expectProven(ada), await expectProven(bob)]).toEqual([total, total]);
  const carol = await customer();
  await write();
  expect((await proveAccount(testApp.app, carol)).solvency).toBeUndefined();
  await buildSolvency(testApp.app);
  await write();
  expect(await readStatements(testApp.app)).toEqual([first]);
  await accounts(testApp.app.mongo.db).updateOne({ _id: bob }, { $set: { status: "deleted" } });
  for (let day = 0; day < 3; day++) await stateDay();
  await expectProven(bob);
  expect(await expectProven(carol)).toBeGreaterThan(total);
  expect(await readStatements(testApp.app)).toHaveLength(4);
  // Only the newest two trees are kept.
  const trees = await docs("solvency_parts").distinct("_id");
  expect(new Set(trees.map((id) => id.slice(0, 13)))).toEqual(new Set(["000001/000003", "000001/000004"]));
});

test("a restored database states its total in the log that it begins", async () => {
  const ada = await customer();
  await write();
  await stateDay();
  await docs("logs").updateMany({}, { $set: { made_in: "elsewhere" } });
  await write();
  expect(await readStatements(testApp.app)).toEqual([]);
  await buildSolvency(testApp.app);
  await write();
  await expectProven(ada);
  expect(await readStatements(testApp.app)).toHaveLength(1);
  expect(await auditFindings(testApp.app)).toEqual([]);
});

test("workers that are killed or lose their lease state each total once", async () => {
  const ada = await customer();
  await write();
  // A worker is slow with its leaves, so that another one builds the tree.
  let isFirst = true;
  let other: Promise<void> | undefined;
  const { app, close } = await watchCommands(testApp, ({ commandName, command }) => {
    if (commandName !== "insert" || command["insert"] !== "solvency_parts" || !isFirst) return;
    isFirst = false;
    clock.advance(LEASE_MS);
    other = buildSolvency(testApp.app);
  });
  await Promise.allSettled([buildSolvency(app)]);
  await other;
  await close();
  expect(other).toBeDefined();
  // Killed after adding the statement, and before signing.
  const unlogged = await findUnlogged(testApp.app.mongo.db, "000001");
  clock.advance(SOON_MS);
  const taken = await takeLog(testApp.app);
  if (!taken || !unlogged) throw new Error("there is nothing to add");
  const appended = await appendStatement(testApp.app, taken, unlogged);
  if (!appended) throw new Error("the log was lost");
  expect(await appendStatement(testApp.app, appended, unlogged)).toMatchObject({ size: appended.size });
  expect((await proveAccount(testApp.app, ada)).solvency).toBeUndefined();
  clock.advance(LEASE_MS);
  await write();
  await expectProven(ada);
  expect((await currentLog(testApp.app))?.size).toBe(2);
  expect(await auditFindings(testApp.app)).toEqual([]);
});

test("a balance below 0 stops the tree, and the next attempt follows after an hour", async () => {
  const ada = await customer();
  await write();
  await accounts(testApp.app.mongo.db).updateOne({ _id: ada }, { $set: { balance: -1 } });
  await expect(buildSolvency(testApp.app)).rejects.toThrow("cannot have the sum -1");
  await buildSolvency(testApp.app);
  clock.advance(3_600_000);
  await expect(buildSolvency(testApp.app)).rejects.toThrow("cannot have the sum -1");
});

describe("the audit of the trees of balances", () => {
  const part = (update: Document) => docs("solvency_parts").updateOne({}, update);
  const statement = (update: Document) =>
    statements(testApp.app.mongo.db).updateOne({ index: { $exists: true } }, update);
  test("finds every planted fault, and no other", async () => {
    const ada = await customer();
    const bob = await customer();
    await write();
    await stateDay();
    const leaf = { account_id: ada, seq: 1, balance: 9 };
    const LIES: readonly (readonly [plant: () => Promise<unknown>, found: readonly RegExp[]])[] = [
      [
        () => part({ $set: { "leaves.0.balance": 0 } }),
        [/has 0 credits for entry 1, and not/, /adds up to/, /its root is not/],
      ],
      [
        () => part({ $pull: { leaves: { account_id: ada } } }),
        [/does not have this account/, /has 1 accounts, and states 2/, /adds up to/, /its root is not/],
      ],
      [
        () => part({ $push: { leaves: leaf } }),
        [/has 9 credits/, /twice/, /has 3 accounts/, /adds up to/, /its root/],
      ],
      [
        () => statement({ $inc: { "built.total": -1 } }),
        [/tile 0\/0/, /its root is not that of its 3/, /its checkpoint/, /adds up to/],
      ],
      [
        () => statement({ $set: { "built.root": new Binary(Buffer.alloc(32)) } }),
        [
          /tile 0\/0/,
          /its root is not that of its 3/,
          /its checkpoint/,
          /its root is not that of its 2 accounts/,
        ],
      ],
      [
        // A statement that hides later entries.
        async () => {
          await grant(bob);
          clock.advance(DAY_MS);
          await statement({ $set: { "built.at": clock.now() } });
        },
        [/has the balance before entry 2, which is older/, /tile 0\/0/, /its root/, /its checkpoint/],
      ],
    ];
    const names = ["solvency", "solvency_parts"];
    const whole = await Promise.all(names.map((name) => docs(name).find().toArray()));
    for (const [plant, found] of LIES) {
      await plant();
      const findings = await auditFindings(testApp.app);
      for (const [at, words] of found.entries()) expect(findings[at], String(words)).toMatch(words);
      expect(findings).toHaveLength(found.length);
      for (const [at, name] of names.entries()) {
        await docs(name).deleteMany({});
        await docs(name).insertMany(whole[at] ?? []);
      }
    }
    expect(await auditFindings(testApp.app)).toEqual([]);
  });
});
