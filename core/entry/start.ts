// Builds an App and starts the roles of core on it: the gRPC server, and the worker.
import { EventEmitter } from "node:events";
import { createNewId, drawSeed, judgeSkew } from "../../runtime/clock.ts";
import type { Config } from "../../runtime/config/config.ts";
import type { Logger } from "../../runtime/log/log.ts";
import type { Metrics } from "../../runtime/ops/metrics.ts";
import type { ReadinessCheck } from "../../runtime/ops/server.ts";
import { createService } from "../../runtime/service.ts";
import type { Tracing } from "../../runtime/log/tracing.ts";
import { publicUrls } from "../../runtime/public-urls.ts";
import { loadSecrets } from "../../runtime/keys/secret.ts";
import { loadServerTls } from "../../runtime/keys/core-tls.ts";
import { loadTrustedKeys } from "../../runtime/keys/service-token.ts";
import { createKeyUsage } from "../identity/accounts/key-usage.ts";
import { loadPlans } from "../identity/accounts/list-plans.ts";
import { accountsHandlers } from "../identity/accounts/rpc.ts";
import { adminHandlers } from "../operations/admin/rpc.ts";
import type { App, OwnDatabase } from "../kernel/app.ts";
import { createDeliverer } from "../studio/webhooks/deliver.ts";
import { createTestEvents } from "../studio/webhooks/test-event.ts";
import { callbackSecretHandlers } from "../studio/webhooks/secret-rpc.ts";
import { callbacksHandlers } from "../studio/jobs/deliveries-rpc.ts";
import { createContentCredentials } from "../kernel/content-credentials/credentials.ts";
import { createCatalog } from "../shop/catalog/catalog.ts";
import { catalogAdminHandlers, catalogHandlers } from "../shop/catalog/rpc.ts";
import { meHandlers } from "../identity/credits/me.ts";
import { confirmationHandlers } from "../identity/approvals/rpc.ts";
import { creditsHandlers } from "../identity/credits/rpc.ts";
import { sweepCredits } from "../identity/credits/sweep.ts";
import { loadQueuePause } from "../studio/limits/queue.ts";
import { createAcceptQueue } from "../studio/jobs/accept-queue.ts";
import { createCancelQueue } from "../studio/jobs/cancel-queue.ts";
import { createWatching, findOwnJob } from "../studio/jobs/get.ts";
import type { JobsApp } from "../studio/jobs/intake.ts";
import { toJob } from "../studio/jobs/resource.ts";
import { jobsHandlers } from "../studio/jobs/rpc.ts";
import { takeWebhook } from "../studio/runs/take-webhook.ts";
import { startWorker as startJobWorker } from "../studio/runs/worker.ts";
import { libraryHandlers } from "../shop/library/rpc.ts";
import { loadTiers } from "../shop/memberships/load-tiers.ts";
import { membershipsHandlers } from "../shop/memberships/rpc.ts";
import { adoptWork, work } from "../base/migrations/0009-work.ts";
import { findOldestCode } from "../base/migrations/store.ts";
import { loadModels } from "../studio/models/load-models.ts";
import { modelsHandlers } from "../studio/models/rpc.ts";
import { connectMongo } from "../base/mongo/client.ts";
import { startDatabaseClock } from "../base/mongo/database-clock.ts";
import { isPassing } from "../base/mongo/errors.ts";
import { createRecent } from "../base/mongo/recent.ts";
import { withinMs } from "../base/mongo/within-ms.ts";
import { removeExpiredOutputs } from "../kernel/outputs/expire.ts";
import { openObjectStore } from "../base/objects/object-store.ts";
import { observeClock, observeCore } from "./observe-core.ts";
import { ordersHandlers } from "../shop/orders/rpc.ts";
import { createPayments } from "../adapters/payments/registry.ts";
import type { Providers } from "../adapters/providers/provider.ts";
import { eraseDeletedAccounts } from "../operations/privacy/erase-accounts.ts";
import { privacyHandlers } from "../operations/privacy/rpc.ts";
import { createProviders } from "../adapters/providers/registry.ts";
import { archiveOld } from "../operations/retention/archive-old.ts";
import { addShopLoops } from "./shop.ts";
import { startServer } from "./server.ts";
import { createRevokedNames } from "../kernel/services/revoked-names.ts";
import { createTokenVerifier } from "../kernel/services/verify-token.ts";
import { subscriptionsHandlers } from "../shop/subscriptions/rpc.ts";
import { sessionsHandlers } from "../identity/sessions/rpc.ts";
import { dropUnseenKeys } from "../operations/tickets/member-key.ts";
import { ticketsHandlers } from "../operations/tickets/rpc.ts";
import { createUploadIntake } from "../studio/uploads/receive.ts";
import { uploadsHandlers } from "../studio/uploads/rpc.ts";
import { createAdvancer } from "../studio/workflows/advancer.ts";
import { createWorkflowWatching, findOwnWorkflow } from "../studio/workflows/get.ts";
import { observeWorkflows } from "../studio/workflows/measure.ts";
import { toWorkflow } from "../studio/workflows/resource.ts";
import { workflowsHandlers } from "../studio/workflows/rpc.ts";

/** A change of a plan or a model bites within this time at every core. */
const DEFINITIONS_MAX_AGE_MS = 1_000;
/** Less, because what was claimed before it is heard of has still to begin. */
const QUEUE_PAUSE_MAX_AGE_MS = 500;
/** Older code that has gone is heard of by the next release at the earliest. */
const OLDEST_CODE_MAX_AGE_MS = 30_000;
const CLOSE_MS = 5_000;
/** A database that takes longer is not ready for anybody. */
const PING_MS = 2_000;
const SWEEP_EVERY_MS = 60_000;
const ADOPT_EVERY_MS = 1_000;
/** Credits are given in the minute in which a period begins. */
const CREDITS_SWEEP_MS = 20_000;

