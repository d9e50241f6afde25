import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accounts } from "../../../core/accounts/store.ts";
import { auditAccounts } from "../../../core/audit/audit-accounts.ts";
import { ledger } from "../../../core/credits/store.ts";
import { acceptJobs } from "../../../core/jobs/accept.ts";
import { claimJobs } from "../../../core/jobs/claim.ts";
import { cancelJob } from "../../../core/jobs/release.ts";
import { settleJobs } from "../../../core/jobs/settle.ts";
import { jobs } from "../../../core/jobs/store.ts";
import type { App } from "../../../core/app.ts";
import { auditFindings } from "../../support/audit.ts";
import { createCustomer, createTestApp, type TestApp } from "../../support/app.ts";

let testApp: TestApp;
let app: App;
let accountId: string;

/** One account with a completed, a failed, a cancelled, a running and a waiting job, all sound. */
beforeEach(async () => {
  testApp = await createTestApp();
  app = testApp.app;
  const customer = await createCustomer(app);
  accountId = customer.accountId;
  const request = {
    caller: customer.caller,
    modality: "image",
    modelSlug: "picture",
    prompt: "a pier",
    callbackUrl: null,
    params: {},
    metadata: {},
    idempotencyKey: null,
  };
  await acceptJobs(
    app,
    Array.from({ length: 3 }, () => request),
  );
  const [completed, failed] = await claimJobs(app, { worker: "w", limit: 3, leaseMs: 60_000 });
  if (!completed || !failed) throw new Error("nothing to claim");
  await settleJobs(app, [
    { claim: completed, outcome: { kind: "completed", outputs: [] }, files: [] },
    {
      claim: failed,
      outcome: { kind: "failed", error: { code: "provider_failed", message: "x" } },
      files: [],
    },
  ]);
  const [cancelled] = await acceptJobs(app, [request, request]);
  if (cancelled?.status !== "fulfilled") throw new Error("not accepted");
  await cancelJob(app, accountId, cancelled.value.job._id);
});
afterEach(() => testApp.close());

describe("an audit", () => {
  test("of sound books finds nothing and counts everything", async () => {
    const reports = await Array.fromAsync(auditAccounts(app));
    expect(reports.at(-1)).toEqual({ accounts: 1, entries: 11, jobs: 5, findings: [], done: true });
  });

  test.each<[string, RegExp, () => Promise<unknown>]>([
    [
      "a changed balance",
      /balance is stored as 9999/,
      () => accounts(app.mongo.db).updateOne({ _id: accountId }, { $set: { balance: 9999 } }),
    ],
    [
      "a leaked slot",
      /running is stored as 2, recounted as 1/,
      () => accounts(app.mongo.db).updateOne({ _id: accountId }, { $inc: { running: 1 } }),
    ],
    [
      "a changed entry",
      /hash does not fit/,
      () => ledger(app.mongo.db).updateOne({ account_id: accountId, seq: 2 }, { $set: { memo: "changed" } }),
    ],
    [
      "a removed entry",
      /seq 3 was expected/,
      () => ledger(app.mongo.db).deleteOne({ account_id: accountId, seq: 3 }),
    ],
    [
      "an entry cut off the end",
      /ledger_seq is stored as 11, recounted as 10/,
      () => ledger(app.mongo.db).deleteOne({ account_id: accountId, seq: 11 }),
    ],
    [
      "a job that never was",
      /entries name jobs/,
      async () => jobs(app.mongo.db).deleteOne({ account_id: accountId, state: "completed" }),
    ],
    [
      "a job that says more than its entries",
      /has the ledger entries release,reserve/,
      () =>
        jobs(app.mongo.db).updateOne(
          { account_id: accountId, state: "cancelled" },
          { $set: { state: "completed" } },
        ),
    ],
    [
      "a changed price",
      /moves other than its price/,
      () =>
        jobs(app.mongo.db).updateOne({ account_id: accountId, state: "completed" }, { $set: { credits: 1 } }),
    ],
    [
      "a lost event",
      /version 3 with 2 events/,
      () =>
        jobs(app.mongo.db).updateOne({ account_id: accountId, state: "running" }, { $pop: { events: 1 } }),
    ],
  ])("finds %s", async (_name, expected, tamper) => {
    await tamper();
    expect((await auditFindings(app)).join("\n")).toMatch(expected);
  });
});
