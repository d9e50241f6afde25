// Expiring credits of a job: held, captured and returned in the transactions of accept, claim, finalize and cancel.
import fc from "fast-check";
import { expect, test } from "vitest";
import { getAccount } from "../../../../core/identity/accounts/get-account.ts";
import { REVIVED_MS } from "../../../../core/identity/credits/grant-rules.ts";
import { grantCredits } from "../../../../core/identity/credits/grant.ts";
import { availableCredits, toBalance, toLedgerEntry } from "../../../../core/identity/credits/rules.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import type { Claim } from "../../../../core/studio/jobs/local-dispatch.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { finalizeJobs } from "../../../../core/studio/runs/finalize.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { AppError } from "../../../../proto/codes.ts";
import { findBrokenEntry } from "../../../../proto/resources/credits.ts";
import { askFor, cancelJob } from "../../../support/accept.ts";
import { createCustomer, useEmptyApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { giveCredits, ledgerOf } from "../../../support/credits.ts";

const DAY = 24 * 60 * 60 * 1000;

const { testApp, clock } = useEmptyApp("2026-03-01T12:00:00.000Z");

const give = (accountId: string, amount: number, livesMs?: number) => {
  const end = livesMs === undefined ? undefined : new Date(clock.now().getTime() + livesMs);
  return giveCredits(testApp.app, accountId, amount, end);
};

/** A job of 10 credits for each picture. Returns the job's id, or the refusal's code. */
async function generate(caller: Caller, count = 1): Promise<string> {
  const [result] = await acceptJobs(testApp.app, [askFor(caller, { params: { count } })]);
  if (result?.status === "fulfilled") return result.value.job._id;
  if (result?.reason instanceof AppError) return result.reason.code;
  throw result?.reason ?? new Error("no answer");
}

const claim = (limit = 10) => claimJobs(testApp.app, { worker: "w1", limit, leaseMs: 15_000 });
const fail = (one: Claim) =>
  settle(one, { kind: "failed", error: { code: "provider_failed", message: "x" } });
const complete = (one: Claim) => settle(one, { kind: "completed", outputs: [] });
async function settle(
  one: Claim,
  outcome: Parameters<typeof finalizeJobs>[1][number]["outcome"],
): Promise<void> {
  for (const result of await finalizeJobs(testApp.app, [{ claim: one, outcome, files: [] }]))
    if (result.status === "rejected") throw result.reason;
}

const balanceOf = async (accountId: string) => toBalance(await getAccount(testApp.app, accountId));

test("[LED-11] a job takes the credits that expire first, records it in its ledger, and returns them to their grants", async () => {
  const { accountId, caller } = await createCustomer(testApp.app, { credits: 100 });
  const later = await give(accountId, 10, 2 * DAY);
  const soon = await give(accountId, 15, DAY);
  await generate(caller, 2);
  expect(await balanceOf(accountId)).toMatchObject({
    available: 105,
    held: 20,
    grants: [{ grant_id: later._id, left: 5 }],
  });
  const [running] = await claim();
  if (!running) throw new Error("nothing was claimed");
  await fail(running);
  const shares = [
    { grant_id: soon._id, amount: 15 },
    { grant_id: later._id, amount: 5 },
  ];
  expect(
    (await ledgerOf(testApp.app, accountId))
      .slice(3)
      .map(({ kind, amount, grants }) => ({ kind, amount, grants })),
  ).toEqual([
    { kind: "reserve", amount: 0, grants: undefined },
    { kind: "debit", amount: -20, grants: shares },
    { kind: "refund", amount: 20, grants: shares },
  ]);
  expect(await balanceOf(accountId)).toMatchObject({
    available: 125,
    grants: [
      { grant_id: soon._id, left: 15 },
      { grant_id: later._id, left: 10 },
    ],
  });
  expect(await auditFindings(testApp.app)).toEqual([]);
});

test("[LED-11] held credits outlive their grant, and last for 30 days when the job is cancelled", async () => {
  const { accountId, caller } = await createCustomer(testApp.app, { credits: 0 });
  const grant = await give(accountId, 25, DAY);
  const jobId = await generate(caller);
  clock.advance(2 * DAY);
  // Unheld credits of the grant cannot be spent; the balance and the ledger show it.
  expect(await generate(caller)).toBe("insufficient_credits");
  expect(await balanceOf(accountId)).toMatchObject({ balance: 10, held: 10, available: 0, grants: [] });
  await cancelJob(testApp.app, accountId, jobId);
  const until = new Date(clock.now().getTime() + REVIVED_MS).toISOString();
  expect(await balanceOf(accountId)).toMatchObject({
    available: 10,
    grants: [{ grant_id: grant._id, left: 10, expires_at: until }],
  });
  expect((await ledgerOf(testApp.app, accountId)).map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
    "grant 25",
    "reserve 0",
    "expire -15",
    "release 0",
  ]);
  expect(await auditFindings(testApp.app)).toEqual([]);
});