export type AppOptions = {
  config: Config;
  log: Logger;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  mongodbUri: string;
  /** Where the database of `mongodbUri` is this process's own. */
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

/** Connects to the database and the providers. Throws when the database does not answer. */
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
  // One listener a worker and a deliverer, and one for each waiting stream's watcher.
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
    credentials: createContentCredentials(config, { log }),
    plans: createRecent(() => loadPlans({ mongo }), DEFINITIONS_MAX_AGE_MS),
    tiers: createRecent(() => loadTiers({ mongo }), DEFINITIONS_MAX_AGE_MS),
    models: createRecent(() => loadModels({ mongo }), DEFINITIONS_MAX_AGE_MS),
    queuePause: createRecent(() => loadQueuePause({ mongo }), QUEUE_PAUSE_MAX_AGE_MS),
    oldestCode: createRecent(() => findOldestCode(mongo.db), OLDEST_CODE_MAX_AGE_MS),
    intake: { worker: undefined },
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
    clockCheck: { name: "clock", check: async () => judgeSkew(clock.skewMs()) },
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

export type Core = Role & { address: string; leave(): void };

/** The gRPC server on an App. */
export async function startCore(app: JobsApp): Promise<Core> {
  const watching = createWatching(app);
  const workflows = createWorkflowWatching(app, watching);
  const catalog = createCatalog(app);
  const accept = createAcceptQueue(app);
  const cancel = createCancelQueue(app);
  const testEvents = createTestEvents(app);
  const uploads = createUploadIntake(app);
  await catalog.live.start();
  observeCore(app, catalog.live);
  observeWorkflows(app);
  const server = await startServer(app, {
    host: app.config.grpcHost,
    port: app.config.grpcPort,
    tls: loadServerTls(app.config),
    services: {
      Accounts: {
        ...accountsHandlers(app),
        ...meHandlers(app),
        ...callbackSecretHandlers(app),
        ...privacyHandlers(app),
        ...confirmationHandlers(app),
      },
      Admin: adminHandlers(app, { accept, cancel, uploads }),
      Callbacks: callbacksHandlers(app, testEvents),
      Catalog: catalogHandlers(catalog),
      CatalogAdmin: catalogAdminHandlers(app),
      Credits: creditsHandlers(app),
      Jobs: jobsHandlers(
        app,
        { accept, cancel, takeWebhook: (...message) => takeWebhook(app, ...message) },
        { watching, uploads },
      ),
      Library: libraryHandlers(app),
      Memberships: membershipsHandlers(app),
      Models: modelsHandlers(app),
      Orders: ordersHandlers(app),
      Sessions: sessionsHandlers(app),
      Subscriptions: subscriptionsHandlers(app),
      Tickets: ticketsHandlers(app),
      Uploads: uploadsHandlers(app, uploads),
      Workflows: workflowsHandlers(app, { watching: workflows, uploads }),
    },
    verifyToken: await createTokenVerifier(loadTrustedKeys(app.config)),
    revokedNames: createRevokedNames(app),
  });
  return {
    address: server.address,
    leave: server.leave,
    ready: async () => catalog.live.isBuilt() && (await databaseAnswers(app)),
    close: async () => {
      await Promise.all([watching.watcher.stop(), workflows.watcher.stop(), catalog.live.stop()]);
      await server.close(CLOSE_MS);
      await uploads.close();
      await testEvents.close();
    },
  };
}

/** The worker on an App: runs jobs, delivers callbacks, sends mail, removes what is over. */
export function startWorker(app: JobsApp): Role {
  const worker = startJobWorker(app, {
    concurrency: app.config.workerConcurrency,
    leaseMs: app.config.leaseMs,
  });
  const deliverer = createDeliverer(app, {
    loadJob: async (accountId, jobId) => toJob(app, await findOwnJob(app, accountId, jobId)),
    loadWorkflow: async (accountId, workflowId) =>
      toWorkflow(app, await findOwnWorkflow(app, { accountId, workflowId })),
  });
  const onDeliverable = () => deliverer.wake();
  app.signals.on("deliverable", onDeliverable);
  deliverer.start();
  const advancer = createAdvancer(app);
  advancer.start();
  const sweeps = createService({ log: app.log, isOutage: isPassing });
  sweeps.every(SWEEP_EVERY_MS, "remove expired outputs", () => removeExpiredOutputs(app));
  sweeps.every(SWEEP_EVERY_MS, "erase deleted accounts", () => eraseDeletedAccounts(app));
  sweeps.every(CREDITS_SWEEP_MS, "give and end monthly credits", (signal) => sweepCredits(app, signal));
  sweeps.every(SWEEP_EVERY_MS, "drop member keys that nobody looked at", () => dropUnseenKeys(app));
  sweeps.every(SWEEP_EVERY_MS, "archive what ended long ago", (signal) => archiveOld(app, signal));
  sweeps.every(ADOPT_EVERY_MS, "take over work of the release before", async () => {
    if ((await app.oldestCode()) < work.version) await adoptWork(app.mongo.db, app.clock.now());
  });
  const shop = addShopLoops(sweeps, app);
  sweeps.start();
  return {
    ready: () => databaseAnswers(app),
    close: async () => {
      const swept = sweeps.stop();
      await worker.stop(app.config.drainMs);
      await advancer.stop();
      app.signals.off("deliverable", onDeliverable);
      await deliverer.stop();
      await swept;
      shop.close();
    },
  };
}

async function databaseAnswers(app: App): Promise<boolean> {
  try {
    await withinMs(PING_MS, app.mongo.db.command({ ping: 1 }));
    return true;
  } catch {
    return false;
  }
}
