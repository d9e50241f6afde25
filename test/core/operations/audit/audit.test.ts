import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { auditAccounts } from "../../../../core/operations/audit/audit-accounts.ts";
import { ledger } from "../../../../core/identity/credits/store.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { cancelJob } from "../../../support/cancel.ts";
import { finalizeJobs } from "../../../../core/studio/runs/finalize.ts";
import { jobs, suspended } from "../../../../core/studio/jobs/store.ts";
import type { JobsApp } from "../../../../core/studio/jobs/local-dispatch.ts";
import { askFor } from "../../../support/accept.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createCustomer, createTestApp, type TestApp } from "../../../support/app.ts";

let testApp: TestApp;
let app: JobsApp;
let accountId: string;

const keys = () =>
  app.mongo.db.collection<{ _id: string; account_id: string; job_id: string }>("idempotency_keys");
const deliveries = () => app.mongo.db.collection<{ _id: string; job_id: string }>("deliveries");

beforeAll(async () => {
  testApp = await createTestApp();
  app = testApp.app;
});
afterAll(() => testApp.close());

/** One account with a completed, a failed, a cancelled, a running and a waiting job, all correct. */
beforeEach(async () => {
  await testApp.empty();
  const customer = await createCustomer(app);
  accountId = customer.accountId;
  const request = askFor(customer.caller, { callback_url: "http://127.0.0.1:1/callbacks" });
  await acceptJobs(
    app,
    Array.from({ length: 3 }, (_, i) => ({ ...request, idempotencyKey: `key-${i}` })),
  );
  const [completed, failed] = await claimJobs(app, { worker: "w", limit: 3, leaseMs: 60_000 });
  if (!completed || !failed) throw new Error("nothing to claim");
  await finalizeJobs(app, [
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

describe("an audit", () => {
  test("an audit of correct data finds nothing and counts everything", async () => {
    const reports = await Array.fromAsync(auditAccounts(app));
    const [counts, book] = [{ accounts: 1, entries: 11, jobs: 5 }, reports.at(-1)?.book];
    expect(reports.at(-1)).toEqual({ ...counts, book, findings: [], done: true });
    const { balance } = (await accounts(app.mongo.db).findOne({ _id: accountId })) ?? { balance: 0 };
    const spent = (
      await ledger(app.mongo.db)
        .find({ amount: { $lt: 0 } })
        .toArray()
    ).length;
    expect(book).toContainEqual({ name: "accounts", credits: balance });
    expect(book).toContainEqual({ name: "income", credits: expect.any(Number) as number });
    expect([book?.reduce((sum, { credits }) => sum + credits, 0), spent]).toEqual([0, 3]);
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
      "a removed last entry",
      /ledger_seq is stored as 11, recounted as 10/,
      () => ledger(app.mongo.db).deleteOne({ account_id: accountId, seq: 11 }),
    ],
    [
      "entries of a missing job",
      /entries name jobs/,
      async () => jobs(app.mongo.db).deleteOne({ account_id: accountId, state: "completed" }),
    ],
    [
      "a job whose state contradicts its entries",
      /has the ledger entries release,reserve/,
      () =>
        jobs(app.mongo.db).updateOne(
          { account_id: accountId, state: "cancelled" },
          { $set: { state: "completed" } },
        ),
    ],
    [
      "a changed price",
      /moves other than its \w+ of/,
      () =>
        jobs(app.mongo.db).updateOne({ account_id: accountId, state: "completed" }, { $set: { credits: 1 } }),
    ],
    [
      "a missing event",
      /version 3 with 2 events/,
      () =>
        jobs(app.mongo.db).updateOne({ account_id: accountId, state: "running" }, { $pop: { events: 1 } }),
    ],
    [
      "an account outside the line with waiting jobs",
      /is not in line, with 1 jobs waiting and 1 of 5 slots used/,
      () => accounts(app.mongo.db).updateOne({ _id: accountId }, { $set: { turn: null } }),
    ],
    [
      "a place in line that is not its last turn",
      /its place in line is 5, and it was served at \d+/,
      () => accounts(app.mongo.db).updateOne({ _id: accountId }, { $set: { turn: 5 } }),
    ],
    [
      "a suspended account in line",
      /is in line though it is suspended/,
      () => accounts(app.mongo.db).updateOne({ _id: accountId }, { $set: { status: "suspended" } }),
    ],
    [
      "a slot held without a lease",
      /holds a slot without a lease/,
      () =>
        jobs(app.mongo.db).updateOne({ account_id: accountId, state: "running" }, { $set: { lease: null } }),
    ],
    [
      "a suspended job that has ended",
      /\(completed\): is suspended though it does not run/,
      async () => {
        const job = await jobs(app.mongo.db).findOne({ account_id: accountId, state: "completed" });
        const row = {
          account_id: accountId,
          provider: "test",
          poll_at: new Date(),
          wait_ms: 0,
          taken_by: null,
        };
        await suspended(app.mongo.db).insertOne({ _id: job?._id ?? "", ...row });
      },
    ],
    [
      "an idempotency key of a missing job",
      /Idempotency-Key "key-0": its job job_0 is not there/,
      () => keys().updateOne({ _id: `${accountId} key-0` }, { $set: { job_id: "job_0" } }),
    ],
    [
      "two idempotency keys of one job",
      /Idempotency-Key "key-1": the key "key-0" names the job \S+ too/,
      async () => {
        const first = await keys().findOne({ _id: `${accountId} key-0` });
        await keys().updateOne({ _id: `${accountId} key-1` }, { $set: { job_id: first?.job_id ?? "" } });
      },
    ],
    [
      "an idempotency key with another account's job",
      /Idempotency-Key "key-2": its job \S+ is of account acc_other/,
      async () => {
        const key = await keys().findOne({ _id: `${accountId} key-2` });
        await jobs(app.mongo.db).updateOne({ _id: key?.job_id ?? "" }, { $set: { account_id: "acc_other" } });
      },
    ],
    [
      "an idempotency key stored for another account",
      /Idempotency-Key "key-2": is stored for account acc_other/,
      () => keys().updateOne({ _id: `${accountId} key-2` }, { $set: { account_id: "acc_other" } }),
    ],
    [
      "an end without a delivery",
      /\(completed\): its end has no delivery/,
      () => deliveries().deleteOne({ event: "job.completed" }),
    ],
    [
      "a delivery of a running job",
      /\(running\): the delivery \S+ announces what it should not/,
      async () => {
        const job = await jobs(app.mongo.db).findOne({ state: "running" });
        const delivery = await deliveries().findOne();
        const _id = (job?._id ?? "").replace("job_", "dlv_");
        await deliveries().insertOne({ ...delivery, _id: `${_id}_001`, job_id: job?._id ?? "" });
      },
    ],
    [
      "a delivery of a job without callback_url",
      /\(failed\): the delivery \S+ announces what it should not/,
      () => jobs(app.mongo.db).updateOne({ state: "failed" }, { $set: { callback_url: null } }),
    ],
    [
      "a delivery with another end",
      /\(failed\): the delivery \S+ says job.completed/,
      () => deliveries().updateOne({ event: "job.failed" }, { $set: { event: "job.completed" } }),
    ],
    [
      "a pending delivery that is never due",
      /is pending and has no attempt due/,
      () => deliveries().updateOne({ event: "job.failed" }, { $set: { next_attempt_at: null } }),
    ],
  ])("finds %s", async (_name, expected, tamper) => {
    await tamper();
    expect((await auditFindings(app)).join("\n")).toMatch(expected);
  });
});
