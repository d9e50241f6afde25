// The whole service in one process, or some of its roles. While the database starts, on another processor, the code of the roles is loaded
// and the edges are prepared.
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import type { HttpRole } from "../../edge/role.ts";
import type { Config } from "../../runtime/config/config.ts";
import { LOG_FILE } from "../../runtime/log/terminal-log.ts";
import { findMongod } from "../../runtime/mongod/find.ts";
import { startMongod } from "../../runtime/mongod/mongod.ts";
import { watchSpace } from "../../runtime/ops/disk-space.ts";
import { releaseMemory } from "../../runtime/ops/memory.ts";
import { lockDataFolder } from "../../runtime/process/data-lock.ts";
import { assertPortFree, freePort } from "../../runtime/process/free-port.ts";
import { closeDataFolder } from "../../runtime/process/private-folder.ts";
import { type ProcessFrame, requireSetting } from "../../runtime/process/run.ts";
import type { Data, Database } from "./data.ts";

/** Without a checkpoint a first start that is killed soon makes the next one build all indexes again. */
type Embedded = Database & { readonly checkpoint?: () => Promise<void> };

/** How long the parts may take to close once the database is permanently lost. */
const LOST_CLOSE_MS = 3_000;
/** From the end of the start until its cleanup. */
const SETTLED_MS = 2_000;

/** The parts for runProcess. */
export async function startService(frame: ProcessFrame): Promise<void> {
  const reached = noteProgress(frame.metrics);
  const config = await withPorts(frame.config);
  const roles = new Set(config.roles);
  const hasEdges = roles.has("gateway") || roles.has("mcp");
  const holdsData = roles.has("core") || roles.has("worker");

  if (holdsData && config.profile === "production")
    requireSetting(config, "mongodbUri", "what is embedded is for development");
  const embeds = holdsData && config.mongodbUri === undefined;
  if (embeds) closeDataFolder(config.dataDir);
  const lock = embeds ? lockDataFolder(config.dataDir) : undefined;
  if (lock) frame.shutdown.add("data folder", lock.release);
  // Only the ports on which this process listens: a core next to it has the gRPC port.
  if (hasEdges) await assertPortFree(config.httpPort, config.host, "HTTP", "ATELIER_HTTP_PORT");
  if (roles.has("core")) await assertPortFree(config.grpcPort, config.grpcHost, "gRPC", "ATELIER_GRPC_PORT");
  const opsPort = await frame.startOps();

  const parts = { ...frame, config };
  const hasCore = roles.has("core");
  const launched = Promise.withResolvers<void>();
  const database = embeds
    ? embedDatabase(parts, launched.resolve).then(reached("database"))
    : Promise.resolve<Embedded>({ mongodbUri: config.mongodbUri ?? "" });
  // Loading code blocks this process, so mongod's part comes first.
  if (embeds) await Promise.race([launched.promise, database]);
  const startingData = holdsData
    ? Promise.all([import("./data.ts").then(reached("code of core and worker")), database])
        .then(([{ startData }, found]) => startData(parts, found))
        .then(reached("core and worker"))
    : Promise.resolve(undefined);
  // startingData reports a failed start.
  const innerCore = startingData.then(
    (data) => data?.core?.openCalls,
    () => undefined,
  );
  const startingEdges = hasEdges
    ? import("./edges.ts")
        .then(({ startEdges }) => startEdges(parts, { hasCore, innerCore, mayListen: startingData }))
        .then(reached("gateway and mcp"))
    : undefined;
  const [data, http] = await Promise.all([startingData, startingEdges]);
  // One name, as in a process with one role, which an edge's probe can exclude.
  const ready = [data?.core, http].filter((role) => role !== undefined);
  if (ready.length > 0)
    frame.checks.push({
      name: "core",
      check: async () => (await Promise.all(ready.map((role) => role.ready()))).every(Boolean),
    });
  const { checkpoint } = await database;
  setTimeout(() => {
    tidyUp();
    checkpoint?.().catch((err: unknown) =>
      frame.log.info({ err }, "no checkpoint was written after the start"),
    );
  }, SETTLED_MS).unref();
  lock?.announce(http?.baseUrl ?? `gRPC ${data?.core?.address}`);
  greet({ config, http, data, opsPort, seconds: performance.now() / 1000 });
}

/** Both block the process for some tens of milliseconds, and clients that waited for a restart call immediately. */
function tidyUp(): void {
  // Node writes the cache when it exits, which a killed process does not reach. Before the memory is freed, so that compiled code is not
  // kept longer.
  flushCompileCache();
  releaseMemory();
}

/** Returns a function that records the end of a part of the start, and passes its result on. */
function noteProgress({ gauges }: ProcessFrame["metrics"]): (what: string) => <T>(made: T) => T {
  const seconds = new Map<string, number>();
  gauges(
    "start_seconds",
    "From the start of the process until this part of it was ready.",
    ["part"],
    async () => [...seconds].map(([part, value]) => ({ labels: { part }, value })),
  );
  return (part) => (made) => {
    seconds.set(part, performance.now() / 1000);
    return made;
  };
}

/** Chooses ports that were left to the system: the public URLs contain one, and the edges need core's before it listens. */
async function withPorts(config: Config): Promise<Config> {
  const { httpPort, host, grpcPort, grpcHost } = config;
  return {
    ...config,
    httpPort: httpPort === 0 ? await freePort(host) : httpPort,
    grpcPort: grpcPort === 0 ? await freePort(grpcHost) : grpcPort,
  };
}

async function embedDatabase(
  { config, log, shutdown, checks }: Pick<ProcessFrame, "config" | "log" | "shutdown" | "checks">,
  onLaunched: () => void,
): Promise<Embedded> {
  const dbPath = join(config.dataDir, "mongo");
  const mongod = await startMongod({
    binary: await findMongod({ path: config.mongodPath, say: console.log }),
    dbPath,
    logPath: join(config.dataDir, "mongod.log"),
    port: config.mongoPort,
    accessDir: config.dataDir,
    log,
    onLaunched,
    onLost: (error) => {
      log.fatal(error.message);
      // Work in flight cannot be stored any more.
      shutdown.begin(error, LOST_CLOSE_MS);
    },
  });
  shutdown.add("mongod", mongod.stop);
  const room = watchSpace({ folder: dbPath, minFreeMb: config.minFreeMb, log });
  shutdown.add("watch of the disk", async () => room.stop());
  checks.push(
    { name: "room on the disk", check: async () => mongod.hasSpace() },
    { name: "room for new jobs", check: async () => room.shortage() ?? true, isMinor: true },
  );
  return {
    mongodbUri: mongod.uri,
    checkpoint: mongod.checkpoint,
    ownDatabase: {
      isStopped: () => !mongod.isRunning(),
      isShortOfSpace: () => room.shortage() !== undefined,
    },
  };
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
  if (data?.demo) lines.push(`  keys        ${data.demo.keysPath}`);
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
