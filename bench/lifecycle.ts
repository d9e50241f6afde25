// From the accept call to the completed job with its events, ledger entries and callback row, against Agenda 6 on the same mongod and BullMQ 6
// on a Redis, in the same run; then how it grows with workers.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { JobsApp } from "../core/studio/jobs/intake.ts";
import { createAcceptQueue } from "../core/studio/jobs/accept-queue.ts";
import type { Caller } from "../proto/caller.ts";
import { findRedis } from "../test/support/find-redis.ts";
import { startAgenda } from "./support/agenda.ts";
import { startBullMq } from "./support/bullmq.ts";
import { drive, type Load, medianLoad, ms, printTable, rate } from "./support/stats.ts";
import { auditInWords, CALLBACK_URL, driveWholeLives } from "./support/whole-lives.ts";
import { type Accept, createCustomers, onBenchApp, requestsOf } from "./support/world.ts";

const CALLERS = 64;
const ACCOUNTS = 1_000;
const ROUNDS = 3;
const ROUND_MS = 5_000;
const BACKLOG_JOBS = 10_000;

export async function run(): Promise<void> {
  await onBenchApp("lifecycle", async (app) => {
    const callers = await createCustomers(app, ACCOUNTS);
    const accept = createAcceptQueue(app);
    await againstRivals(app, accept, callers);
    await byWorkers(app, accept, callers, app.mongo.uri);
    console.log(await auditInWords(app));
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
  const load = { callers: CALLERS, forMs: ROUND_MS };
  const ours: Load[] = [];
  const theirs = rivals.map((): Load[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await driveWholeLives(app, accept, callers, load));
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

const UNDER_WAY = { state: { $in: ["reserved", "running"] } };

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
    // The first that is found, not all of them counted: that would take a part of the time that is measured.
    while (await app.mongo.db.collection("jobs").findOne(UNDER_WAY, { projection: { _id: 1 } }))
      await new Promise((resolve) => setTimeout(resolve, 20));
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
