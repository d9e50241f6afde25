// `npm start`: the whole service in this one process, with an embedded database unless MONGODB_URI names another.
import { join } from "node:path";
import type { App, OwnDatabase } from "../core/app.ts";
import { prepareToSign } from "../core/content-credentials/try-signer.ts";
import { openAppInProcess } from "../core/open-in-process.ts";
import { type Core, startCore, startWorker } from "../core/start.ts";
import { listModels } from "../core/models/list-models.ts";
import { gatewayRoutes } from "../gateway/app.ts";
import { mcpRoutes } from "../mcp/app.ts";
import type { Config } from "../runtime/config.ts";
import { lockDataFolder } from "../runtime/process/data-lock.ts";
import { watchRoom } from "../runtime/ops/disk-room.ts";
import { giveBackMemory, keepHeapSmall } from "../runtime/ops/memory.ts";
import { findMongod } from "../runtime/mongod/find.ts";
import { assertPortFree, freePort } from "../runtime/process/free-port.ts";
import { coreAddressOf, type HttpRole, type Routes, startHttp } from "../runtime/http/role.ts";
import { startMongod } from "../runtime/mongod/mongod.ts";
import { closeDataFolder } from "../runtime/process/private-folder.ts";
import { type ProcessFrame, requireSetting, runProcess } from "../runtime/process/run.ts";
import { createTerminalLog, LOG_FILE } from "../runtime/terminal-log.ts";
import { demoFile, seedDemo, type Seeded } from "./demo/seed.ts";

/** How long the parts get to close once the database is lost for good. */
const LOST_CLOSE_MS = 3_000;

// Everything in one process is for a small machine, where a third less memory counts more than some processor time. The nursery is bounded in
// package.json: V8 hears of that only at its start.
keepHeapSmall();
await runProcess("atelier", start, ({ profile, dataDir }) =>
  profile === "development" ? createTerminalLog(join(dataDir, LOG_FILE), process.stdout) : undefined,
);

async function start(frame: ProcessFrame): Promise<void> {
  const startedAt = performance.now();
  const config = await withPorts(frame.config);
  const roles = new Set(config.roles);
  const holdsData = roles.has("core") || roles.has("worker");

  if (holdsData && config.profile === "production")
    requireSetting(config, "mongodbUri", "what is embedded is for development");
  const embeds = holdsData && config.mongodbUri === undefined;
  if (embeds) closeDataFolder(config.dataDir);
  const lock = embeds ? lockDataFolder(config.dataDir) : undefined;
  if (lock) frame.shutdown.add("data folder", lock.release);
  // Only what this process will listen on: a core beside it has the gRPC port.
  if (roles.has("gateway") || roles.has("mcp"))
    await assertPortFree(config.httpPort, config.host, "HTTP", "ATELIER_HTTP_PORT");
  if (roles.has("core")) await assertPortFree(config.grpcPort, config.grpcHost, "gRPC", "ATELIER_GRPC_PORT");
  const opsPort = await frame.startOps();

  const data = holdsData ? await startData({ ...frame, config }) : undefined;
  const http = await startFaces({ ...frame, config }, data?.core?.address ?? coreAddressOf(config));
  // One name, as in a process with one role: it is what probes of faces leave out.
  const ready = [data?.core, http].filter((role) => role !== undefined);
  if (ready.length > 0)
    frame.checks.push({
      name: "core",
      check: async () => (await Promise.all(ready.map((role) => role.ready()))).every(Boolean),
    });
  giveBackMemory();
  lock?.announce(http?.baseUrl ?? `gRPC ${data?.core?.address}`);
  greet({ config, http, data, opsPort, seconds: (performance.now() - startedAt) / 1000 });
}

/** Ports that were left to the system are chosen here, because the public addresses are made of them. */
async function withPorts(config: Config): Promise<Config> {
  return config.httpPort === 0 ? { ...config, httpPort: await freePort(config.host) } : config;
}

type Demo = Seeded & { imageModel: string };
type Data = { core: Core | undefined; demo: Demo | undefined };

/** The database, and the roles that hold it: core and worker. */
async function startData(frame: ProcessFrame): Promise<Data> {
  const { config, shutdown, checks } = frame;
  const database =
    config.mongodbUri !== undefined ? { mongodbUri: config.mongodbUri } : await embedDatabase(frame);
  const app = await openAppInProcess(frame, database);
  const demo = config.profile === "development" ? await seed(config, app) : undefined;

  const core = config.roles.includes("core") ? await startCore(app) : undefined;
  if (core) {
    shutdown.add("core", core.close);
    shutdown.announce(core.leave);
  }
  if (config.roles.includes("worker")) {
    await prepareToSign(app);
    const worker = startWorker(app);
    shutdown.add("worker", worker.close);
    checks.push({ name: "worker", check: worker.ready });
  }
  return { core, demo };
}

