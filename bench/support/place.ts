// A service as operators run it, of this checkout or another, with a separate database: in one process as `npm start`, or each role in its
// own process. No worker, so that drawing is not measured.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JobsApp } from "../../core/studio/jobs/local-dispatch.ts";
import type * as Seed from "../../core/studio/models/seed.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { ROOT } from "../../scripts/testbed/compose.ts";
import { createProcesses, type Processes, type ServiceProcess } from "../../scripts/testbed/processes.ts";
import type * as Lives from "./whole-lives.ts";
import type * as World from "./world.ts";
import { BENCH_SECRET, startBenchMongod } from "./world.ts";

const DATABASE = "bench";
const READY_BOUND_MS = 5 * 60_000;

export type Env = Record<string, string>;
export type Place = {
  /** Prepared with the checkout's own code. */
  readonly app: JobsApp;
  readonly port: number;
  readonly mcpPort: number;
  /** The settings of its processes. */
  readonly env: Env;
  createCustomer(maxCredits?: number): Promise<World.Customer>;
  /** Its processes: one, or gateway, mcp and core. */
  readonly pids: readonly number[];
  audit(): Promise<string>;
  close(): Promise<void>;
};

/** `all` is `npm start`. */
const ENTRIES = {
  all: "scripts/start.ts",
  core: "core/entry/main.ts",
  gateway: "gateway/main.ts",
  mcp: "mcp/main.ts",
};

/** Resolves when the role is ready. `checkout` is another one with its dependencies. */
export async function startRole(
  processes: Processes,
  role: keyof typeof ENTRIES,
  env: Env,
  checkout = ROOT,
): Promise<ServiceProcess> {
  const ops = String(await freePort());
  const settings = { ...env, ATELIER_OPS_PORT: ops, ATELIER_LOG_LEVEL: "error" };
  const running = processes.startEntry(ENTRIES[role], settings, { checkout });
  const isReady = async () => (await fetch(`http://127.0.0.1:${ops}/readyz`)).ok;
  await running.until(`${role} to be ready`, isReady, READY_BOUND_MS);
  return running;
}

/** Settings of roles in any number of processes, next to each other. */
export async function settingsOf(dataDir: string): Promise<{ port: number; env: Env }> {
  const [port, grpcPort] = [await freePort(), await freePort()];
  const env = {
    ATELIER_DATA_DIR: dataDir,
    ATELIER_SECRET: BENCH_SECRET,
    ATELIER_GRPC_PORT: String(grpcPort),
    ATELIER_HTTP_PORT: String(port),
    ATELIER_CORE_ADDRESS: `127.0.0.1:${grpcPort}`,
  };
  return { port, env };
}

export async function openPlace(isApart: boolean, ownEnv: Env = {}, checkout = ROOT): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-bench-place-"));
  const mongod = isApart ? await startBenchMongod() : undefined;
  const processes = createProcesses();
  const settings = await settingsOf(folder);
  const database = { ATELIER_MONGO_DATABASE: DATABASE, ...(mongod && { MONGODB_URI: mongod.uri }) };
  const env = { ...settings.env, ...database, ...ownEnv };
  const { port } = settings;
  const mcpPort = isApart ? await freePort() : port;
  const start = (role: keyof typeof ENTRIES, more: Env = {}) =>
    startRole(processes, role, { ...env, ...more }, checkout);
  const first = await start(isApart ? "core" : "all", { ATELIER_ROLES: "core,gateway,mcp" });
  const edges = isApart
    ? [await start("gateway"), await start("mcp", { ATELIER_HTTP_PORT: String(mcpPort) })]
    : [];
  const roles = [...edges, first];

  const load = async <T>(file: string): Promise<T> => import(pathToFileURL(join(checkout, file)).href);
  const world = await load<typeof World>("bench/support/world.ts");
  const lives = await load<typeof Lives>("bench/support/whole-lives.ts");
  const { seedModels } = await load<typeof Seed>("core/studio/models/seed.ts");
  const uri = mongod?.uri ?? readFileSync(join(folder, "mongo.uri"), "utf8").trim();
  const { app, close } = await world.openBenchApp(uri, DATABASE);
  await world.prepare(app);
  await seedModels(app);
  return {
    app,
    port,
    mcpPort,
    env,
    createCustomer: (maxCredits) => world.createCustomer(app, maxCredits),
    pids: roles.map(({ pid }) => pid),
    audit: () => lives.auditInWords(app),
    close: async () => {
      await close();
      for (const role of roles) await role.stop();
      await processes.end();
      await mongod?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
