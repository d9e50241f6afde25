// End to end: from the accept call to the completed job with its events, ledger entries and webhook delivery row, against Agenda 6 on the
// same mongod and BullMQ 6 on a Redis, in the same run.
import { createAcceptQueue } from "../core/studio/jobs/accept-queue.ts";
import type { JobsApp } from "../core/studio/jobs/local-dispatch.ts";
import type { Caller } from "../proto/caller.ts";
import { findRedis } from "../test/support/find-redis.ts";
import { type Rival, startAgenda, startBullMq } from "./support/rivals.ts";
import { compareLoads, drive, type Side } from "./support/stats.ts";
import { auditInWords, driveEndToEnd } from "./support/whole-lives.ts";
import { type Accept, createCustomers, onBenchApp } from "./support/world.ts";

const CALLERS = 64;
const ACCOUNTS = 1_000;
const ROUNDS = 3;
const ROUND_MS = 5_000;

export async function run(): Promise<void> {
  await onBenchApp("lifecycle", async (app) => {
    const callers = await createCustomers(app, ACCOUNTS);
    const accept = createAcceptQueue(app);
    await againstRivals(app, accept, callers);
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
