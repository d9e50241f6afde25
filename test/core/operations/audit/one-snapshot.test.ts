// The audit of an account reads one snapshot.
import { MongoServerError } from "mongodb";
import { beforeEach, expect, test, vi } from "vitest";
import { auditAccounts } from "../../../../core/operations/audit/audit-accounts.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import type { AcceptRequest } from "../../../../core/studio/jobs/check-request.ts";
import { startWorker } from "../../../../core/studio/runs/worker.ts";
import { askFor } from "../../../support/accept.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { drawn } from "../../../support/drawn.ts";
import { createInstantProvider } from "../../../support/providers.ts";
import { watchCommands } from "../../../support/watch-commands.ts";

const BOUND_MS = 60_000;
const AUDITS = drawn(40);

const testApp = useTestApp({ provider: createInstantProvider() });
const { app } = testApp;
beforeEach(() => testApp.empty());

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

test("an audit finds nothing while jobs are accepted, run and finalized", { timeout: BOUND_MS }, async () => {
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
  await worker.stop(BOUND_MS);
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
  expect(reports.map(({ accounts, entries }) => [accounts, entries])).toEqual([
    [1, 1],
    [3, 3],
    [3, 3],
  ]);
  expect(reports.flatMap(({ findings }) => findings)).toEqual([]);
  expect(plans).toHaveBeenCalledTimes(4);
});
