// The service that the demo speaks to: the one that runs already, else one of its own that goes when the demo goes.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { loadConfig } from "../../runtime/config/config.ts";

const START = fileURLToPath(new URL("../start.ts", import.meta.url));
const END_WITH_PARENT = new URL("end-with-parent.ts", import.meta.url).href;
const ANSWER_BOUND_MS = 3_000;
/** The first start on a machine may have to fetch a mongod. */
const START_BOUND_MS = 300_000;
const STOP_BOUND_MS = 45_000;

/** What `npm start` leaves in the data folder for clients on this machine. */
const accessSchema = z.object({
  base_url: z.url(),
  generation_base_url: z.url(),
  generation_key: z.string(),
  member_key: z.string(),
  callback_secret: z.string(),
});
/** `base_url` is where the website is. */
export type Access = z.output<typeof accessSchema>;

export type Service = { access: Access; note: string };

/** An empty variable counts as not set; ports of 0 are chosen by the system. */
const OWN_SETTINGS = {
  NODE_ENV: "development",
  MONGODB_URI: "",
  ATELIER_ROLES: "",
  ATELIER_BASE_URL: "",
  ATELIER_GENERATION_BASE_URL: "",
  ATELIER_CORE_ADDRESS: "",
  ATELIER_HOST: "",
  ATELIER_GRPC_HOST: "",
  ATELIER_HTTP_PORT: "0",
  ATELIER_GRPC_PORT: "0",
  ATELIER_OPS_PORT: "0",
  ATELIER_MONGO_PORT: "0",
  ATELIER_LOG_LEVEL: "error",
};

/** `atEnd` is given what must be done in any case, as soon as there is something to undo. */
export async function findOrStartService(atEnd: (undo: () => Promise<void>) => void): Promise<Service> {
  const path = join(loadConfig().dataDir, "demo.json");
  const running = existsSync(path) ? readAccess(path) : undefined;
  if (running && (await answers(running))) return { access: running, note: "it was running already" };
  return startOwn(atEnd);
}

function readAccess(path: string): Access | undefined {
  return accessSchema.safeParse(JSON.parse(readFileSync(path, "utf8"))).data;
}

/** Whether this service is there and knows this key; the file may be of a service that has ended. */
async function answers({ generation_base_url, generation_key }: Access): Promise<boolean> {
  try {
    const response = await fetch(`${generation_base_url}/api/models`, {
      headers: { authorization: `Bearer ${generation_key}` },
      signal: AbortSignal.timeout(ANSWER_BOUND_MS),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** With data and ports of its own; `settings` come on top. */
export async function startOwn(
  atEnd: (undo: () => Promise<void>) => void,
  settings: Record<string, string> = {},
): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), "atelier-demo-"));
  const child = spawn(process.execPath, ["--import", END_WITH_PARENT, START], {
    // oxlint-disable-next-line node/no-process-env -- handed on as it is: PATH, proxies, ATELIER_MONGOD
    env: { ...process.env, ...OWN_SETTINGS, ...settings, ATELIER_DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // A group of its own: Ctrl-C reaches the demo first, which then ends the service and waits for it.
    detached: true,
  });
  atEnd(async () => {
    await end(child);
    rmSync(dataDir, { recursive: true, force: true });
  });
  await becomesReady(child);
  const access = readAccess(join(dataDir, "demo.json"));
  if (!access) throw new Error("the service that was started left no demo.json");
  return { access, note: "started for this demo, with data of its own" };
}

async function becomesReady(child: ChildProcess): Promise<void> {
  const ready = Promise.withResolvers<void>();
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("Atelier is ready")) ready.resolve();
    });
  }
  child.on("exit", () =>
    ready.reject(new Error(`the service did not start: ${output.trim().split("\n").at(-1)}`)),
  );
  const timer = setTimeout(
    () => ready.reject(new Error(`the service was not ready within ${START_BOUND_MS / 1000} s`)),
    START_BOUND_MS,
  );
  await ready.promise.finally(() => clearTimeout(timer));
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_BOUND_MS);
  await exited;
  clearTimeout(timer);
}
