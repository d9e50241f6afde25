import { MongoServerError } from "mongodb";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { inSnapshot } from "../../../../core/base/mongo/in-tx.ts";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { ledger } from "../../../../core/identity/credits/store.ts";
import { auditAccounts } from "../../../../core/operations/audit/audit-accounts.ts";
import { findPresence, type Kind } from "../../../../core/operations/audit/store-presence.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import type { AcceptRequest } from "../../../../core/studio/jobs/check-request.ts";
import { type JobDoc, jobs, suspended } from "../../../../core/studio/jobs/store.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { finalizeJobs } from "../../../../core/studio/runs/finalize.ts";
import { startWorker } from "../../../../core/studio/runs/worker.ts";
import { askFor, cancelJob } from "../../../support/accept.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createInstantProvider } from "../../../support/providers.ts";
import { drawn } from "../../../support/thorough.ts";
import { watchCommands } from "../../../support/watch-commands.ts";

let accountId: string;

const keys = () =>
  app.mongo.db.collection<{ _id: string; account_id: string; job_id: string }>("idempotency_keys");
const deliveries = () => app.mongo.db.collection<{ _id: string; job_id: string }>("deliveries");

const testApp = useTestApp({ provider: createInstantProvider() });
const { app } = testApp;
const changeAccount = (change: object) => accounts(app.mongo.db).updateOne({ _id: accountId }, change);
const changeJob = (state: JobDoc["state"], change: object) =>
  jobs(app.mongo.db).updateOne({ account_id: accountId, state }, change);
const removeEntry = (seq: number) => ledger(app.mongo.db).deleteOne({ account_id: accountId, seq });
const changeKey = (key: string, change: object) =>
  keys().updateOne({ _id: `${accountId} ${key}` }, { $set: change });

beforeEach(() => testApp.empty());

