// Every fault of expiring grants, planted alone in correct data, is reported by the audit.
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

test("data with held credits audit clean after a sweep", async () => {
  expect(monthly).toMatch(FIRST);
  expect(await findings()).toEqual([]);
  clock.set("2026-03-31T09:30:00.000Z");
  expect(await sweepCredits(testApp.app)).toBe(1);
  expect(await readAccount()).toMatchObject({ held: 10 });
  expect(await findings()).toEqual([]);
});

test.each<[string, RegExp, () => Promise<unknown>]>([
  [
    "a period that is granted twice",
    /^ledger: the credits of 2026-01 were given 2 times$/,
    () =>
      post({
        kind: "grant",
        credits: 50,
        of: { entryId: monthly.replace("01-31", "01-30") },
        expiresAt: new Date("2026-03-31T09:30:00.000Z"),
      }),
  ],
  [
    "a grant on a day without a period's start",
    /^ledger: monthly credits were given for 2026-02-27, when no period begins$/,
    () =>
      post({
        kind: "grant",
        credits: 50,
        of: { entryId: monthly.replace("01-31", "02-27") },
        expiresAt: new Date("2026-03-31T09:30:00.000Z"),
      }),
  ],
  [
    "credits that expired while they were held",
    /^grant MONTHLY: 40 expired, of which some were held$/,
    async () => {
      clock.set("2026-03-31T09:30:00.000Z");
      const { expiring = [] } = await readAccount();
      await post({
        kind: "expire",
        credits: 40,
        of: { entryId: `${monthly}_expire_9` },
        from: [{ grant_id: monthly, amount: 40, expires_at: expiring[0]?.expires_at ?? clock.now() }],
      });
    },
  ],
  [
    "credits that expired too early",
    /^ledger entry MONTHLY_expire_\d+ \(seq \d+\): ends the grant MONTHLY before its time$/,
    async () => {
      const swept = expireDue(await readAccount(), new Date("2026-03-31T09:30:00.000Z"));
      const [entry] = swept?.entries ?? [];
      if (!swept || !entry) throw new Error("nothing expired");
      await post({
        kind: "expire",
        credits: -entry.amount,
        of: { entryId: entry._id },
        from: [
          {
            grant_id: monthly,
            amount: -entry.amount,
            expires_at: (await readAccount()).expiring?.[0]?.expires_at ?? clock.now(),
          },
        ],
      });
    },
  ],
  [
    "more remaining credits than possible",
    /^grant MONTHLY: 50 were given, and there are 31 left, 10 held, 10 spent and 0 expired$/,
    () => accounts(db()).updateOne({ _id: accountId }, { $set: { "expiring.0.left": 31 } }),
  ],
  [
    "a grant that is twice in the account",
    /^grant MONTHLY: 50 were given, and there are 60 left/,
    async () => {
      const { expiring = [] } = await readAccount();
      await accounts(db()).updateOne({ _id: accountId }, { $set: { expiring: [...expiring, ...expiring] } });
    },
  ],
  [
    "remaining grants above the available credits",
    /^account: 30 credits of grants are left, with 20 available$/,
    async () => {
      const { expiring = [] } = await readAccount();
      await post({ kind: "adjustment", credits: -110, of: { entryId: "led_taken" } }, { expiring });
    },
  ],
  [
    "a job without its grants",
    /^grant MONTHLY: 50 were given, and there are 30 left, 0 held, 10 spent and 0 expired$/,
    () => jobs(db()).updateOne({ state: "reserved" }, { $unset: { held_from: "" } }),
  ],
  [
    "a debit without grants",
    /^job job_.+ \(running\): ledger entry led_.+_debit names the grants none, and it was held from MONTHLY 10$/,
    () => ledger(db()).updateOne({ kind: "debit" }, { $unset: { grants: "" } }),
  ],
  [
    "a debit with larger grants than its amount",
    /^ledger entry led_.+_debit \(seq \d+\): moves 10 credits, and names 11 of grants$/,
    () => ledger(db()).updateOne({ kind: "debit" }, { $set: { "grants.0.amount": 11 } }),
  ],
  [
    "an entry with an unknown grant",
    /names the grant led_none, which does not expire or is not there$/,
    () => ledger(db()).updateOne({ kind: "debit" }, { $set: { "grants.0.grant_id": "led_none" } }),
  ],
  [
    "grants in the wrong order",
    /^account: its grants are not in the order in which they expire$/,
    () =>
      accounts(db()).updateOne({ _id: accountId }, [
        {
          $set: {
            expiring: {
              $concatArrays: [
                "$expiring",
                [{ grant_id: "led_early", left: 1, expires_at: new Date("2026-02-01T00:00:00.000Z") }],
              ],
            },
          },
        },
      ]),
  ],
  [
    "an account that no sweep finds",
    /^account: is due 2027-01-01T00:00:00.000Z, and something is at 2026-02-28T09:30:00.000Z$/,
    () => accounts(db()).updateOne({ _id: accountId }, { $set: { due_at: new Date("2027-01-01") } }),
  ],
  [
    "an account that is never due",
    /^account: is due never, and something is at 2026-02-28T09:30:00.000Z$/,
    () => accounts(db()).updateOne({ _id: accountId }, { $set: { due_at: null } }),
  ],
])("[LED-14] %s is reported", async (_what, expected, plant) => {
  await plant();
  expect(await findings()).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
});
