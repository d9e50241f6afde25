// A provider that fails for a minute, with jobs coming in all the time: what becomes of them without a breaker, with it, and with a fallback
// beside it. A number after its name says for how many seconds it fails.
import { setTimeout as sleep } from "node:timers/promises";
import { acceptJobs } from "../core/studio/jobs/accept.ts";
import type { JobsApp } from "../core/studio/jobs/intake.ts";
import { startWorker } from "../core/studio/runs/worker.ts";
import { addModel } from "../core/studio/models/add-model.ts";
import { type Provider, ProviderError } from "../core/adapters/providers/provider.ts";
import { quantile, printTable } from "./support/stats.ts";
import {
  createCustomers,
  openBenchApp,
  prepare,
  printMachine,
  requestsOf,
  startBenchMongod,
} from "./support/world.ts";

const DOWN_MS = Number(process.argv[3] ?? 60) * 1000;
const BEFORE_MS = 10_000;
const AFTER_MS = 15_000;
const JOBS_PER_SECOND = 5;
const MADE_IN_MS = 200;
const RUN_TIMEOUT_MS = 180_000;
const END_BOUND_MS = 240_000;

type Way = "no breaker" | "breaker" | "breaker and fallback";
type Counts = { whileDown: number; all: number; backup: number };

export async function run(): Promise<void> {
  printMachine();
  const mongod = await startBenchMongod();
  const ways: readonly Way[] = ["no breaker", "breaker", "breaker and fallback"];
  // Side by side, each in a database of its own: none of them has much to do.
  const rows = await Promise.all(ways.map((way, i) => measure(mongod.uri, way, `breaker-${i}`)));
  await mongod.stop();
  console.log(
    `${JOBS_PER_SECOND} jobs a second; the provider fails for ${DOWN_MS / 1000} s, from second ${BEFORE_MS / 1000} on\n`,
  );
  const header = [
    "",
    "accepted",
    "completed",
    "failed",
    "p50 s",
    "p95 s",
    "calls while down",
    "calls",
    "of the fallback",
  ];
  printTable(header, rows);
}

async function measure(uri: string, way: Way, database: string): Promise<string[]> {
  const counts: Counts = { whileDown: 0, all: 0, backup: 0 };
  let startMs = Number.POSITIVE_INFINITY;
  const isDown = () => {
    const sinceMs = performance.now() - startMs;
    return sinceMs >= BEFORE_MS && sinceMs < BEFORE_MS + DOWN_MS;
  };
  const providers = [flaky(counts, isDown), steady("backup", () => (counts.backup += 1))];
  const { app, close } = await openBenchApp(uri, database, {}, providers);
  await prepare(app);
  const total = Math.ceil(((BEFORE_MS + DOWN_MS + AFTER_MS) / 1000) * JOBS_PER_SECOND);
  // One model for each job is one breaker for each, which never sees enough failures to open.
  const models = way === "no breaker" ? total : 1;
  for (let n = 0; n < models; n++) await addFlakyModel(app, n, way === "breaker and fallback");
  const callers = await createCustomers(app, 1);
  const worker = startWorker(app, { concurrency: 64, leaseMs: 15_000 });
  startMs = performance.now();
  let accepted = 0;
  for (let n = 0; n < total; n++) {
    const nowMs = performance.now() - startMs;
    await sleep(Math.max(0, (n * 1000) / JOBS_PER_SECOND - nowMs));
    const request = requestsOf(callers, { model_slug: `flaky-${n % models}` })(n);
    const [answer] = await acceptJobs(app, [request]);
    if (answer?.status === "fulfilled") accepted += 1;
  }
  const { completed, failed, seconds } = await outcomes(app);
  await worker.stop(0);
  await close();
  const [p50, p95] = [quantile(seconds, 0.5), quantile(seconds, 0.95)];
  const figures = [
    accepted,
    completed,
    failed,
    p50.toFixed(1),
    p95.toFixed(1),
    counts.whileDown,
    counts.all,
    counts.backup,
  ];
  return [way, ...figures.map(String)];
}

function flaky(counts: Counts, isDown: () => boolean): Provider {
  return {
    name: "flaky",
    safeToRepeat: true,
    start: async () => {
      counts.all += 1;
      if (isDown()) {
        counts.whileDown += 1;
        throw new ProviderError("provider_unavailable", "The provider is unavailable.", { retryable: true });
      }
      await sleep(MADE_IN_MS);
      return [{ bytes: new Uint8Array(16), mimeType: "application/octet-stream" }];
    },
  };
}

function steady(name: string, onCall: () => void): Provider {
  return {
    name,
    safeToRepeat: true,
    start: async () => {
      onCall();
      await sleep(MADE_IN_MS);
      return [{ bytes: new Uint8Array(16), mimeType: "application/octet-stream" }];
    },
  };
}

async function addFlakyModel(app: JobsApp, n: number, hasFallback: boolean): Promise<void> {
  await addModel(app, {
    model_slug: `flaky-${n}`,
    name: "Flaky",
    modality: "image",
    description: "Fails for a while.",
    credits: 1,
    per: "generation",
    estimated_seconds: 1,
    max_prompt_length: 4000,
    params_schema: { type: "object", properties: {}, additionalProperties: false },
    provider: "flaky",
    provider_model: `flaky-${n}`,
    run_timeout_ms: RUN_TIMEOUT_MS,
    ...(hasFallback && { fallbacks: [{ provider: "backup", provider_model: "steady" }] }),
  });
}

/** Of all jobs, once they have ended; seconds from accept to completion. */
async function outcomes(app: JobsApp): Promise<{ completed: number; failed: number; seconds: number[] }> {
  const jobs = app.mongo.db.collection<{ _id: string; state: string; created_at: Date; ended_at: Date }>(
    "jobs",
  );
  const live = () => jobs.countDocuments({ state: { $in: ["reserved", "running"] } });
  for (const endMs = performance.now() + END_BOUND_MS; performance.now() < endMs; await sleep(500))
    if ((await live()) === 0) break;
  const ended = await jobs.find({}).toArray();
  const completed = ended.filter(({ state }) => state === "completed");
  return {
    completed: completed.length,
    failed: ended.filter(({ state }) => state === "failed").length,
    seconds: completed.map(({ created_at, ended_at }) => (ended_at.getTime() - created_at.getTime()) / 1000),
  };
}
