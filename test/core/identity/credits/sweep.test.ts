// Monthly credits in the database: for every way to create an account, one or several sweeps, and wrong clocks.
import { describe, expect, test } from "vitest";
import { seedDevelopment } from "../../../../core/entry/seed.ts";
import { getAccount } from "../../../../core/identity/accounts/get-account.ts";
import { setPlan } from "../../../../core/identity/accounts/set-terms.ts";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { openAccount } from "../../../../core/identity/credits/open-account.ts";
import { availableCredits, toBalance } from "../../../../core/identity/credits/rules.ts";
import { ledger } from "../../../../core/identity/credits/store.ts";
import { sweepCredits } from "../../../../core/identity/credits/sweep.ts";
import { setAccountStatus } from "../../../../core/identity/sessions/set-account-status.ts";
import { deleteAccount } from "../../../../core/operations/privacy/erase-accounts.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import { askFor } from "../../../support/accept.ts";
import { createCustomer, useEmptyApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { giveCredits } from "../../../support/credits.ts";

const BEGUN = "2026-01-31T09:30:00.000Z";
const SECOND = "2026-02-28T09:30:00.000Z";
const THIRD = "2026-03-31T09:30:00.000Z";

const { testApp, clock } = useEmptyApp(BEGUN);

let made = 0;
async function open(plan = "free"): Promise<string> {
  made += 1;
  return (await openAccount(testApp.app, { email: `p${made}@example.com`, name: "P", plan }))._id;
}

const sweep = () => sweepCredits(testApp.app);
const available = async (accountId: string) => availableCredits(await getAccount(testApp.app, accountId));
const grantsOf = async (accountId: string) =>
  (
    await ledger(testApp.app.mongo.db)
      .find({ account_id: accountId, kind: "grant" })
      .sort({ seq: 1 })
      .toArray()
  ).map(({ _id }) => _id.slice(-10));

test("[LED-12] a new account gets its plan's credits in the transaction that creates it", async () => {
  const accountId = await open("pro");
  const account = await getAccount(testApp.app, accountId);
  expect(toBalance(account)).toMatchObject({
    balance: 2_000,
    grants: [{ kind: "monthly", left: 2_000, expires_at: THIRD }],
    next_grant_at: SECOND,
  });
  expect(await grantsOf(accountId)).toEqual(["2026-01-31"]);
  const [entry] = await ledger(testApp.app.mongo.db).find({ account_id: accountId }).toArray();
  expect(entry).toMatchObject({ amount: 2_000, memo: "Monthly credits" });
  expect(await auditFindings(testApp.app)).toEqual([]);
});

test("a taken e-mail address leaves no credits behind", async () => {
  const wanted = { email: "one@example.com", name: "One", plan: "free" };
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => openAccount(testApp.app, wanted)));
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await ledger(testApp.app.mongo.db).countDocuments({})).toBe(1);
});

test("the demonstration account has its plan's credits on top of its own", async () => {
  await seedDevelopment(testApp.app, undefined);
  const { _id } = await getAccount(testApp.app, "demo@atelier.test");
  expect(await available(_id)).toBe(10_000);
  expect(await grantsOf(_id)).toHaveLength(2);
});

describe("the sweep of monthly credits", () => {
  test("[LED-12] grants each account each period once, for any number of sweeps and any clocks", async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => open()));
    for (const time of [SECOND, SECOND, BEGUN, THIRD, SECOND, THIRD]) {
      clock.set(time);
      await Promise.all([sweep(), sweep(), sweep()]);
    }
    for (const accountId of ids) {
      expect(await grantsOf(accountId)).toEqual(["2026-01-31", "2026-02-28", "2026-03-31"]);
      expect(await available(accountId)).toBe(100);
    }
    expect(await auditFindings(testApp.app)).toEqual([]);
  });

  test("grants nothing twice when the account document has lost the period", async () => {
    const accountId = await open();
    clock.set(SECOND);
    await sweep();
    await accounts(testApp.app.mongo.db).updateOne(
      { _id: accountId },
      { $set: { next_grant_at: new Date(SECOND), due_at: new Date(SECOND) } },
    );
    expect(await sweep()).toBe(1);
    expect(await available(accountId)).toBe(100);
    expect(await sweep()).toBe(0);
  });

  test("continues through more accounts than one transaction takes", async () => {
    const { db } = testApp.app.mongo;
    const account = await getAccount(testApp.app, await open());
    const copies = Array.from({ length: 450 }, (_, i) => ({
      ...account,
      _id: `acc_copy${i}`,
      email: `copy${i}@example.com`,
      balance: 0,
      expiring: [],
      ledger_seq: 0,
      ledger_hash: "0".repeat(64),
    }));
    await accounts(db).insertMany(copies);
    clock.set(SECOND);
    expect(await sweep()).toBe(451);
    expect(await accounts(db).countDocuments({ balance: 50 })).toBe(450);
    expect(await ledger(db).countDocuments({ created_at: new Date(SECOND) })).toBe(451);
  });

  test("follows the plan, skips suspended accounts, and drops closed ones", async () => {
    const [grown, suspended, gone] = [await open(), await open(), await open()];
    const { app } = testApp;
    await setPlan(app, grown, "starter");
    await setAccountStatus(app, suspended, "suspended");
    const { email } = await getAccount(app, gone);
    await deleteAccount(app, gone, email);
    clock.set(SECOND);
    expect(await sweep()).toBe(2);
    expect(await available(grown)).toBe(550);
    expect(await available(suspended)).toBe(50);
    await setAccountStatus(app, suspended, "active");
    clock.set(THIRD);
    await sweep();
    expect(await grantsOf(suspended)).toEqual(["2026-01-31", "2026-03-31"]);
    expect(await grantsOf(gone)).toEqual(["2026-01-31"]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("expires a grant at its own time, except held credits", async () => {
    const { accountId, caller } = await createCustomer(testApp.app, { credits: 0 });
    const expiresAt = new Date("2026-02-10T00:00:00.000Z");
    await giveCredits(testApp.app, accountId, 25, expiresAt);
    await acceptJobs(testApp.app, [askFor(caller)]);
    expect(await sweep()).toBe(0);
    clock.set(expiresAt);
    expect(await sweep()).toBe(1);
    expect(await getAccount(testApp.app, accountId)).toMatchObject({ balance: 10, held: 10, expiring: [] });
    expect(await auditFindings(testApp.app)).toEqual([]);
  });
});
