// Every fault of expiring grants, planted alone in correct data, is reported by the audit.
import type { UpdateFilter } from "mongodb";
import { beforeEach, expect, test } from "vitest";
import { accounts, type AccountDoc } from "../../../../core/identity/accounts/store.ts";
import { openAccount } from "../../../../core/identity/credits/open-account.ts";
import { type EntryIntent, expireDue, postEntry } from "../../../../core/identity/credits/rules.ts";
import { ledger } from "../../../../core/identity/credits/store.ts";
import { sweepCredits } from "../../../../core/identity/credits/sweep.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import { jobs } from "../../../../core/studio/jobs/store.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { askFor } from "../../../support/accept.ts";
import { useEmptyApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { giveCredits } from "../../../support/credits.ts";

const LATE = "2026-03-31T09:30:00.000Z";
const FIRST = /led_[0-9A-Z]+_monthly_2026-01-31/;

let accountId: string;
let monthly: string;

const db = () => testApp.app.mongo.db;
const findings = async () =>
  (await auditFindings(testApp.app)).map((what) => what.replaceAll(monthly, "MONTHLY"));

const { testApp, clock } = useEmptyApp("2026-01-31T09:30:00.000Z");

/** On the last of January: 50 monthly credits, of which a running job holds 10 and a waiting one another 10; and 100 that do not expire. */
beforeEach(async () => {
  const { app } = testApp;
  accountId = (await openAccount(app, { email: "ada@example.com", name: "Ada", plan: "free" }))._id;
  await giveCredits(app, accountId, 100);
  const request = askFor({ kind: "account", accountId, source: "app" });
  await acceptJobs(app, [request, request]);
  await claimJobs(app, { worker: "w1", limit: 1, leaseMs: 1_000_000 });
  const { expiring = [] } = await readAccount();
  monthly = expiring[0]?.grant_id ?? "";
});

async function readAccount(): Promise<AccountDoc> {
  const account = await accounts(db()).findOne({ _id: accountId });
  if (!account) throw new Error("the account is not there");
  return account;
}

/** Writes an entry without grants; the chain and the sums stay correct. */
async function post(
  intent: Partial<EntryIntent> & Pick<EntryIntent, "kind" | "credits" | "of">,
  keep: Partial<AccountDoc> = {},
) {
  const account = await readAccount();
  const common = { source: "system" as const, keyId: null, memo: null, at: clock.now() };
  const { head, entry } = postEntry(account, { ...common, ...intent });
  await ledger(db()).insertOne(entry);
  await accounts(db()).replaceOne({ _id: accountId }, { ...head, ...keep });
}

const postMonthly = (day: string) =>
  post({
    kind: "grant",
    credits: 50,
    of: { entryId: monthly.replace("01-31", day) },
    expiresAt: new Date(LATE),
  });

async function postExpired(entryId: string, amount: number): Promise<void> {
  const expires_at = (await readAccount()).expiring?.[0]?.expires_at ?? clock.now();
  const from = [{ grant_id: monthly, amount, expires_at }];
  await post({ kind: "expire", credits: amount, of: { entryId }, from });
}

const changeAccount = (change: UpdateFilter<AccountDoc>) =>
  accounts(db()).updateOne({ _id: accountId }, change);

test("data with held credits audit clean after a sweep", async () => {
  expect(monthly).toMatch(FIRST);
  expect(await findings()).toEqual([]);
  clock.set(LATE);
  expect(await sweepCredits(testApp.app)).toBe(1);
  expect(await readAccount()).toMatchObject({ held: 10 });
  expect(await findings()).toEqual([]);
});

test.each<[RegExp, () => Promise<unknown>]>([
  [/^ledger: the credits of 2026-01 were given 2 times$/, () => postMonthly("01-30")],
  [/^ledger: monthly credits were given for 2026-02-27, when no period begins$/, () => postMonthly("02-27")],
  [
    /^grant MONTHLY: 40 expired, of which some were held$/,
    async () => {
      clock.set(LATE);
      await postExpired(`${monthly}_expire_9`, 40);
    },
  ],
  [
    /^ledger entry MONTHLY_expire_\d+ \(seq \d+\): ends the grant MONTHLY before its time$/,
    async () => {
      const [entry] = expireDue(await readAccount(), new Date(LATE))?.entries ?? [];
      if (!entry) throw new Error("nothing expired");
      await postExpired(entry._id, -entry.amount);
    },
  ],
  [
    /^grant MONTHLY: 50 were given, and there are 31 left, 10 held, 10 spent and 0 expired$/,
    () => changeAccount({ $set: { "expiring.0.left": 31 } }),
  ],
  [
    /^grant MONTHLY: 50 were given, and there are 60 left/,
    async () => {
      const { expiring = [] } = await readAccount();
      await changeAccount({ $set: { expiring: [...expiring, ...expiring] } });
    },
  ],
  [
    /^account: 30 credits of grants are left, with 20 available$/,
    async () => {
      const { expiring = [] } = await readAccount();
      await post({ kind: "adjustment", credits: -110, of: { entryId: "led_taken" } }, { expiring });
    },
  ],
  [
    /^grant MONTHLY: 50 were given, and there are 30 left, 0 held, 10 spent and 0 expired$/,
    () => jobs(db()).updateOne({ state: "reserved" }, { $unset: { held_from: "" } }),
  ],
  [
    /^job job_.+ \(running\): ledger entry led_.+_debit names the grants none, and it was held from MONTHLY 10$/,
    () => ledger(db()).updateOne({ kind: "debit" }, { $unset: { grants: "" } }),
  ],
  [
    /^ledger entry led_.+_debit \(seq \d+\): moves 10 credits, and names 11 of grants$/,
    () => ledger(db()).updateOne({ kind: "debit" }, { $set: { "grants.0.amount": 11 } }),
  ],
  [
    /names the grant led_none, which does not expire or is not there$/,
    () => ledger(db()).updateOne({ kind: "debit" }, { $set: { "grants.0.grant_id": "led_none" } }),
  ],
  [
    /^account: its grants are not in the order in which they expire$/,
    () =>
      changeAccount({
        $push: { expiring: { grant_id: "led_early", left: 1, expires_at: new Date("2026-02-01") } },
      }),
  ],
  [
    /^account: is due 2027-01-01T00:00:00.000Z, and something is at 2026-02-28T09:30:00.000Z$/,
    () => changeAccount({ $set: { due_at: new Date("2027-01-01") } }),
  ],
  [
    /^account: is due never, and something is at 2026-02-28T09:30:00.000Z$/,
    () => changeAccount({ $set: { due_at: null } }),
  ],
])("[LED-14] the audit of planted grants says %s", async (expected, plant) => {
  await plant();
  expect(await findings()).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
});
