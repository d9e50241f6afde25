// The rivals of the lifecycle measurement: Agenda 6 on the same mongod, and BullMQ 6 on a separate Redis. Empty jobs, no credits and no
// ledger.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MongoBackend } from "@agendajs/mongo-backend";
import { Agenda, InMemoryNotificationChannel } from "agenda";
import { Queue, Worker } from "bullmq";
import type { Db } from "../../core/base/mongo/client.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { startRedisServer } from "../../test/support/redis-server.ts";

const QUEUE = "empty";

/** `runOne` resolves when the job that it added is complete. */
export type Rival = { runOne(): Promise<void>; stop(): Promise<void> };

/** Its in-memory channel wakes it for each job: the fastest set-up that Agenda offers on MongoDB. */
export async function startAgenda(db: Db, parallel: number): Promise<Rival> {
  const agenda = new Agenda({
    backend: new MongoBackend({ mongo: db as never, collection: "agenda_jobs" }),
    notificationChannel: new InMemoryNotificationChannel(),
    processEvery: 100,
    maxConcurrency: parallel,
    defaultConcurrency: parallel,
    lockLimit: 0,
  });
  const waiting = createWaiting(async (id) => void (await agenda.now("empty", { id })));
  agenda.define("empty", async () => {});
  agenda.on("complete:empty", (job: { attrs: { data: unknown } }) =>
    waiting.done((job.attrs.data as { id: string }).id),
  );
  await agenda.start();
  return { runOne: waiting.runOne, stop: () => agenda.stop() };
}

/** What a machine failure may lose: acknowledged writes of the last second, or nothing. */
export type Fsync = "everysec" | "always";

/** Redis with its log on disk; completed jobs are removed, which is fastest. */
export async function startBullMq(redisBinary: string, fsync: Fsync, parallel: number): Promise<Rival> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-bench-redis-"));
  const port = await freePort();
  const options = ["--dir", folder, "--appendonly", "yes", "--appendfsync", fsync];
  const redis = await startRedisServer(redisBinary, port, [...options, "--maxmemory-policy", "noeviction"]);
  const connection = { host: "127.0.0.1", port, maxRetriesPerRequest: null };
  const queue = new Queue(QUEUE, { connection, defaultJobOptions: { removeOnComplete: true } });
  const worker = new Worker<{ id: string }>(QUEUE, async () => {}, { connection, concurrency: parallel });
  const waiting = createWaiting(async (id) => void (await queue.add(QUEUE, { id })));
  worker.on("completed", ({ data }) => waiting.done(data.id));
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
  return {
    runOne: waiting.runOne,
    stop: async () => {
      await worker.close();
      await queue.close();
      await redis.stop("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function createWaiting(add: (id: string) => Promise<void>): {
  runOne: Rival["runOne"];
  done(id: string): void;
} {
  const waiting = new Map<string, () => void>();
  let next = 0;
  return {
    runOne: async () => {
      const id = String(next++);
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(id, resolve);
      await add(id);
      await promise;
      waiting.delete(id);
    },
    done: (id) => waiting.get(id)?.(),
  };
}
