// Builds an App and starts the roles of core on it: the gRPC server, and the worker.
import { EventEmitter } from "node:events";
import type { OpenCalls } from "../../proto/calls/frames.ts";
import { createNewId, drawSeed, checkSkew } from "../../runtime/clock.ts";
import type { Config } from "../../runtime/config/config.ts";
import { loadServerTls } from "../../runtime/keys/core-tls.ts";
import { loadSecrets } from "../../runtime/keys/secret.ts";
import { loadTrustedKeys } from "../../runtime/keys/service-token.ts";
import { loadSigningKeys } from "../../runtime/keys/signing-keys.ts";
import type { Logger } from "../../runtime/log/log.ts";
import type { Tracing } from "../../runtime/log/tracing.ts";
import type { Metrics } from "../../runtime/ops/metrics.ts";
import type { ReadinessCheck } from "../../runtime/ops/server.ts";
import { publicUrls } from "../../runtime/public-urls.ts";
import { createService, type Service } from "../../runtime/service.ts";
import { createPayments } from "../adapters/payments/registry.ts";
import type { Providers } from "../adapters/providers/provider.ts";
import { createProviders } from "../adapters/providers/registry.ts";
import { connectMongo } from "../base/mongo/client.ts";
import { type DatabaseClock, startDatabaseClock } from "../base/mongo/database-clock.ts";
import { isPassing } from "../base/mongo/errors.ts";
import { createRecent } from "../base/mongo/recent.ts";
import { withinMs } from "../base/mongo/within-ms.ts";
import { openObjectStore } from "../base/objects/object-store.ts";
import { createKeyUsage } from "../identity/accounts/key-usage.ts";
import { loadPlans } from "../identity/accounts/plans.ts";
import type { App, OwnDatabase } from "../kernel/app.ts";
import { createContentCredentials } from "../kernel/content-credentials/credentials.ts";
import { createRevokedNames } from "../kernel/services/revoked-names.ts";
import { createTokenVerifier } from "../kernel/services/verify-token.ts";
import type { Loop } from "../kernel/slice.ts";
import { loadTiers } from "../shop/memberships/tiers.ts";
import type { JobsApp } from "../studio/jobs/local-dispatch.ts";
import { loadQueuePause } from "../studio/limits/queue.ts";
import { loadModels } from "../studio/models/list-models.ts";
import { createCoreParts, createWorkerParts } from "./parts.ts";
import { servicesOf, startServer } from "./server.ts";
import { OWNED, SLICES } from "./slices.ts";

/** A change of a plan or a model takes effect within this time at every core. */
const DEFINITIONS_MAX_AGE_MS = 1_000;
/** Shorter, because jobs that were claimed before the change is known have yet to begin. */
const QUEUE_PAUSE_MAX_AGE_MS = 500;
const CLOSE_MS = 5_000;
/** A database that takes longer is not ready for anyone. */
const PING_MS = 2_000;
/** By then a start is over. */
const WARM_AFTER_MS = 2_000;

export type AppOptions = {
  config: Config;
  log: Logger;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  mongodbUri: string;
  /** The database, if the one of `mongodbUri` is this process's own. */
  ownDatabase?: OwnDatabase | undefined;
  /** Tests and measurements bring their own. */
  providers?: Providers;
};

export type OpenedApp = {
  app: JobsApp;
  /** Whether this machine's clock is near enough to the database's. */
  clockCheck: ReadinessCheck;
  close(): Promise<void>;
};

