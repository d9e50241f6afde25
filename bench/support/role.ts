// A role of the service as operators run it: its own entry in a separate process. Its usage is read from its operations port.
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../runtime/process/free-port.ts";
import { ROOT } from "../../scripts/testbed/compose.ts";
import { createProcesses } from "../../scripts/testbed/processes.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { profiling } from "./child.ts";
import { BENCH_SECRET } from "./world.ts";

const READY_BOUND_MS = 5 * 60_000;
const LOOK_MS = 100;

export type RoleUse = { megabytes: number; cpuSeconds: number };

export type Role = {
  /** Resident memory, and processor time since the start. */
  use(): Promise<RoleUse>;
  stop(): Promise<void>;
};

/** The roles' URLs, in any number of processes: the gateway listens on `port`, a separate mcp process on `mcpPort`. */
export async function settingsOf(
  database: { uri: string; name: string } | undefined,
  dataDir: string,
): Promise<{ port: number; mcpPort: number; env: Record<string, string> }> {
  const [port, mcpPort, grpcPort] = [await freePort(), await freePort(), await freePort()];
  const env = {
    ...(database && { MONGODB_URI: database.uri, ATELIER_MONGO_DATABASE: database.name }),
    ATELIER_DATA_DIR: dataDir,
    ATELIER_SECRET: BENCH_SECRET,
    ATELIER_GRPC_PORT: String(grpcPort),
    ATELIER_HTTP_PORT: String(port),
    ATELIER_CORE_ADDRESS: `127.0.0.1:${grpcPort}`,
  };
  return { port, mcpPort, env };
}

/** `all` is `npm start`. */
const ENTRIES = {
  all: "scripts/start.ts",
  core: "core/entry/main.ts",
  gateway: "gateway/main.ts",
  mcp: "mcp/main.ts",
};

/** Resolves when the role is ready, with the highest memory until then. `checkout` is another one with its dependencies. */
export async function startRole(
  role: keyof typeof ENTRIES,
  env: Record<string, string>,
  checkout = ROOT,
): Promise<{ role: Role; peakMegabytes: number }> {
  const opsPort = await freePort();
  const processes = createProcesses();
  const running = processes.startEntry(ENTRIES[role], {
    checkout,
    env: { ...profiling(), ...env, ATELIER_OPS_PORT: String(opsPort), ATELIER_LOG_LEVEL: "error" },
  });
  const ask = async (path: string) => {
    if (!running.isRunning()) throw new Error(`${role} ended without being stopped: ${running.output()}`);
    return fetch(`http://127.0.0.1:${opsPort}${path}`);
  };
  const use = async () => readUse(await (await ask("/metrics")).text());
  let peakMegabytes = 0;
  const isReady = async () => {
    // Polled without a pause, writing metrics would take most of the time of a core that builds its index.
    await sleep(LOOK_MS);
    peakMegabytes = Math.max(peakMegabytes, (await use()).megabytes);
    return (await ask("/readyz")).ok;
  };
  await waitFor(`${role} to be ready`, isReady, READY_BOUND_MS);
  return {
    peakMegabytes,
    role: {
      use,
      stop: async () => {
        await running.signal("SIGTERM");
        await running.ended;
        await processes.end();
      },
    },
  };
}

function readUse(metrics: string): RoleUse {
  const valueOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
  return {
    megabytes: valueOf("process_resident_memory_bytes") / 2 ** 20,
    cpuSeconds: valueOf("process_cpu_seconds_total"),
  };
}
