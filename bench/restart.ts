// The whole service with its embedded database is killed (-9) under ten callers and restarted: the time to the first accepted job, and its
// parts.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CACHE_DIR } from "../runtime/mongod/binary-cache.ts";
import { findMongod } from "../runtime/mongod/find.ts";
import { freePort } from "../runtime/process/free-port.ts";
import { type Load, startLoad } from "../scripts/testbed/load.ts";
import {
  createProcesses,
  type Processes,
  processesWith,
  type ServiceProcess,
  untilReady,
} from "../scripts/testbed/processes.ts";
import { acceptTimes } from "../scripts/testbed/rates.ts";
import { waitFor } from "../test/support/wait-for.ts";

const ROUNDS = 5;
const CALLERS = 10;
const LOADED_MS = 5_000;
const BOUND_MS = 120_000;

type Env = Record<string, string>;

export async function run(): Promise<void> {
  // On a disk, where fsync is real.
  mkdirSync(CACHE_DIR, { recursive: true });
  const dataDir = mkdtempSync(join(CACHE_DIR, "restart-"));
  const env: Env = {
    ATELIER_MONGOD: await findMongod({ path: undefined, say: console.log }),
    ATELIER_DATA_DIR: dataDir,
    ATELIER_HTTP_PORT: String(await freePort()),
    ATELIER_OPS_PORT: String(await freePort()),
    ATELIER_RATE_LIMITS: "off",
    ATELIER_LOG_LEVEL: "error",
  };
  const processes = createProcesses();
  const seconds: number[] = [];
  try {
    for (let round = 1; round <= ROUNDS; round++) seconds.push(await restart(processes, env, dataDir));
    const sorted = seconds.toSorted((a, b) => a - b).map((s) => s.toFixed(1));
    console.log(`first accept after ${sorted.join(", ")} s`);
  } finally {
    await processes.end();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Starts it, loads it, kills it. Returns the seconds from its next start to the next accepted job. */
async function restart(processes: Processes, env: Env, dataDir: string): Promise<number> {
  const start = () => processes.startEntry("scripts/start.ts", env);
  const first = start();
  await untilReady(first, BOUND_MS);
  const load = loadOn(env, dataDir);
  await waitFor("jobs", () => acceptTimes(load.calls).length > CALLERS, BOUND_MS);
  await sleep(LOADED_MS);
  await killAll(first, dataDir);
  const beganMs = performance.now();
  const second = start();
  const atMs = await waitFor("a job", () => acceptTimes(load.calls).find((one) => one > beganMs), BOUND_MS);
  const seconds = (atMs - beganMs) / 1_000;
  await untilReady(second, BOUND_MS);
  const parts = (await progress(env)).map(([part, at]) => `${part} ${at.toFixed(2)}`).join(", ");
  console.log(`first accept after ${seconds.toFixed(2)} s; ${parts}`);
  await load.stop();
  await killAll(second, dataDir);
  return seconds;
}

/** Callers that each send one job after another, and repeat a failure soon, so that the first accept is not missed. */
function loadOn({ ATELIER_HTTP_PORT: port }: Env, dataDir: string): Load {
  const demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as { generation_key: string };
  return startLoad({
    url: `http://127.0.0.1:${port}`,
    customers: [{ accountId: "", email: "", generationKey: demo.generation_key, memberKey: "", cookie: "" }],
    pace: { clients: CALLERS, pauseMs: 100 },
    againAfterMs: 20,
  });
}

async function killAll(service: ServiceProcess, dataDir: string): Promise<void> {
  const mine = () => processesWith(join(dataDir, "mongo"));
  const killed = service.signal("SIGKILL");
  for (const pid of mine()) process.kill(pid, "SIGKILL");
  await killed;
  await waitFor("all of it to be gone", () => mine().length === 0);
}

/** When each part of the start was ready, in seconds. */
async function progress(env: Env): Promise<[part: string, seconds: number][]> {
  const text = await (await fetch(`http://127.0.0.1:${env["ATELIER_OPS_PORT"]}/metrics`)).text();
  return [...text.matchAll(/^atelier_start_seconds\{part="([^"]+)"\} (\S+)$/gm)]
    .map(([, part = "", value]): [string, number] => [part, Number(value)])
    .sort(([, a], [, b]) => a - b);
}
