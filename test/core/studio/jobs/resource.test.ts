// Times in a ledger and in a job's history never go back, even when the clocks of two processes differ.
import { beforeEach, expect, test } from "vitest";
import { ledger } from "../../../../core/identity/credits/store.ts";
import { listJobs } from "../../../../core/studio/jobs/list.ts";
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
import { watchCommands } from "../../../support/watch-commands.ts";

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

// Jobs as their owner sees them, in pages.
const STATES = ["completed", "reserved", "running", "reserved", "reserved", "cancelled", "reserved"] as const;

/** An account with a job in each of these states, oldest first. */
async function createMixed(): Promise<string> {
  const { accountId, caller } = await createCustomer(testApp.app);
  const made = await acceptMany(testApp.app, STATES.length, askFor(caller));
  for (const [i, { _id }] of made.toSorted((a, b) => (a._id < b._id ? -1 : 1)).entries())
    await jobs(testApp.app.mongo.db).updateOne({ _id }, { $set: { state: STATES[i] ?? "reserved" } });
  return accountId;
}

test.each([
  ["all", { limit: 7 }, [4, null, 3, 2, null, 1, null]],
  ["the newest jobs", { limit: 3 }, [4, null, 3]],
  ["waiting jobs", { limit: 7, state: "reserved" }, [4, 3, 2, 1]],
  ["running jobs", { limit: 7, state: "running" }, [null]],
])(
  "[JOB-10] a page of %s shows each waiting job's place in line, with one read of the queue",
  async (_, asked, places) => {
    const accountId = await createMixed();
    await createMixed();
    const commands: string[] = [];
    const watched = await watchCommands(testApp, ({ commandName, command }) => {
      if (commandName !== "endSessions") commands.push(`${commandName} ${command[commandName]}`);
    });
    const query = { accountId, cursor: "", state: "", modality: "", ...asked };
    const page = await listJobs(watched.app, query).finally(watched.close);
    expect(page.jobs.map(({ queue_position }) => queue_position)).toEqual(places);
    const waits = places.some((place) => place !== null);
    // After the last live job, the rest may be in the archive.
    const goesOn = page.jobs.length === STATES.length;
    expect(commands).toEqual([
      "find jobs",
      ...(goesOn ? ["find archive_segments"] : []),
      ...(waits ? ["find jobs"] : []),
    ]);
  },
);

test("places in line are right for queues too long to be listed, beside short ones", async () => {
  const accounts: { accountId: string; waiting: number }[] = [];
  for (const waiting of [3, 240, 0, 2, 130]) {
    const { accountId, caller } = await createCustomer(testApp.app);
    const [made] = await acceptMany(testApp.app, 1, askFor(caller));
    if (!made) throw new Error("one job was accepted");
    const copies = Array.from({ length: waiting }, (_, i) => ({ ...made, _id: `${made._id}${1000 + i}` }));
    await jobs(testApp.app.mongo.db).deleteOne({ _id: made._id });
    if (waiting > 0) await jobs(testApp.app.mongo.db).insertMany(copies);
    accounts.push({ accountId, waiting });
  }
  const pages = await Promise.all(
    accounts.map(({ accountId }) =>
      listJobs(testApp.app, { accountId, cursor: "", state: "", modality: "", limit: 3 }),
    ),
  );
  const newest = accounts.map(({ waiting }) => [waiting, waiting - 1, waiting - 2].filter((n) => n > 0));
  expect(pages.map((page) => page.jobs.map(({ queue_position }) => queue_position))).toEqual(newest);
});