describe("an audit", () => {
  /** One account with a completed, a failed, a cancelled, a running and a waiting job, all correct. */
  beforeEach(async () => {
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

  test.each<[RegExp, () => Promise<unknown>]>([
    [/balance is stored as 9999/, () => changeAccount({ $set: { balance: 9999 } })],
    [/running is stored as 2, recounted as 1/, () => changeAccount({ $inc: { running: 1 } })],
    [/seq 3 was expected/, () => removeEntry(3)],
    [/ledger_seq is stored as 11, recounted as 10/, () => removeEntry(11)],
    [
      /entries name jobs/,
      async () => jobs(app.mongo.db).deleteOne({ account_id: accountId, state: "completed" }),
    ],
    [
      /has the ledger entries release,reserve/,
      () => changeJob("cancelled", { $set: { state: "completed" } }),
    ],
    [
      /is not in line, with 1 jobs waiting and 1 of 5 slots used/,
      () => changeAccount({ $set: { turn: null } }),
    ],
    [
      /\(completed\): is suspended though it does not run/,
      async () => {
        const job = await jobs(app.mongo.db).findOne({ account_id: accountId, state: "completed" });
        const row = { provider: "test", poll_at: new Date(), wait_ms: 0, taken_by: null };
        await suspended(app.mongo.db).insertOne({ _id: job?._id ?? "", account_id: accountId, ...row });
      },
    ],
    [/Idempotency-Key "key-0": its job job_0 is not there/, () => changeKey("key-0", { job_id: "job_0" })],
    [
      /Idempotency-Key "key-1": the key "key-0" names the job \S+ too/,
      async () => {
        const first = await keys().findOne({ _id: `${accountId} key-0` });
        await changeKey("key-1", { job_id: first?.job_id });
      },
    ],
    [
      /Idempotency-Key "key-2": its job \S+ is of account acc_other/,
      async () => {
        const key = await keys().findOne({ _id: `${accountId} key-2` });
        await jobs(app.mongo.db).updateOne({ _id: key?.job_id ?? "" }, { $set: { account_id: "acc_other" } });
      },
    ],
    [/\(completed\): its end has no delivery/, () => deliveries().deleteOne({ event: "job.completed" })],
    [
      /\(running\): the delivery \S+ announces what it should not/,
      async () => {
        const job = await jobs(app.mongo.db).findOne({ state: "running" });
        const delivery = await deliveries().findOne();
        const _id = (job?._id ?? "").replace("job_", "dlv_");
        await deliveries().insertOne({ ...delivery, _id: `${_id}_001`, job_id: job?._id ?? "" });
      },
    ],
  ])("an audit after tampering says %s", async (expected, tamper) => {
    await tamper();
    expect((await auditFindings(app)).join("\n")).toMatch(expected);
  });
});

// The audit skips collections in which an account has no rows, so each single row must be found.
const [BEFORE, OWNER, AFTER] = ["acc_1", "acc_2", "acc_3"];

const ROWS: Record<Kind, { _id: string; account_id?: string }> = {
  jobs: { _id: "job_1", account_id: OWNER },
  workflows: { _id: "wfl_1", account_id: OWNER },
  orders: { _id: "ord_1", account_id: OWNER },
  payments: { _id: "pay_1", account_id: OWNER },
  licences: { _id: "lic_1", account_id: OWNER },
  subscriptions: { _id: "sub_1", account_id: OWNER },
  holds: { _id: "hold_1", account_id: OWNER },
  api_keys: { _id: "key_1", account_id: OWNER },
  provider_costs: { _id: "cst_1", account_id: OWNER },
  archive_segments: { _id: `${OWNER}/jobs/00000001` },
  idempotency_keys: { _id: `${OWNER} a key/of "any" sort` },
  log_heads: { _id: `${OWNER}/000001/000000000001` },
};
const KINDS = Object.keys(ROWS) as Kind[];

test.for(KINDS)("a row of %s is found for its own account only", async (kind) => {
  const { mongo } = testApp.app;
  await mongo.db.collection<{ _id: string }>(kind).insertOne(ROWS[kind]);
  for (const asked of [[BEFORE, OWNER, AFTER], [OWNER]]) {
    const has = await inSnapshot(mongo, (db, snapshot) => findPresence(db, asked, snapshot));
    const found = KINDS.flatMap((each) => asked.filter((id) => has(each, id)).map((id) => `${each} ${id}`));
    expect(found).toEqual([`${kind} ${OWNER}`]);
  }
});

// The audit of an account reads one snapshot.
const AUDITS = drawn(40);

async function createRequest(): Promise<AcceptRequest & { accountId: string }> {
  const { caller, accountId } = await createCustomer(app, { credits: 1_000_000 });
  return { accountId, ...askFor(caller) };
}

test("all reads of an account's audit use one snapshot", async () => {
  const request = await createRequest();
  await acceptJobs(app, [request, request]);
  const reads: { level: string; at: string }[] = [];
  const watched = await watchCommands(testApp, ({ commandName, command }) => {
    if (commandName !== "find" && commandName !== "aggregate") return;
    const { level, atClusterTime: at } = (command["readConcern"] ?? {}) as {
      level: string;
      atClusterTime: unknown;
    };
    reads.push({ level, at: String(at) });
  });
  await Array.fromAsync(auditAccounts(watched.app, request.accountId)).finally(watched.close);
  expect(reads.length).toBeGreaterThan(3);
  expect(new Set(reads.map(({ level }) => level))).toEqual(new Set(["snapshot"]));
  // The first read starts the snapshot, whose time the server returns.
  const [first, ...others] = reads.map(({ at }) => at);
  expect(first).toBe("undefined");
  expect(new Set(others).size).toBe(1);
  expect(others[0]).toMatch(/^\d+$/);
});

test("an audit finds nothing while jobs are accepted, run and finalized", async () => {
  const requests = await Promise.all([createRequest(), createRequest()]);
  const worker = startWorker(app, { concurrency: 16, leaseMs: 60_000 });
  let audits = 0;
  let accepted = 0;
  const load = async (request: AcceptRequest) => {
    while (audits < AUDITS) {
      const results = await acceptJobs(
        app,
        Array.from({ length: 4 }, () => request),
      );
      accepted += results.filter(({ status }) => status === "fulfilled").length;
    }
  };
  const audit = async () => {
    const wrong: string[] = [];
    for (; audits < AUDITS; audits++) wrong.push(...(await auditFindings(app)));
    return wrong;
  };
  const [wrong] = await Promise.all([audit(), ...requests.map(load)]);
  await worker.stop(60_000);
  expect(wrong).toEqual([]);
  expect(accepted).toBeGreaterThan(AUDITS);
});

test("an account whose audit outlives the snapshot is named, and the others are checked", async () => {
  const [slow, quick] = await Promise.all([createRequest(), createRequest()]);
  const gone = new MongoServerError({ code: 239, message: "Read timestamp is too old" });
  // Both tries of the first account.
  vi.spyOn(app.mongo.client, "withSession").mockRejectedValueOnce(gone).mockRejectedValueOnce(gone);
  const reports = await Array.fromAsync(auditAccounts(app));
  const [first] = [slow.accountId, quick.accountId].sort();
  expect(reports.flatMap(({ findings }) => findings)).toEqual([
    {
      account_id: first,
      what: expect.stringMatching(/was not checked, .* minSnapshotHistoryWindowInSeconds/),
    },
  ]);
  expect(reports.at(-1)).toMatchObject({ accounts: 2, entries: 1, done: true });
});

test("accounts read before the snapshot was lost are not read again, and later ones are", async () => {
  for (let n = 0; n < 3; n++) await createRequest();
  const gone = new MongoServerError({ code: 239, message: "Read timestamp is too old" });
  // Requested once for each account, in the middle of reading it.
  const plans = vi
    .fn<typeof app.plans>(app.plans)
    .mockImplementationOnce(app.plans)
    .mockRejectedValueOnce(gone);
  const reports = await Array.fromAsync(auditAccounts({ ...app, plans }));
  expect(reports.map(({ accounts, entries }) => `${accounts} ${entries}`)).toEqual(["1 1", "3 3", "3 3"]);
  expect(reports.flatMap(({ findings }) => findings)).toEqual([]);
  expect(plans).toHaveBeenCalledTimes(4);
});
