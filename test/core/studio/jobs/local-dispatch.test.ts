import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findOwnJob } from "../../../../core/studio/jobs/get.ts";
import type { Claim, JobsApp } from "../../../../core/studio/jobs/local-dispatch.ts";
import { toJobEvents } from "../../../../core/studio/jobs/rules.ts";
import type { JobDoc } from "../../../../core/studio/jobs/store.ts";
import { startWorker, type Worker } from "../../../../core/studio/runs/worker.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { acceptMany, askFor } from "../../../support/accept.ts";
import { createCustomer, separateApp, useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createScriptedProvider, type ScriptedProvider } from "../../../support/providers.ts";
import { waitFor } from "../../../support/wait-for.ts";

let provider: ScriptedProvider;
const shared = useTestApp();
let app: JobsApp;
let worker: Worker | undefined;

beforeEach(() => {
  provider = createScriptedProvider();
  app = separateApp(shared.app, { provider });
});
afterEach(async () => {
  await worker?.stop(0);
  worker = undefined;
  await shared.empty();
});

const generate = (caller: Caller, count: number) => acceptMany(app, count, askFor(caller));

/** Records local dispatch in place of a worker. */
function fakeLocalDispatch(places: number): { claims: Claim[]; asked: number[] } {
  const seen: { claims: Claim[]; asked: number[] } = { claims: [], asked: [] };
  app.localDispatch.worker = {
    worker: "w",
    leaseMs: 15_000,
    take: (wanted) => {
      seen.asked.push(wanted);
      return Math.min(wanted, places);
    },
    start: (_taken, claims) => {
      seen.claims.push(...claims);
    },
  };
  return seen;
}

const states = async (jobs: readonly JobDoc[]) =>
  Promise.all(jobs.map(async (job) => (await findOwnJob(app, job.account_id, job._id)).state));

describe("a job that can start immediately", () => {
  test("is accepted and claimed in one transaction, with the events and ledger entries of both", async () => {
    const seen = fakeLocalDispatch(10);
    const { caller } = await createCustomer(app);
    const [job] = await generate(caller, 1);
    expect(job).toMatchObject({ state: "reserved", version: 1 });
    const stored = await findOwnJob(app, (job as JobDoc).account_id, (job as JobDoc)._id);
    expect(stored).toMatchObject({ state: "running", epoch: 1, version: 3, lease: { worker: "w" } });
    expect(toJobEvents(stored).map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      "1 reserved",
      "2 debited",
      "3 running",
    ]);
    expect(seen.claims).toMatchObject([{ epoch: 1, version: 3, worker: "w" }]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("is bounded by the plan's slots and the worker's capacity", async () => {
    fakeLocalDispatch(4);
    const [pro, starter] = [await createCustomer(app), await createCustomer(app, { plan: "starter" })];
    expect(await states(await generate(starter.caller, 4))).toEqual([
      "running",
      "running",
      "reserved",
      "reserved",
    ]);
    expect(await states(await generate(pro.caller, 6))).toEqual([
      "running",
      "running",
      "running",
      "running",
      "reserved",
      "reserved",
    ]);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("waits behind older jobs of its account", async () => {
    const { caller } = await createCustomer(app);
    const older = await generate(caller, 1);
    fakeLocalDispatch(10);
    expect(await states(await generate(caller, 1))).toEqual(["reserved"]);
    expect(await states(older)).toEqual(["reserved"]);
  });

  test("is refused like any other, and nothing is claimed for it", async () => {
    const seen = fakeLocalDispatch(10);
    const { caller } = await createCustomer(app, { credits: 9 });
    await expect(generate(caller, 1)).rejects.toMatchObject({ code: "insufficient_credits" });
    expect(seen).toEqual({ claims: [], asked: [1] });
  });

  test("is run by this process's worker, which continues to claim waiting jobs", async () => {
    worker = startWorker(app, { concurrency: 3, leaseMs: 15_000 });
    const { caller } = await createCustomer(app);
    const jobs = await generate(caller, 5);
    const done = new Set<number>();
    while (done.size < 5) {
      const next = await waitFor("a call", () => provider.calls.find((_, i) => !done.has(i)));
      const i = provider.calls.indexOf(next);
      expect(provider.calls.length - done.size).toBeLessThanOrEqual(3);
      done.add(i);
      next.finish();
    }
    await waitFor("all to complete", async () =>
      (await states(jobs)).every((state) => state === "completed"),
    );
    expect(await auditFindings(app)).toEqual([]);
  });
});
