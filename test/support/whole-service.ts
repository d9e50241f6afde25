// The whole service in this process: core, worker, and both edges on one HTTP port, all on free ports, with its own database and data
// folder, built from the same parts as `npm start`.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { Provider } from "../../core/adapters/providers/provider.ts";
import { migrate } from "../../core/entry/migrate.ts";
import { openApp, type Role, startCore, startWorker } from "../../core/entry/start.ts";
import type { JobsApp } from "../../core/studio/jobs/local-dispatch.ts";
import { type Routes, startHttp } from "../../edge/role.ts";
import { gatewayRoutes } from "../../gateway/app.ts";
import { mcpRoutes } from "../../mcp/app.ts";
import { type CoreClient, createCoreClient } from "../../proto/client.ts";
import { type Config, loadConfig } from "../../runtime/config/config.ts";
import { CLAIMS } from "../../runtime/config/service-names.ts";
import { loadServiceKey, signServiceToken } from "../../runtime/keys/service-token.ts";
import { createLog } from "../../runtime/log/log.ts";
import type { Tracing } from "../../runtime/log/tracing.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { addTestModels } from "./app.ts";
import { auditFindings } from "./audit.ts";
import { createHttpCalls, type HttpCalls } from "./http-calls.ts";
import { createInstantProvider } from "./providers.ts";
import { takeReadyDatabase } from "./ready-databases.ts";

export type WholeService = HttpCalls & {
  readonly app: JobsApp;
  readonly config: Config;
  /** The environment of other processes with the same database and core. */
  readonly mongodbUri: string;
  readonly coreAddress: string;
  /** A client of core with a service token of every scope, with an operator and a reason, as support's tools have. */
  readonly core: CoreClient;
  /** Log lines at error level: bugs that were answered as `internal`. */
  readonly errors: string[];
  /** All log lines. */
  readonly lines: string[];
  /** Starts a worker in this process. It ends with the service. */
  startWorker(): void;
  /** Another HTTP port with its own settings, in front of the same core unless they say otherwise. */
  openEdge(env: Record<string, string>): Promise<HttpCalls>;
  /** The findings of an audit of all accounts. */
  audit(): Promise<string[]>;
  /** Moves the time of core and worker forward, from now on. */
  travel(ms: number): void;
  close(): Promise<void>;
};

export type WholeServiceOptions = {
  /** The provider of createTestApp's models. Answers immediately unless given. */
  provider?: Provider;
  /** More providers, for models that a test adds. */
  providers?: readonly Provider[];
  env?: Record<string, string>;
  /** Default: the run's mongod. */
  mongodbUri?: string;
  /** False starts no worker: jobs wait until startWorker(). */
  worker?: boolean;
  /** False starts no core here: `env` names another one. */
  core?: boolean;
  /** Without it there are no traces. */
  tracing?: Tracing;
  /** In addition to the service's routes. */
  routes?: readonly Routes[];
};

/** pino's log level. */
const ERROR_LEVEL = 50;

/** The models of createTestApp: picture, clip and tune. Rate limits are off unless `env` says otherwise. */
export async function startWholeService(options: WholeServiceOptions = {}): Promise<WholeService> {
  const {
    provider = createInstantProvider(),
    providers = [],
    worker = true,
    core: withCore = true,
    routes = [],
    tracing,
  } = options;
  const mongodbUri = options.mongodbUri ?? inject("mongodUri");
  // By default on the run's mongod, in a separate database.
  const isPlain = options.mongodbUri === undefined && !options.env?.["ATELIER_MONGO_DATABASE"];
  const ready = isPlain ? await takeReadyDatabase() : undefined;
  const dataDir = mkdtempSync(join(tmpdir(), "atelier-test-service-"));
  const env = {
    ATELIER_RATE_LIMITS: "off",
    // Most test providers return bytes that are no file of the declared kind.
    ATELIER_CONTENT_CREDENTIALS: "off",
    ATELIER_DATA_DIR: dataDir,
    ATELIER_MONGO_DATABASE: ready?.name ?? `test_${randomBytes(6).toString("hex")}`,
    ATELIER_GRPC_PORT: "0",
    ATELIER_HTTP_PORT: String(await freePort()),
    ATELIER_DRAIN_MS: "100",
    ...options.env,
  };
  const config = loadConfig(env);
  const errors: string[] = [];
  const lines: string[] = [];
  const write = (line: string) => {
    lines.push(line);
    if ((JSON.parse(line) as { level: number }).level >= ERROR_LEVEL) errors.push(line);
  };
  const log = createLog("info", "test", { write }, tracing);
  const all = new Map([provider, ...providers].map((one) => [one.name, one]));
  const { app, close: closeApp } = await openApp({
    config,
    log,
    metrics: createMetrics(tracing),
    tracing,
    mongodbUri,
    providers: all,
  });
  const { clock } = app;
  const unmoved = clock.now.bind(clock);
  let aheadMs = 0;
  clock.now = () => new Date(unmoved().getTime() + aheadMs);
  await (ready?.prepare(app) ?? migrate(app));
  await addTestModels(app);

  const core = withCore ? await startCore(app) : undefined;
  const coreAddress = core?.address ?? config.coreAddress ?? "";
  const pem = loadServiceKey(config, "cli");
  const client = createCoreClient({
    address: coreAddress,
    serviceToken: () => signServiceToken(pem, "test", CLAIMS, 60),
    operatorContext: { operator: "Grace", reason: "ticket 7" },
  });
  const faces: Role[] = [];
  const openEdge = async (more: Record<string, string>): Promise<HttpCalls> => {
    const own = loadConfig({ ...env, ATELIER_HTTP_PORT: String(await freePort()), ...more });
    const face = await startHttp("gateway", [gatewayRoutes, mcpRoutes, ...routes], {
      config: own,
      log,
      metrics: createMetrics(tracing),
      tracing,
      coreAddress: own.coreAddress ?? coreAddress,
    });
    faces.push(face);
    return createHttpCalls(`http://127.0.0.1:${own.httpPort}`);
  };
  const calls = await openEdge({ ATELIER_HTTP_PORT: env.ATELIER_HTTP_PORT });
  const workers: Role[] = [];
  const startOne = () => void workers.push(startWorker(app));
  if (worker) startOne();

  return {
    ...calls,
    app,
    config,
    mongodbUri,
    coreAddress,
    core: client,
    errors,
    lines,
    startWorker: startOne,
    openEdge,
    audit: () => auditFindings(app),
    travel: (ms) => {
      aheadMs += ms;
    },
    close: async () => {
      await Promise.all(faces.map((face) => face.close()));
      await Promise.all(workers.map((one) => one.close()));
      client.close();
      await core?.close();
      if (!ready) await app.mongo.db.dropDatabase();
      await closeApp();
      await ready?.giveBack();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
