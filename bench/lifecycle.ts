// From the accept call to the completed job with its events, ledger entries and callback row, against Agenda 6 on the same mongod and BullMQ 6
// on a Redis, in the same run; then how it grows with workers, and with a million finished jobs in the database.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { JobsApp } from "../core/jobs/intake.ts";
import { auditAccounts } from "../core/audit/audit-accounts.ts";
import { createAcceptQueue } from "../core/jobs/accept-queue.ts";
import { startWorker } from "../core/jobs/worker.ts";
import type { Caller } from "../proto/caller.ts";
import { findRedis } from "../test/support/find-redis.ts";
import { startAgenda } from "./support/agenda.ts";
import { startBullMq } from "./support/bullmq.ts";
import { insertFinishedJobs } from "./support/history.ts";
import { drive, type Load, medianLoad, ms, printTable, rate } from "./support/stats.ts";
import { type Accept, createCustomers, onBenchApp, requestsOf } from "./support/world.ts";

const CALLERS = 64;
const ACCOUNTS = 1_000;
const ROUNDS = 3;
const ROUND_MS = 5_000;
const BACKLOG_JOBS = 10_000;
const HISTORY_JOBS = 1_000_000;
/** Nothing delivers in this measurement: what counts is the row that the settling transaction writes. */
const CALLBACK_URL = "https://example.com/callback";

export async function run(): Promise<void> {
  await onBenchApp("lifecycle", async (app) => {
    const callers = await createCustomers(app, ACCOUNTS);
    const accept = createAcceptQueue(app);
    await againstRivals(app, accept, callers);
    await byWorkers(app, accept, callers, app.mongo.uri);
    console.log(`\nWriting ${rate(HISTORY_JOBS)} finished jobs with their ledger entries…`);
    await insertFinishedJobs(app, HISTORY_JOBS);
    // What was just written in bulk goes to disk first: a service that has run for long has done that too.
    await app.mongo.client.db("admin").command({ fsync: 1 });
    console.log(`With them in the database, one process, ${CALLERS} callers:`);
    const loads = [];
    for (let round = 0; round < ROUNDS; round++) loads.push(await inOneProcess(app, accept, callers));
    printLoads([["this service", medianLoad(loads)]]);
    await assertSound(app, callers);
  });
}

/** Starts a rival that runs one empty job at a time for each caller. */
type Rival = { readonly name: string; start(): Promise<{ runOne(): Promise<void>; stop(): Promise<void> }> };

async function findRivals(app: JobsApp): Promise<Rival[]> {
  const agenda: Rival = {
    name: "Agenda 6, empty job",
    start: () => startAgenda(app.mongo.client.db("agenda"), CALLERS),
  };
  const redis = await findRedis().catch((error: unknown) => {
    console.log(`BullMQ is left out: no redis-server can be had (${String(error)})`);
  });
  if (redis === undefined) return [agenda];
  const bullMq = (["everysec", "always"] as const).map((fsync) => ({
    name: `BullMQ 6, empty job, Redis with appendfsync ${fsync}`,
    start: () => startBullMq(redis, fsync, CALLERS),
  }));
  return [agenda, ...bullMq];
}

async function againstRivals(app: JobsApp, accept: Accept, callers: readonly Caller[]): Promise<void> {
  const rivals = await findRivals(app);
  const ours: Load[] = [];
  const theirs = rivals.map((): Load[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await inOneProcess(app, accept, callers));
    for (const [n, { start }] of rivals.entries()) {
      const rival = await start();
      theirs[n]?.push(await drive(CALLERS, ROUND_MS, rival.runOne));
      await rival.stop();
    }
  }
  const own = medianLoad(ours);
  const loads = theirs.map(medianLoad);
  console.log(
    `${CALLERS} callers, each waiting for its job to complete; median of ${ROUNDS} rounds of ${ROUND_MS / 1000} s`,
  );
  printLoads([
    ["this service", own],
    ...rivals.map(({ name }, n): [string, Load] => [name, loads[n] as Load]),
  ]);
  for (const [n, { name }] of rivals.entries())
    console.log(`${(own.perSecond / (loads[n] as Load).perSecond).toFixed(2)} x ${name}`);
}

