// An App on a separate, migrated database, with plans, a few models and a provider that the test controls.
import { EventEmitter } from "node:events";
import { pino } from "pino";
import type { App } from "../../core/kernel/app.ts";
import { createContentCredentials } from "../../core/kernel/content-credentials/credentials.ts";
import type { JobsApp } from "../../core/studio/jobs/local-dispatch.ts";
import { loadPlans } from "../../core/identity/accounts/list-plans.ts";
import { loadTiers } from "../../core/shop/memberships/load-tiers.ts";
import { loadQueuePause } from "../../core/studio/limits/queue.ts";
import { findOldestCode } from "../../core/base/migrations/store.ts";
import { loadModels } from "../../core/studio/models/load-models.ts";
import { createAccount } from "../../core/identity/accounts/create-account.ts";
import { createKey } from "../../core/identity/accounts/create-key.ts";
import { grantCredits } from "../../core/identity/credits/grant.ts";
import { migrate } from "../../core/entry/migrate.ts";
import { OWNED } from "../../core/entry/slices.ts";
import { addModel } from "../../core/studio/models/add-model.ts";
import { loadSigningKeys } from "../../runtime/keys/signing-keys.ts";
import { createPayments } from "../../core/adapters/payments/registry.ts";
import { publicUrls } from "../../runtime/public-urls.ts";
import type { Provider } from "../../core/adapters/providers/provider.ts";
import type { Caller } from "../../proto/caller.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { type Clock, createNewId, drawSeed, systemClock } from "../../runtime/clock.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { createScriptedProvider } from "./providers.ts";
import { empty, takeReadyDatabase } from "./ready-databases.ts";

export type TestApp = {
  app: JobsApp;
  database: TestDatabase;
  /** Restores the initial state faster than creating another one, for files of many tests without background work. */
  empty(): Promise<void>;
  close(): Promise<void>;
};

export type TestAppOptions = {
  clock?: Clock;
  provider?: Provider;
  env?: Record<string, string>;
  ownDatabase?: App["ownDatabase"];
};

/** Models: `picture` (image, 10 credits, count 1..4), `clip` (video, 2 a second), `tune` (audio, 5), all of the provider `test`. */
export async function createTestApp({
  clock = systemClock,
  provider,
  env = {},
  ownDatabase,
}: TestAppOptions = {}): Promise<TestApp> {
  const ready = await takeReadyDatabase();
  const database = await createTestDatabase(ready.name);
  const test = provider ?? createScriptedProvider();
  const config = loadConfig({
    ATELIER_LOG_LEVEL: "silent",
    ATELIER_CONTENT_CREDENTIALS: "off",
    ...env,
  });
  const secrets = ["a secret that only tests know, long enough"] as const;
  const { baseUrl } = publicUrls(config);
  const log = pino({ level: "silent" });
  const metrics = createMetrics();
  const app: JobsApp = {
    config,
    mongo: database.mongo,
    ownDatabase,
    clock,
    newId: createNewId(clock),
    drawSeed,
    log,
    metrics,
    providers: new Map([["test", test]]),
    objects: undefined,
    signingKeys: loadSigningKeys(config),
    credentials: createContentCredentials(config, { log }),
    plans: () => loadPlans(database),
    tiers: () => loadTiers(database),
    models: () => loadModels(database),
    queuePause: () => loadQueuePause(database),
    oldestCode: () => findOldestCode(database.mongo.db),
    localDispatch: { worker: undefined },
    owned: OWNED,
    noteKeyUse: () => {},
    signals: new EventEmitter(),
    payments: await createPayments(config, { mongo: database.mongo, clock, secrets, baseUrl, log, metrics }),
    secrets,
    baseUrl,
    generationBaseUrl: "http://localhost:8080",
  };
  const fill = async () => {
    await migrate(app);
    await addTestModels(app);
  };
  await fill();
  await ready.noteShape();
  return {
    app,
    database,
    empty: async () => {
      await empty(database.mongo.db);
      await fill();
    },
    close: async () => {
      await app.credentials.close();
      await database.mongo.client.close();
      await ready.giveBack();
    },
  };
}

const countParams = {
  type: "object",
  properties: { count: { type: "integer", minimum: 1, maximum: 4, default: 1 } },
  additionalProperties: false,
};
const secondsParams = {
  type: "object",
  properties: { duration_seconds: { type: "number", minimum: 1, maximum: 60, default: 3 } },
  additionalProperties: false,
};
const noParams = { type: "object", properties: {}, additionalProperties: false };

export async function addTestModels(app: App): Promise<void> {
  const common = {
    description: "For tests.",
    estimated_seconds: 1,
    max_prompt_length: 4000,
    provider: "test",
    provider_model: "test",
    run_timeout_ms: 30_000,
    provider_options: {},
  };
  await addModel(app, {
    ...common,
    model_slug: "picture",
    name: "Picture",
    modality: "image",
    credits: 10,
    per: "image",
    params_schema: countParams,
  });
  await addModel(app, {
    ...common,
    model_slug: "clip",
    name: "Clip",
    modality: "video",
    credits: 2,
    per: "second",
    params_schema: secondsParams,
  });
  await addModel(app, {
    ...common,
    model_slug: "tune",
    name: "Tune",
    modality: "audio",
    credits: 5,
    per: "generation",
    params_schema: noParams,
  });
}

let made = 0;

/** An account of the plan with credits and a write key. */
export async function createCustomer(
  app: App,
  { plan = "pro", credits = 1000 }: { plan?: string; credits?: number } = {},
): Promise<{ accountId: string; key: string; caller: Caller }> {
  made += 1;
  const { _id: accountId } = await createAccount(app, {
    email: `customer-${made}-${app.newId("x").toLowerCase()}@example.com`,
    name: "Customer",
    plan,
  });
  if (credits > 0)
    await grantCredits(app, { accountId, amount: credits, kind: "grant", memo: null, source: "system" });
  if (plan !== "pro" && plan !== "studio")
    return { accountId, key: "", caller: { kind: "account", accountId, source: "app" } };
  const { secret: key } = await createKey(app, accountId, { name: "test", scope: "write", expiresAt: null });
  return { accountId, key, caller: { kind: "key", keySha256: hashApiKey(key), source: "api" } };
}
