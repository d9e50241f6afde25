// End to end: from the accept call to the completed job with its events, ledger entries and webhook delivery row, against Agenda 6 on the
// same mongod and BullMQ 6 on a Redis, in the same run; then with more workers.
import { createAcceptQueue } from "../core/studio/jobs/accept-queue.ts";
import type { JobsApp } from "../core/studio/jobs/local-dispatch.ts";
import type { Caller } from "../proto/caller.ts";
import { findRedis } from "../test/support/find-redis.ts";
import { type Child, startChild } from "./support/child.ts";
import { type Rival, startAgenda, startBullMq } from "./support/rivals.ts";
import { compareLoads, drive, printTable, rate, type Side } from "./support/stats.ts";
import { auditInWords, CALLBACK_URL, driveEndToEnd } from "./support/whole-lives.ts";
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
    await byWorkers(app, accept, callers);
    console.log(await auditInWords(app));
  });
}

type NamedRival = { readonly name: string; start(): Promise<Rival> };

async function findRivals(app: JobsApp): Promise<NamedRival[]> {
  const agenda: NamedRival = {
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
  const load = { callers: CALLERS, forMs: ROUND_MS };
  const rivals = (await findRivals(app)).map(({ name, start }): Side => [
    name,
    async () => {
      const rival = await start();
      const theirs = await drive(CALLERS, ROUND_MS, rival.runOne);
      await rival.stop();
      return theirs;
    },
  ]);
  console.log(
    `${CALLERS} callers, each waiting for its job to complete; median of ${ROUNDS} rounds of ${ROUND_MS / 1000} s`,
  );
  const ours: Side = ["this service", () => driveEndToEnd(app, accept, callers, load)];
  await compareLoads([ours, ...rivals], ROUNDS, { unit: "jobs/s", ratio: "this service is" });
}

const UNDER_WAY = { state: { $in: ["reserved", "running"] } };

/** A backlog that worker processes finish, without new jobs. */
async function byWorkers(app: JobsApp, accept: Accept, callers: readonly Caller[]): Promise<void> {
  const next = requestsOf(callers, { callback_url: CALLBACK_URL });
  const rows: string[][] = [];
  for (const count of [1, 2, 4]) {
    await drive(1024, Number.POSITIVE_INFINITY, (i) => accept(next(i)), BACKLOG_JOBS);
    const workers = await Promise.all(Array.from({ length: count }, () => startWorkerProcess(app.mongo.uri)));
    const start = performance.now();
    await Promise.all(workers.map((worker) => worker.ask("go")));
    // Finds the first instead of counting all, which would slow the measured work.
    while (await app.mongo.db.collection("jobs").findOne(UNDER_WAY, { projection: { _id: 1 } }))
      await new Promise((resolve) => setTimeout(resolve, 20));
    rows.push([
      `${count} worker${count > 1 ? "s" : ""}`,
      rate(BACKLOG_JOBS / ((performance.now() - start) / 1000)),
    ]);
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  console.log(
    `\nA backlog of ${rate(BACKLOG_JOBS)} jobs, worked off by worker processes on the same cores as mongod`,
  );
  printTable(["", "jobs/s"], rows);
}

async function startWorkerProcess(uri: string): Promise<Child<string, string>> {
  const env = { MONGODB_URI: uri, ATELIER_MONGO_DATABASE: "lifecycle" };
  return (await startChild<string, string, string>("worker-process.ts", env)).child;
}