test("an account without expiring grants stores no grants", async () => {
  const { accountId, caller } = await createCustomer(testApp.app, { credits: 100 });
  const jobId = await generate(caller);
  const { db } = testApp.app.mongo;
  expect(
    await db.collection("accounts").countDocuments({ _id: accountId as never, expiring: { $exists: true } }),
  ).toBe(0);
  expect(
    await db.collection("jobs").countDocuments({ _id: jobId as never, held_from: { $exists: true } }),
  ).toBe(0);
});

test.each([
  ["an adjustment that expires", { kind: "adjustment" as const, expiresAt: new Date("2027-01-01") }],
  ["a grant that has expired", { kind: "grant" as const, expiresAt: new Date("2026-03-01T12:00:00.000Z") }],
  ["an invalid time", { kind: "grant" as const, expiresAt: new Date(Number.NaN) }],
])("%s is refused", async (_what, terms) => {
  const { accountId } = await createCustomer(testApp.app, { credits: 0 });
  const given = grantCredits(testApp.app, { accountId, amount: 5, memo: null, source: "system", ...terms });
  await expect(given).rejects.toMatchObject({ code: "invalid_request", issues: [{ path: "expires_at" }] });
});

const happening = fc.record({
  what: fc.constantFrom("grant", "generate", "generate", "generate", "claim", "fail", "complete", "cancel"),
  count: fc.integer({ min: 1, max: 4 }),
  amount: fc.integer({ min: 5, max: 45 }),
  livesMs: fc.integer({ min: 1, max: 40 * DAY }),
  afterMs: fc.oneof(fc.integer({ min: 0, max: DAY }), fc.integer({ min: 0, max: 20 * DAY })),
});

test("random lives of jobs and grants keep a valid chain and a clean audit, and nothing expires early", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 20 }), async (history) => {
      const { accountId, caller } = await createCustomer(testApp.app, { credits: 20 });
      const running: Claim[] = [];
      const waiting: string[] = [];
      for (const { what, count, amount, livesMs, afterMs } of history) {
        clock.advance(afterMs);
        if (what === "grant") await give(accountId, amount, livesMs);
        if (what === "generate") {
          const job = await generate(caller, count);
          if (job.startsWith("job_")) waiting.push(job);
          else expect(job).toBe("insufficient_credits");
        }
        if (what === "claim") {
          running.push(...(await claim()));
          waiting.length = 0;
        }
        const one = what === "fail" || what === "complete" ? running.pop() : undefined;
        if (one) await (what === "fail" ? fail(one) : complete(one));
        const job = what === "cancel" ? waiting.pop() : undefined;
        if (job) await cancelJob(testApp.app, accountId, job);
      }
      const account = await getAccount(testApp.app, accountId);
      const left = (account.expiring ?? []).reduce((sum, grant) => sum + grant.left, 0);
      expect(left).toBeLessThanOrEqual(availableCredits(account));
      const entries = await ledgerOf(testApp.app, accountId);
      expect(findBrokenEntry(entries.map(toLedgerEntry))).toBeUndefined();
      const ends = new Map(entries.map(({ _id, expires_at }) => [_id, expires_at?.getTime() ?? 0]));
      for (const entry of entries.filter(({ kind }) => kind === "expire"))
        expect(entry.created_at.getTime()).toBeGreaterThanOrEqual(
          ends.get(entry.grants?.[0]?.grant_id ?? "") ?? Number.POSITIVE_INFINITY,
        );
      for (const one of running) await complete(one);
    }),
    { numRuns: 40, endOnFailure: true },
  );
  expect(await auditFindings(testApp.app)).toEqual([]);
});
