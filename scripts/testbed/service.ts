// `npm start` for a command that needs a service: the running one, or a separate one with its own data and ports, which ends with the
// command, even after kill -9.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { loadConfig } from "../../runtime/config/config.ts";
import type { AtEnd } from "./command.ts";
import { createProcesses, FREE_PORTS, untilReady } from "./processes.ts";

const RESPONSE_BOUND_MS = 3_000;
/** The first start on a machine may have to fetch a mongod. */
const START_BOUND_MS = 300_000;
const STOP_BOUND_MS = 45_000;

/** The file of `npm start` for clients on this machine; `base_url` is the website's. */
const accessSchema = z.object({
  base_url: z.url(),
  generation_base_url: z.url(),
  generation_key: z.string(),
  member_key: z.string(),
  callback_secret: z.string(),
});
export type Access = z.output<typeof accessSchema>;

/** An empty variable counts as not set. */
const OWN_SETTINGS = {
  NODE_ENV: "development",
  ...Object.fromEntries(
    ["ROLES", "BASE_URL", "GENERATION_BASE_URL", "CORE_ADDRESS", "HOST", "GRPC_HOST"].map((name) => [
      `ATELIER_${name}`,
      "",
    ]),
  ),
  ...FREE_PORTS,
  MONGODB_URI: "",
  ATELIER_LOG_LEVEL: "error",
};

export async function findOrStartService(atEnd: AtEnd): Promise<{ access: Access; note: string }> {
  const { dataDir } = loadConfig();
  const running = readAccess(dataDir);
  if (running && (await isServed(running))) return { access: running, note: "it was running already" };
  return { ...(await startOwn(atEnd)), note: "started for this demo, with data of its own" };
}

function readAccess(dataDir: string): Access | undefined {
  const path = join(dataDir, "demo.json");
  return existsSync(path) ? accessSchema.safeParse(JSON.parse(readFileSync(path, "utf8"))).data : undefined;
}

/** Whether this service runs and knows this key; the file may be of a service that has ended. */
async function isServed({ generation_base_url, generation_key }: Access): Promise<boolean> {
  try {
    const response = await fetch(`${generation_base_url}/api/models`, {
      headers: { authorization: `Bearer ${generation_key}` },
      signal: AbortSignal.timeout(RESPONSE_BOUND_MS),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** Starts one on an empty data folder, which is removed at its end. `settings` override. */
export async function startOwn(
  atEnd: AtEnd,
  settings: Record<string, string> = {},
): Promise<{ access: Access; dataDir: string; pid: number }> {
  const dataDir = mkdtempSync(join(tmpdir(), "atelier-own-"));
  const processes = createProcesses();
  // oxlint-disable-next-line node/no-process-env -- passed on unchanged: PATH, proxies, ATELIER_MONGOD
  const env = { ...process.env, ...OWN_SETTINGS, ...settings, ATELIER_DATA_DIR: dataDir };
  const service = processes.startEntry("scripts/start.ts", env, { logPath: join(dataDir, "start.log") });
  atEnd(async () => {
    await Promise.race([service.stop(), sleep(STOP_BOUND_MS, undefined, { ref: false })]);
    await processes.end();
    rmSync(dataDir, { recursive: true, force: true });
  });
  await untilReady(service, START_BOUND_MS);
  const access = readAccess(dataDir);
  if (!access) throw new Error("the service has written no keys");
  return { access, dataDir, pid: service.pid };
}
