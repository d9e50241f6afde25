// The environment of a measurement: a separate mongod, an App, and customers with unlimited credits and slots.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Provider } from "../../core/adapters/providers/provider.ts";
import { migrate } from "../../core/entry/migrate.ts";
import { type OpenedApp, openApp } from "../../core/entry/start.ts";
import { createAccount } from "../../core/identity/accounts/create-account.ts";
import { createKey } from "../../core/identity/accounts/create-key.ts";
import { plans } from "../../core/identity/accounts/store.ts";
import { grantCredits } from "../../core/identity/credits/grant.ts";
import type { App } from "../../core/kernel/app.ts";
import type { AcceptedJob } from "../../core/studio/jobs/accept.ts";
import type { AcceptRequest } from "../../core/studio/jobs/check-request.ts";
import type { JobsApp } from "../../core/studio/jobs/local-dispatch.ts";
import { addModel } from "../../core/studio/models/add-model.ts";
import type { Caller } from "../../proto/caller.ts";
import type { JobRequest } from "../../proto/resources/job.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { createLog } from "../../runtime/log/log.ts";
import { findMongod } from "../../runtime/mongod/find.ts";
import { startMongod } from "../../runtime/mongod/mongod.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { machineInWords } from "../../scripts/testbed/command.ts";
import { INSTANT_JOB } from "./history.ts";
import { drive } from "./stats.ts";

export const BENCH_SECRET = "only for measurements on this machine";
const MANY_SLOTS = 1_000_000;
const CREDITS = 100_000_000;
const MADE_IN_PARALLEL = 32;

export type Accept = (request: AcceptRequest) => Promise<AcceptedJob>;
export type BenchMongod = { uri: string; stop(): Promise<void> };

/** A mongod in a temporary folder, with the options of the embedded one. */
export async function startBenchMongod(): Promise<BenchMongod> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-bench-"));
  const mongod = await startMongod({
    binary: await findMongod({ path: loadConfig().mongodPath, say: console.log }),
    dbPath: join(folder, "db"),
    logPath: join(folder, "mongod.log"),
    port: 0,
    cacheGb: 2,
    log: createLog("error", "bench"),
    onLost: (error) => {
      throw error;
    },
  });
  return {
    uri: mongod.uri,
    stop: async () => {
      await mongod.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Answers every job immediately with a few bytes. */
const instantProvider: Provider = {
  name: "instant",
  safeToRepeat: true,
  start: async () => [{ bytes: new Uint8Array(16), mimeType: "application/octet-stream" }],
};

/** Connects an App to a database of this name; `prepare` creates its collections, the plan and the model. */
export async function openBenchApp(
  uri: string,
  database: string,
  env: Record<string, string> = {},
): Promise<OpenedApp> {
  const config = loadConfig({
    ATELIER_MONGO_DATABASE: database,
    ATELIER_SECRET: BENCH_SECRET,
    ATELIER_LOG_LEVEL: "error",
    ...env,
  });
  return openApp({
    config,
    log: createLog("error", "bench"),
    metrics: createMetrics(),
    mongodbUri: uri,
    providers: new Map([[instantProvider.name, instantProvider]]),
  });
}

export async function prepare(app: App): Promise<void> {
  await migrate(app);
  await plans(app.mongo.db).updateMany({}, { $set: { concurrency: MANY_SLOTS } });
  await addModel(app, {
    model_slug: "instant",
    name: "Instant",
    modality: "image",
    description: "Responds immediately.",
    credits: 1,
    per: "generation",
    estimated_seconds: 1,
    max_prompt_length: 4000,
    params_schema: { type: "object", properties: {}, additionalProperties: false },
    provider: "instant",
    provider_model: "instant",
    run_timeout_ms: 60_000,
  });
}

export type Customer = { readonly key: string; readonly caller: Caller };

/** A new account with credits and a key, which may have a spending limit. */
export async function createCustomer(app: App, maxCredits?: number): Promise<Customer> {
  const email = `${app.newId("bench").toLowerCase()}@example.com`;
  const { _id: accountId } = await createAccount(app, { email, name: "Bench", plan: "studio" });
  await grantCredits(app, { accountId, amount: CREDITS, kind: "grant", memo: null, source: "system" });
  const wanted = {
    name: "bench",
    scope: "write",
    expiresAt: null,
    ...(maxCredits && { maxCredits }),
  } as const;
  const { secret: key } = await createKey(app, accountId, wanted);
  return { key, caller: { kind: "key", keySha256: hashApiKey(key), source: "api" } };
}

export async function createCustomers(app: App, count: number): Promise<Caller[]> {
  const callers: Caller[] = [];
  await drive(
    MADE_IN_PARALLEL,
    Number.POSITIVE_INFINITY,
    async () => callers.push((await createCustomer(app)).caller),
    count,
  );
  return callers;
}

/** Runs a measurement on a prepared App, in a database of this name on a separate mongod. */
export async function onBenchApp(database: string, measure: (app: JobsApp) => Promise<void>): Promise<void> {
  printMachine();
  const mongod = await startBenchMongod();
  const { app, close } = await openBenchApp(mongod.uri, database);
  try {
    await prepare(app);
    await measure(app);
  } finally {
    await close();
    await mongod.stop();
  }
}

/** Requests by number, of these callers in turn. */
export function requestsOf(
  callers: readonly Caller[],
  change: Partial<JobRequest> = {},
): (i: number) => AcceptRequest {
  return (i) => benchRequest(callers[i % callers.length] as Caller, change);
}

export function benchRequest(caller: Caller, change: Partial<JobRequest> = {}): AcceptRequest {
  return { caller, request: { ...INSTANT_JOB, ...change }, idempotencyKey: null };
}

export function printMachine(): void {
  console.log(`${machineInWords()}\n`);
}
