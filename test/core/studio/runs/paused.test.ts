// Paused models and a paused queue: refused requests, waiting jobs, and the jobs behind them.
import { beforeEach, expect, test } from "vitest";
import { createRecent } from "../../../../core/base/mongo/recent.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import { findOwnJob } from "../../../../core/studio/jobs/get.ts";
import { loadQueuePause, pauseQueue, resumeQueue } from "../../../../core/studio/limits/queue.ts";
import { pauseModel, resumeModel } from "../../../../core/studio/models/change-status.ts";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { startWorker } from "../../../../core/studio/runs/worker.ts";
import { acceptOne, askFor } from "../../../support/accept.ts";
import { createCustomer, separateApp, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createScriptedProvider, SMALL_OUTPUT } from "../../../support/providers.ts";
import { waitFor } from "../../../support/wait-for.ts";

const testApp = useTestApp();
const { app } = testApp;
beforeEach(async () => {
  app.localDispatch.worker = undefined;
  await testApp.empty();
});

const TUNE = { modality: "audio", model_slug: "tune" } as const;
const claim = (limit = 100) => claimJobs(app, { worker: "w", limit, leaseMs: 15_000 });

test("[MOD-03] a paused model accepts no jobs, its waiting jobs wait while others run, and all continue once it is resumed", async () => {
  const { caller } = await createCustomer(app);
  const running = await acceptOne(app, caller);
  await claim();
  const waiting = await acceptOne(app, caller);
  await pauseModel(app, "picture");
  await expect(acceptOne(app, caller)).rejects.toMatchObject({
    code: "model_not_available",
    message: 'The model "picture" is paused.',
  });
  const other = await acceptOne(app, caller, TUNE);
  expect((await claim()).map(({ job }) => job._id)).toEqual([other._id]);
  const stateOf = async (jobId: string) => (await findOwnJob(app, waiting.account_id, jobId)).state;
  expect([await stateOf(running._id), await stateOf(waiting._id)]).toEqual(["running", "reserved"]);
  expect(await claim()).toEqual([]);
  await resumeModel(app, "picture");
  expect((await claim()).map(({ job }) => job._id)).toEqual([waiting._id]);
  expect(await auditFindings(app)).toEqual([]);
});

test("accounts whose jobs all wait for a paused model do not delay the accounts behind them", async () => {
  // At the head of the line, because they were never served.
  for (let n = 0; n < 3; n++) await acceptOne(app, (await createCustomer(app)).caller);
  const { caller } = await createCustomer(app);
  const wanted = await acceptOne(app, caller, TUNE);
  await pauseModel(app, "picture");
  const claimed: string[] = [];
  // A worker with one free slot reads one account at a time.
  for (let looks = 0; looks < 4; looks++) claimed.push(...(await claim(1)).map(({ job }) => job._id));
  expect(claimed).toEqual([wanted._id]);
  await resumeModel(app, "picture");
  expect(await claim()).toHaveLength(3);
  expect(await auditFindings(app)).toEqual([]);
});

test("the oldest runnable job of an account with a long queue is claimed", async () => {
  const { caller } = await createCustomer(app, { credits: 10_000 });
  for (let n = 0; n < 60; n++) await acceptOne(app, caller);
  const wanted = await acceptOne(app, caller, TUNE);
  await pauseModel(app, "picture");
  expect((await claim()).map(({ job }) => job._id)).toEqual([wanted._id]);
});

test("a paused queue keeps an accepted job from starting, and replays repeated keys though it refuses new ones", async () => {
  const { caller } = await createCustomer(app);
  const started: string[] = [];
  app.localDispatch.worker = {
    worker: "w",
    leaseMs: 15_000,
    take: (wanted) => wanted,
    start: (_taken, claims) => started.push(...claims.map(({ job }) => job._id)),
  };
  const [first] = await acceptJobs(app, [askFor(caller, {}, "first")]);
  if (first?.status !== "fulfilled") throw new Error("not accepted");
  expect(started).toEqual([first.value.job._id]);
  await pauseQueue(app, { refuses: false });
  await acceptOne(app, caller);
  expect([started.length, await claim()]).toEqual([1, []]);
  await pauseQueue(app, { refuses: true });
  const [again, other] = await acceptJobs(app, [askFor(caller, {}, "first"), askFor(caller, {}, "other")]);
  expect(again).toMatchObject({ value: { replayed: true } });
  expect(other).toMatchObject({ reason: { code: "service_unavailable" } });
  await resumeQueue(app);
  expect(await claim()).toHaveLength(1);
  expect(await auditFindings(app)).toEqual([]);
});

test("a worker of a paused queue starts nothing, and continues automatically once it is resumed", async () => {
  const provider = createScriptedProvider({ answer: () => [SMALL_OUTPUT] });
  const separate = separateApp(app, { provider });
  const { caller } = await createCustomer(app);
  await pauseQueue(app, { refuses: false });
  const waiting = await acceptOne(app, caller);
  let looks = 0;
  // As in a process, whose settings are up to half a second old.
  const known = createRecent(() => loadQueuePause(app), 500);
  const queuePause = async () => {
    looks += 1;
    return known();
  };
  const worker = startWorker({ ...separate, queuePause }, { concurrency: 2, leaseMs: 15_000 });
  const stateOf = async () => (await findOwnJob(app, waiting.account_id, waiting._id)).state;
  await waitFor("the worker to have looked a few times", () => looks >= 4);
  expect([await stateOf(), provider.calls]).toEqual(["reserved", []]);
  await resumeQueue(app);
  await waitFor("the job to end", async () => (await stateOf()) === "completed");
  await worker.stop(5_000);
});
