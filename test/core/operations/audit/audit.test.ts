import { beforeEach, describe, expect, test } from "vitest";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { ledger } from "../../../../core/identity/credits/store.ts";
import { auditAccounts } from "../../../../core/operations/audit/audit-accounts.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import { type JobDoc, jobs, suspended } from "../../../../core/studio/jobs/store.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { finalizeJobs } from "../../../../core/studio/runs/finalize.ts";
import { askFor } from "../../../support/accept.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { cancelJob } from "../../../support/cancel.ts";

let accountId: string;

const keys = () =>
  app.mongo.db.collection<{ _id: string; account_id: string; job_id: string }>("idempotency_keys");
const deliveries = () => app.mongo.db.collection<{ _id: string; job_id: string }>("deliveries");

const testApp = useTestApp();
const { app } = testApp;
const changeAccount = (change: object) => accounts(app.mongo.db).updateOne({ _id: accountId }, change);
const changeJob = (state: JobDoc["state"], change: object) =>
  jobs(app.mongo.db).updateOne({ account_id: accountId, state }, change);
const removeEntry = (seq: number) => ledger(app.mongo.db).deleteOne({ account_id: accountId, seq });
const changeKey = (key: string, change: object) =>
  keys().updateOne({ _id: `${accountId} ${key}` }, { $set: change });

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
    ["a changed balance", /balance is stored as 9999/, () => changeAccount({ $set: { balance: 9999 } })],
    [
      "a leaked slot",
      /running is stored as 2, recounted as 1/,
      () => changeAccount({ $inc: { running: 1 } }),
    ],
    ["a removed entry", /seq 3 was expected/, () => removeEntry(3)],
    ["a removed last entry", /ledger_seq is stored as 11, recounted as 10/, () => removeEntry(11)],
    [
      "entries of a missing job",
      /entries name jobs/,
      async () => jobs(app.mongo.db).deleteOne({ account_id: accountId, state: "completed" }),
    ],
    [
      "a job whose state contradicts its entries",
      /has the ledger entries release,reserve/,
      () => changeJob("cancelled", { $set: { state: "completed" } }),
    ],
    [
      "an account outside the line with waiting jobs",
      /is not in line, with 1 jobs waiting and 1 of 5 slots used/,
      () => changeAccount({ $set: { turn: null } }),
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
      () => changeKey("key-0", { job_id: "job_0" }),
    ],
    [
      "two idempotency keys of one job",
      /Idempotency-Key "key-1": the key "key-0" names the job \S+ too/,
      async () => {
        const first = await keys().findOne({ _id: `${accountId} key-0` });
        await changeKey("key-1", { job_id: first?.job_id });
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
  ])("finds %s", async (_name, expected, tamper) => {
    await tamper();
    expect((await auditFindings(app)).join("\n")).toMatch(expected);
  });
});