/** Connects to the database and the providers. Throws if the database does not answer. */
export async function openApp({
  config,
  log,
  metrics,
  tracing,
  mongodbUri,
  ownDatabase,
  providers,
}: AppOptions): Promise<OpenedApp> {
  const mongo = await connectMongo(mongodbUri, config.mongoDatabase);
  const clock = await startDatabaseClock(mongo, log).catch(async (error: unknown) => {
    await mongo.client.close();
    throw error;
  });
  observeClock(metrics, clock);
  const signals: App["signals"] = new EventEmitter();
  // There is one listener for each worker, deliverer and waiting stream's watcher.
  signals.setMaxListeners(100);
  const secrets = loadSecrets(config);
  const { baseUrl, generationBaseUrl } = publicUrls(config);
  const app: JobsApp = {
    config,
    mongo,
    ownDatabase,
    clock,
    newId: createNewId(clock),
    drawSeed,
    log,
    metrics,
    tracing,
    providers: providers ?? (await createProviders(config, { log, clock })),
    objects: openObjectStore(config),
    signingKeys: loadSigningKeys(config),
    credentials: createContentCredentials(config, { log }),
    plans: createRecent(() => loadPlans({ mongo }), DEFINITIONS_MAX_AGE_MS),
    tiers: createRecent(() => loadTiers({ mongo }), DEFINITIONS_MAX_AGE_MS),
    models: createRecent(() => loadModels({ mongo }), DEFINITIONS_MAX_AGE_MS),
    queuePause: createRecent(() => loadQueuePause({ mongo }), QUEUE_PAUSE_MAX_AGE_MS),
    localDispatch: { worker: undefined },
    owned: OWNED,
    noteKeyUse: (keySha256, at) => keyUsage.note(keySha256, at),
    signals,
    payments: await createPayments(config, { mongo, clock, secrets, baseUrl, log, metrics }),
    secrets,
    baseUrl,
    generationBaseUrl,
  };
  const keyUsage = createKeyUsage(app);
  return {
    app,
    clockCheck: { name: "clock", check: async () => checkSkew(clock.skewMs()) },
    close: async () => {
      await clock.stop();
      await keyUsage.stop();
      if (!providers) await Promise.all([...app.providers.values()].map((provider) => provider.close?.()));
      await app.objects?.close();
      await app.credentials.close();
      await mongo.client.close();
    },
  };
}

export type Role = { close(): Promise<void>; ready(): Promise<boolean> };

/** `openCalls` is for a client in the same process. */
export type Core = Role & { address: string; openCalls: OpenCalls; leave(): void };

/** The start itself does not wait for it. */
async function warm({ providers, log }: App): Promise<void> {
  try {
    for (const provider of providers.values()) await provider.warm?.();
  } catch (err) {
    log.warn({ err }, "a provider could not load what its first request needs");
  }
}

/** The gRPC server on an App. */
export async function startCore(app: JobsApp): Promise<Core> {
  const parts = createCoreParts(app);
  const { watching, watchingWorkflows, catalog, uploads, testEvents } = parts;
  await catalog.live.start();
  for (const { observe } of SLICES) observe?.(app, parts);
  const warming = setTimeout(() => void warm(app), WARM_AFTER_MS).unref();
  const server = await startServer(app, {
    host: app.config.grpcHost,
    port: app.config.grpcPort,
    tls: loadServerTls(app.config),
    services: servicesOf(SLICES.map(({ serve }) => serve?.(app, parts) ?? {})),
    verifyToken: await createTokenVerifier(loadTrustedKeys(app.config)),
    revokedNames: createRevokedNames(app),
  });
  return {
    address: server.address,
    openCalls: server.openCalls,
    leave: server.leave,
    ready: async () => catalog.live.isBuilt() && (await databaseAnswers(app)),
    close: async () => {
      clearTimeout(warming);
      await Promise.all([watching.watcher.stop(), watchingWorkflows.watcher.stop(), catalog.live.stop()]);
      await server.close(CLOSE_MS);
      await uploads.close();
      await testEvents.close();
    },
  };
}

/** The worker on an App: everything that the slices do in the background. */
export function startWorker(app: JobsApp): Role {
  const parts = createWorkerParts(app);
  const runners = SLICES.flatMap((slice) => slice.runners ?? []).map(({ start }) => start(app, parts));
  const loops = createService({ log: app.log, isOutage: isPassing });
  for (const loop of SLICES.flatMap((slice) => slice.loops ?? [])) addLoop(loops, app, loop);
  loops.start();
  return {
    ready: () => databaseAnswers(app),
    close: async () => {
      const stopped = loops.stop();
      for (const runner of runners.toReversed()) await runner.stop();
      await stopped;
    },
  };
}

function addLoop(service: Service, app: JobsApp, loop: Loop<JobsApp>): void {
  const { what, everyMs, when } = loop;
  if (when && !when(app)) return;
  if ("step" in loop) service.every(everyMs, what, (signal) => loop.step(app, signal));
  else service.loop(what, async (signal) => ((await loop.drain(app, signal)) ? 0 : everyMs));
}

/** Checks this process's clock. */
function observeClock({ gauge }: App["metrics"], clock: DatabaseClock): void {
  gauge(
    "clock_skew_seconds",
    "How far this machine's clock is ahead of the database's; beyond 2 either way the process is not ready.",
    () => clock.skewMs() / 1000,
  );
  gauge(
    "clock_error_seconds",
    "By how much the database's time, as this process knows it, may be wrong.",
    () => clock.errorMs() / 1000,
  );
}

async function databaseAnswers(app: App): Promise<boolean> {
  try {
    await withinMs(PING_MS, app.mongo.db.command({ ping: 1 }));
    return true;
  } catch {
    return false;
  }
}