/** Accepting and working in one process, as `npm start` does. Each call lasts until its job has completed. */
async function inOneProcess(app: JobsApp, accept: Accept, callers: readonly Caller[]): Promise<Load> {
  const next = requestsOf(callers, { callback_url: CALLBACK_URL });
  // A job changes twice here: claimed, then completed.
  const seen = new Map<string, { changes: number; done?: () => void }>();
  const onChanged = (ids: readonly string[]) => {
    for (const id of ids) {
      const job = seen.get(id) ?? { changes: 0 };
      job.changes += 1;
      seen.set(id, job);
      if (job.changes === 2) job.done?.();
    }
  };
  app.signals.on("changed", onChanged);
  const worker = startWorker(app, { concurrency: CALLERS * 2, leaseMs: 15_000 });
  const load = await drive(CALLERS, ROUND_MS, async (i) => {
    const { job } = await accept(next(i));
    const state = seen.get(job._id) ?? { changes: 0 };
    seen.set(job._id, state);
    if (state.changes < 2) {
      await new Promise<void>((resolve) => {
        state.done = resolve;
      });
    }
    seen.delete(job._id);
  });
  app.signals.off("changed", onChanged);
  await worker.stop(10_000);
  return load;
}

/** A backlog worked off by worker processes: no accepting meanwhile. */
async function byWorkers(
  app: JobsApp,
  accept: Accept,
  callers: readonly Caller[],
  uri: string,
): Promise<void> {
  const next = requestsOf(callers, { callback_url: CALLBACK_URL });
  const rows: string[][] = [];
  for (const count of [1, 2, 4]) {
    await Promise.all(
      Array.from({ length: BACKLOG_JOBS }, (_, i) => i).map(limitTo(1024, (i) => accept(next(i)))),
    );
    const workers = await Promise.all(Array.from({ length: count }, () => startWorkerProcess(uri)));
    const start = performance.now();
    for (const worker of workers) worker.send("go");
    while (
      (await app.mongo.db.collection("jobs").countDocuments({ state: { $in: ["reserved", "running"] } })) > 0
    ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    rows.push([
      `${count} worker${count > 1 ? "s" : ""}`,
      rate(BACKLOG_JOBS / ((performance.now() - start) / 1000)),
    ]);
    await Promise.all(workers.map(stopWorkerProcess));
  }
  console.log(
    `\nA backlog of ${rate(BACKLOG_JOBS)} jobs, worked off by worker processes on the same cores as mongod`,
  );
  printTable(["", "jobs/s"], rows);
}

function limitTo<T, R>(atOnce: number, work: (item: T) => Promise<R>): (item: T) => Promise<R> {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (item) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work(item);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

async function startWorkerProcess(uri: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("support/worker-process.ts", import.meta.url)), uri, "lifecycle"],
    {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    },
  );
  await once(child, "message");
  return child;
}

async function stopWorkerProcess(child: ChildProcess): Promise<void> {
  child.send("stop");
  await once(child, "exit");
}

function printLoads(loads: readonly [string, Load][]): void {
  printTable(
    ["", "jobs/s", "p50 ms", "p99 ms"],
    loads.map(([name, load]) => [name, rate(load.perSecond), ms(load.p50Ms), ms(load.p99Ms)]),
  );
}

/** A figure of a service that lost count would be worth nothing. */
async function assertSound(app: JobsApp, callers: readonly Caller[]): Promise<void> {
  let counts = "";
  for await (const report of auditAccounts(app)) {
    if (report.findings.length > 0) throw new Error(`audit: ${report.findings[0]?.what}`);
    counts = `${rate(report.accounts)} accounts, ${rate(report.entries)} entries, ${rate(report.jobs)} jobs`;
  }
  console.log(`\nAudit clean: ${counts} (${callers.length} of the accounts were used).`);
}
