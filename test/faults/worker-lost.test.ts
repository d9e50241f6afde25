// A separate worker process that is killed in the middle of its jobs, and another one that takes over.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { ledger, type LedgerDoc } from "../../core/identity/credits/store.ts";
import { toJobEvents, isEnded } from "../../core/studio/jobs/rules.ts";
import { type JobDoc, jobs } from "../../core/studio/jobs/store.ts";
import { createCustomer } from "../support/app.ts";
import { startRole } from "../support/roles.ts";
import { newForEachTest } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startOnceService } from "./once-service.ts";

const service = newForEachTest(() => startOnceService());

/** One query, because a job may change its state between two. */
const count = (...states: JobDoc["state"][]) =>
  jobs(service.app.mongo.db).countDocuments({ state: { $in: states } });
const allJobs = () => jobs(service.app.mongo.db).find().sort({ _id: 1 }).toArray();
const allEntries = () => ledger(service.app.mongo.db).find().sort({ _id: 1 }).toArray();

/** The entries of each job as "kind kind ..." in order of time. */
function kindsByJob(entries: readonly LedgerDoc[]): Map<string, string> {
  const bySeq = entries.filter(({ job_id }) => job_id !== null).toSorted((a, b) => a.seq - b.seq);
  return new Map(
    [...Map.groupBy(bySeq, ({ job_id }) => job_id ?? "")].map(([jobId, own]) => [
      jobId,
      own.map(({ kind }) => kind).join(" "),
    ]),
  );
}

test("[PLAN-04] [JOB-12] kill -9 of a worker with 100 running jobs: every job ends, and no credits move twice", async () => {
  // Five accounts of 20 slots each: 120 jobs, of which 100 run at a time.
  for (let i = 0; i < 5; i++) {
    const { key } = await createCustomer(service.app, { plan: "studio", credits: 1000 });
    const prompts = [...Array(4).fill("takes 300 ms"), ...Array(20).fill("held")];
    const made = await Promise.all(
      prompts.map((prompt: string, n) =>
        service.generate(key, { prompt, model_slug: n % 3 === 0 ? "once" : "picture" }),
      ),
    );
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([202]));
  }
  const doomed = await startRole(service, "worker", { ATELIER_WORKER_CONCURRENCY: "128" });
  // Killed while it finalizes the quick ones, claims others, and waits for the rest.
  await waitFor("a full house, with some jobs done", async () => {
    if ((await count("completed")) < 3 || (await count("running")) < 90) return false;
    // It continues while it is counted: it is paused, and its sent writes pass, before the final count.
    await doomed.signal("SIGSTOP");
    await sleep(100);
    if ((await count("running")) >= 90) return true;
    await doomed.signal("SIGCONT");
    return false;
  });
  await doomed.signal("SIGKILL");
  const killedAt = performance.now();
  const running = await count("running");

  const next = await startRole(service, "worker", { ATELIER_WORKER_CONCURRENCY: "128" });
  next.finish();
  await waitFor("every job to end", async () => (await count("reserved", "running")) === 0, 60_000);
  const seconds = (performance.now() - killedAt) / 1000;
  console.log(`recovery of ${running} running jobs after kill -9 took ${seconds.toFixed(1)} s`);
  expect(running).toBeGreaterThanOrEqual(90);

  const ended = await allJobs();
  const kinds = kindsByJob(await allEntries());
  expect(ended).toHaveLength(120);
  expect(ended.every(({ state }) => isEnded(state))).toBe(true);
  for (const job of ended) {
    // Jobs without a safe repeat are refunded once; all others were debited once and completed.
    const lost = job.model_slug === "once" && job.rescues > 0;
    expect([job.state, job.error?.code, kinds.get(job._id)]).toEqual(
      lost
        ? ["failed", "outcome_unknown", "reserve debit refund"]
        : ["completed", undefined, "reserve debit"],
    );
    expect(toJobEvents(job).map(({ seq }) => seq)).toEqual(job.events.map((_, i) => i + 1));
  }
  expect(ended.filter(({ rescues }) => rescues === 1)).toHaveLength(running);
  expect(await service.audit()).toEqual([]);
});