type Embedded = { mongodbUri: string; ownDatabase?: OwnDatabase };

async function embedDatabase({
  config,
  log,
  shutdown,
  checks,
}: Pick<ProcessFrame, "config" | "log" | "shutdown" | "checks">): Promise<Embedded> {
  const dbPath = join(config.dataDir, "mongo");
  const mongod = await startMongod({
    binary: await findMongod({ path: config.mongodPath, say: console.log }),
    dbPath,
    logPath: join(config.dataDir, "mongod.log"),
    port: config.mongoPort,
    accessDir: config.dataDir,
    log,
    onLost: (error) => {
      log.fatal(error.message);
      // Nothing that is under way can be written down any more.
      shutdown.begin(error, LOST_CLOSE_MS);
    },
  });
  shutdown.add("mongod", mongod.stop);
  const room = watchRoom({ folder: dbPath, minFreeMb: config.minFreeMb, log });
  shutdown.add("watch of the disk", async () => room.stop());
  checks.push(
    { name: "room on the disk", check: async () => mongod.hasRoom() },
    { name: "room for new jobs", check: async () => room.shortage() ?? true, isMinor: true },
  );
  return {
    mongodbUri: mongod.uri,
    ownDatabase: {
      isStopped: () => !mongod.isRunning(),
      isShortOfRoom: () => room.shortage() !== undefined,
    },
  };
}

/** Both faces share one port. */
async function startFaces(
  { config, log, metrics, tracing, shutdown, checks }: ProcessFrame,
  coreAddress: string,
): Promise<HttpRole | undefined> {
  const routes: Routes[] = [];
  if (config.roles.includes("gateway")) routes.push(gatewayRoutes);
  if (config.roles.includes("mcp")) routes.push(mcpRoutes);
  if (routes.length === 0) return undefined;
  // The gateway may ask for all that the tool endpoints may.
  const name = config.roles.includes("gateway") ? "gateway" : "mcp";
  const http = await startHttp(name, routes, { config, log, metrics, tracing, coreAddress });
  shutdown.add("http", http.close);
  shutdown.announce(http.leave);
  // Without data here the time is core's to tell.
  if (!config.roles.includes("core") && !config.roles.includes("worker")) checks.push(http.clockCheck);
  return http;
}

async function seed(config: Config, app: App): Promise<Demo> {
  const [seeded, [model]] = [await seedDemo(app, config), await listModels(app, { modality: "image" })];
  return { ...seeded, imageModel: model?._id ?? "" };
}

function greet(facts: {
  config: Config;
  http: HttpRole | undefined;
  data: Data | undefined;
  opsPort: number;
  seconds: number;
}): void {
  const { config, http, data, opsPort, seconds } = facts;
  const lines = [`Atelier is ready after ${seconds.toFixed(1)} s (${config.roles.join(", ")}).`];
  if (http)
    lines.push(
      `  website     ${http.baseUrl}`,
      `  REST        ${http.generationBaseUrl}/api`,
      `  MCP         ${http.generationBaseUrl}/api/mcp`,
      `  members     ${http.baseUrl}/api/member/mcp`,
    );
  if (data?.core) lines.push(`  gRPC        ${data.core.address}`);
  lines.push(`  operations  http://127.0.0.1:${opsPort}`);
  if (data?.demo) lines.push(`  keys        ${demoFile(config.dataDir)}`);
  if (config.profile === "development") lines.push(`  log         ${join(config.dataDir, LOG_FILE)}`);
  if (http && data?.demo) lines.push(`  sign in     ${data.demo.signInUrl}`);
  if (http && data?.demo) {
    const { secrets, imageModel } = data.demo;
    const body = JSON.stringify({
      modality: "image",
      model_slug: imageModel,
      prompt: "a lighthouse at dawn",
    });
    lines.push(
      "",
      "Paste this:",
      `  curl -s ${http.generationBaseUrl}/api/v1/connect/generate -H 'authorization: Bearer ${secrets.generation_key}' ` +
        `-H 'content-type: application/json' -d '${body}'`,
    );
  }
  lines.push("", "Ctrl-C ends it.");
  console.log(lines.join("\n"));
}
