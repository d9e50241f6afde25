// Times in a ledger and in a job's history never go back, even when the clocks of two processes differ.
import { beforeEach, expect, test } from "vitest";
import { ledger } from "../../../../core/identity/credits/store.ts";
import type { JobsApp } from "../../../../core/studio/jobs/local-dispatch.ts";
import { type JobDoc, jobs } from "../../../../core/studio/jobs/store.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { finalizeJobs } from "../../../../core/studio/runs/finalize.ts";
import { createProgress } from "../../../../core/studio/runs/progress.ts";
import { rescueJobs } from "../../../../core/studio/runs/rescue.ts";
import { acceptMany, askFor } from "../../../support/accept.ts";
import { createCustomer, useEmptyApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { giveCredits } from "../../../support/credits.ts";

const LEASE_MS = 15_000;
const NOON = "2026-03-01T12:00:00.000Z";
const A_MINUTE_BEFORE = "2026-03-01T11:59:00.000Z";

const { testApp, clock } = useEmptyApp(NOON);
/** Another process on the same database whose clock is a minute behind. */
let behind: JobsApp;
beforeEach(() => {
  behind = { ...testApp.app, clock: createFakeClock(A_MINUTE_BEFORE) };
});

async function accept(app: JobsApp, count: number): Promise<string> {
  const { accountId, caller } = await createCustomer(testApp.app);
  await acceptMany(app, count, askFor(caller));
  return accountId;
}

async function expectTimesInOrder(accountId: string): Promise<void> {
  const { db } = testApp.app.mongo;
  const entries = await ledger(db).find({ account_id: accountId }).sort({ seq: 1 }).toArray();
  const times = entries.map(({ created_at }) => created_at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const docs: JobDoc[] = await jobs(db).find({ account_id: accountId }).toArray();
  for (const { events, started_at, ended_at } of docs) {
    const at = events.map((event) => event.at.getTime());
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    if (started_at && ended_at) expect(ended_at.getTime()).toBeGreaterThanOrEqual(started_at.getTime());
  }
  expect(await auditFindings(testApp.app)).toEqual([]);
}

const NEVER = { signal: new AbortController().signal, onLost: () => {} };

test("[CLOCK-03] times of grants stay ordered in a process whose clock is behind", async () => {
  const accountId = await accept(testApp.app, 1);
  const entry = await giveCredits(behind, accountId, 5);
  expect(entry.created_at).toEqual(new Date(NOON));
  await expectTimesInOrder(accountId);
});

test("times of jobs stay ordered when a process whose clock is behind claims, reports and finalizes", async () => {
  const accountId = await accept(testApp.app, 2);
  const claims = await claimJobs(behind, { worker: "slow", limit: 2, leaseMs: LEASE_MS });
  expect(claims).toHaveLength(2);
  const [done, lost] = claims;
  if (!done || !lost) throw new Error("two were claimed");
  const progress = createProgress(behind, done, NEVER);
  progress.add("progress", { fraction: 0.5 });
  await progress.written();
  const error = { code: "provider_failed", message: "The provider failed." };
  const [one, two] = await finalizeJobs(behind, [
    { claim: done, outcome: { kind: "completed", outputs: [] }, files: [] },
    { claim: lost, outcome: { kind: "failed", error }, files: [] },
  ]);
  expect([one?.status, two?.status]).toEqual(["fulfilled", "fulfilled"]);
  await expectTimesInOrder(accountId);
});

test("times of a rescued job stay ordered in a process whose clock is behind", async () => {
  const accountId = await accept(testApp.app, 1);
  const [claim] = await claimJobs(testApp.app, { worker: "lost", limit: 1, leaseMs: 1 });
  if (!claim) throw new Error("one was claimed");
  clock.advance(60_000);
  const progress = createProgress(testApp.app, claim, NEVER);
  progress.add("progress", { fraction: 0.5 });
  await progress.written();
  const later = { ...testApp.app, clock: createFakeClock("2026-03-01T12:00:30.000Z") };
  const [taken] = await rescueJobs(later, { worker: "next", limit: 1, leaseMs: LEASE_MS });
  if (!taken) throw new Error("one was taken over");
  await finalizeJobs(later, [{ claim: taken, outcome: { kind: "completed", outputs: [] }, files: [] }]);
  await expectTimesInOrder(accountId);
});
