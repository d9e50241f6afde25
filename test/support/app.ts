// An App on a separate, migrated database, with plans, a few models and a provider that the test controls.
import { EventEmitter } from "node:events";
import { pino } from "pino";
import { beforeEach } from "vitest";
import { createPayments } from "../../core/adapters/payments/registry.ts";
import type { Provider } from "../../core/adapters/providers/provider.ts";
import { OWNED } from "../../core/entry/slices.ts";
import { createAccount } from "../../core/identity/accounts/create-account.ts";
import { createKey, type MadeKey } from "../../core/identity/accounts/create-key.ts";
import { loadPlans } from "../../core/identity/accounts/plans.ts";
import type { NewKey } from "../../core/identity/accounts/rules.ts";
import type { App } from "../../core/kernel/app.ts";
import { createContentCredentials } from "../../core/kernel/content-credentials/credentials.ts";
import { loadTiers } from "../../core/shop/memberships/tiers.ts";
import type { JobsApp } from "../../core/studio/jobs/local-dispatch.ts";
import { loadQueuePause } from "../../core/studio/limits/queue.ts";
import { addModel, type AddModelInput } from "../../core/studio/models/add-model.ts";
import { loadModels } from "../../core/studio/models/list-models.ts";
import type { Caller } from "../../proto/caller.ts";
import { type Clock, createNewId, drawSeed, systemClock } from "../../runtime/clock.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { loadSigningKeys } from "../../runtime/keys/signing-keys.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { publicUrls } from "../../runtime/public-urls.ts";
import { createFakeClock, type FakeClock } from "./clock.ts";
import { giveCredits } from "./credits.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { createScriptedProvider } from "./providers.ts";
import { empty, plantSeeds, takeReadyDatabase } from "./ready-databases.ts";
import { sharedByTests } from "./shared.ts";

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
    localDispatch: { worker: undefined },
    owned: OWNED,
    noteKeyUse: () => {},
    signals: new EventEmitter(),
    payments: await createPayments(config, { mongo: database.mongo, clock, secrets, baseUrl, log, metrics }),
    secrets,
    baseUrl,
    generationBaseUrl: "http://localhost:8080",
  };
  await ready.prepare(app);
  await addTestModels(app);
  return {
    app,
    database,
    empty: async () => {
      await empty(database.mongo.db);
      await plantSeeds(app);
      await addTestModels(app);
    },
    close: async () => {
      await app.credentials.close();
      await database.mongo.client.close();
      await ready.giveBack();
    },
  };
}

/** One for all tests of the file or block. */
export function useTestApp(options?: TestAppOptions): TestApp {
  return sharedByTests(() => createTestApp(options));
}

/** One for all tests of the file or block. Before each, its database is empty and its clock is at `begin`. */
export function useEmptyApp(begin: string): { testApp: TestApp; clock: FakeClock } {
  const clock = createFakeClock(begin);
  const testApp = useTestApp({ clock });
  beforeEach(async () => {
    clock.set(begin);
    await testApp.empty();
  });
  return { testApp, clock };
}

/** The app as another process has it: they share only the database. `provider` replaces the provider `test`. */
export function separateApp(
  app: JobsApp,
  { provider, ...change }: Partial<JobsApp> & { provider?: Provider } = {},
): JobsApp {
  return {
    ...app,
    ...(provider && { providers: new Map([["test", provider]]) }),
    signals: new EventEmitter(),
    localDispatch: { worker: undefined },
    ...(change.clock && { newId: createNewId(change.clock) }),
    ...change,
  };
}

export const countParams = {
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

/** A model of the provider `test` for images, at 10 credits a generation and without params, with a test's changes. */
export async function addTestModel(
  app: Parameters<typeof addModel>[0],
  change: Partial<AddModelInput> & { model_slug: string },
): Promise<void> {
  await addModel(app, {
    name: change.model_slug.charAt(0).toUpperCase() + change.model_slug.slice(1),
    modality: "image",
    description: "For tests.",
    credits: 10,
    per: "generation",
    estimated_seconds: 1,
    max_prompt_length: 4000,
    params_schema: noParams,
    provider: "test",
    provider_model: "test",
    run_timeout_ms: 30_000,
    provider_options: {},
    ...change,
  });
}

export async function addTestModels(app: App): Promise<void> {
  await addTestModel(app, { model_slug: "picture", per: "image", params_schema: countParams });
  await addTestModel(app, {
    model_slug: "clip",
    modality: "video",
    credits: 2,
    per: "second",
    params_schema: secondsParams,
  });
  await addTestModel(app, { model_slug: "tune", modality: "audio", credits: 5 });
}

/** A key of the account: with write scope and without limits, except for what is given. */
export function makeKey(app: App, accountId: string, more: Partial<NewKey> = {}): Promise<MadeKey> {
  return createKey(app, accountId, { name: "test", scope: "write", expiresAt: null, ...more });
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
  if (credits > 0) await giveCredits(app, accountId, credits);
  if (plan !== "pro" && plan !== "studio")
    return { accountId, key: "", caller: { kind: "account", accountId, source: "app" } };
  const { secret: key } = await makeKey(app, accountId);
  return { accountId, key, caller: { kind: "key", keySha256: hashApiKey(key), source: "api" } };
}
