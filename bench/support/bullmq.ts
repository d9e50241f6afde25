// A rival of the lifecycle measurement: BullMQ 6 on a Redis of its own, an empty job, no credits and no ledger.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Queue, Worker } from "bullmq";
import { freePort } from "../../runtime/process/free-port.ts";
import { startRedisServer } from "../../test/support/redis-server.ts";

/** How much a failure of the machine may take: what was acknowledged within the last second, or nothing. */
export type Fsync = "everysec" | "always";
export type BullWorld = { runOne(): Promise<void>; stop(): Promise<void> };

const QUEUE = "empty";

/** Redis with its log on disk; what has completed is forgotten, as is fastest. */
export async function startBullMq(redisBinary: string, fsync: Fsync, atOnce: number): Promise<BullWorld> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-bench-redis-"));
  const port = await freePort();
  const options = ["--dir", folder, "--appendonly", "yes", "--appendfsync", fsync];
  const redis = await startRedisServer(redisBinary, port, [...options, "--maxmemory-policy", "noeviction"]);
  const connection = { host: "127.0.0.1", port, maxRetriesPerRequest: null };
  const queue = new Queue(QUEUE, { connection, defaultJobOptions: { removeOnComplete: true } });
  const waiting = new Map<string, () => void>();
  const worker = new Worker<{ id: string }>(QUEUE, async () => {}, { connection, concurrency: atOnce });
  worker.on("completed", ({ data }) => waiting.get(data.id)?.());
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
  let next = 0;
  return {
    runOne: async () => {
      const id = String(next++);
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(id, resolve);
      await queue.add(QUEUE, { id });
      await promise;
      waiting.delete(id);
    },
    stop: async () => {
      await worker.close();
      await queue.close();
      await redis.stop("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
