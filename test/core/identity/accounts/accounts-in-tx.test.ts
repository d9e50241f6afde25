// Accounts in a transaction are read once, and include the transaction's own changes.
import { describe, expect, test } from "vitest";
import { inTx, type TxContext } from "../../../../core/base/mongo/in-tx.ts";
import { loadAccounts, saveAccounts, saveSweptAccounts } from "../../../../core/identity/accounts/load.ts";
import { saveEmail } from "../../../../core/identity/accounts/store-emails.ts";
import {
  saveAccountClosed,
  saveAccountTerms,
  saveMembership,
  saveWelcomed,
} from "../../../../core/identity/accounts/store-in-tx.ts";
import { countKeyMade } from "../../../../core/identity/accounts/store-keys.ts";
import { saveFreedSlots } from "../../../../core/identity/accounts/store-numbers.ts";
import { type AccountDoc, accounts, findAccounts } from "../../../../core/identity/accounts/store.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { watchCommands } from "../../../support/watch-commands.ts";

const world = useTestApp();
const { app } = world;

async function newAccount(): Promise<string> {
  const { accountId } = await createCustomer(app, { plan: "studio" });
  await accounts(app.mongo.db).updateOne({ _id: accountId }, { $set: { running: 2, welcome: "held" } });
  return accountId;
}

async function load(tx: TxContext, accountId: string): Promise<AccountDoc> {
  const account = (await loadAccounts(app, [accountId], tx)).get(accountId)?.account;
  if (!account) throw new Error("no account");
  return account;
}

/** Every write of an account. */
const WRITES: Readonly<Record<string, (tx: TxContext, account: AccountDoc) => Promise<unknown>>> = {
  "plan, status and turn": (tx, { _id }) =>
    saveAccountTerms(app.mongo.db, _id, { plan: "pro", status: "suspended", turn: null }, tx),
  membership: (tx, { _id }) =>
    saveMembership(app.mongo.db, _id, { tier: "plus", started_at: tx.now, period_end: tx.now }, tx),
  "e-mail address": (tx, { _id }) =>
    saveEmail(app.mongo.db, { accountId: _id, email: `new-${_id}@example.com` }, tx),
  "welcome credits": (tx, { _id }) => saveWelcomed(app.mongo.db, _id, tx),
  "number of keys": (tx, { _id }) => countKeyMade(app.mongo.db, _id, tx),
  numbers: (tx, account) => saveAccounts(app, [{ ...account, waiting: 7, balance: 5 }], tx),
  "swept credits": (tx, account) => saveSweptAccounts(app, [{ ...account, balance: 6 }], tx),
  "freed slots": (tx, { _id }) => saveFreedSlots(app.mongo.db, new Map([[_id, 1]]), tx),
  closing: (tx, { _id }) => saveAccountClosed(app.mongo.db, _id, tx),
};

describe("an account in a transaction", () => {
  test.each(Object.keys(WRITES))("has the database's values after a write of its %s", async (what) => {
    const accountId = await newAccount();
    await inTx(app, async (tx) => {
      const before = await load(tx, accountId);
      await WRITES[what]?.(tx, before);
      const after = await load(tx, accountId);
      expect(after).toEqual((await findAccounts(app.mongo.db, [accountId], tx)).get(accountId));
      expect(after).not.toEqual(before);
    });
  });

  test("is read once per transaction", async () => {
    const accountId = await newAccount();
    let reads = 0;
    const watched = await watchCommands(world, ({ commandName, command }) => {
      if (commandName === "find" && command["find"] === "accounts") reads += 1;
    });
    await inTx(watched.app, async (tx) => {
      for (let n = 0; n < 3; n++) await loadAccounts(watched.app, [accountId], tx);
    });
    await watched.close();
    expect(reads).toBe(1);
  });

  test("is read again by the next try", async () => {
    const accountId = await newAccount();
    const seen: number[] = [];
    await inTx(app, async (tx) => {
      const account = await load(tx, accountId);
      seen.push(account.waiting);
      // Another transaction is faster, once.
      if (seen.length === 1)
        await accounts(app.mongo.db).updateOne({ _id: accountId }, { $set: { waiting: 3 } });
      await saveAccounts(app, [{ ...account, balance: 1 }], tx);
    });
    expect(seen).toEqual([0, 3]);
  });

  test("is not written from an outdated version", async () => {
    const accountId = await newAccount();
    const stale = inTx(app, async (tx) => {
      const account = await load(tx, accountId);
      await saveAccounts(app, [{ ...account, balance: 1, ledger_seq: account.ledger_seq + 1 }], tx);
      await saveAccounts(app, [{ ...account, balance: 2 }], tx);
    });
    await expect(stale).rejects.toThrow("was changed in this transaction since");
    expect((await findAccounts(app.mongo.db, [accountId])).get(accountId)?.balance).toBeGreaterThan(2);
  });
});
