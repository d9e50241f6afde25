// The whole service with its embedded database is killed (-9) under ten callers and restarted: the time to the first accepted job, and its
// parts. With RESTART_AGAINST=FOLDER, in turn with another checkout that has its dependencies.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CACHE_DIR } from "../runtime/mongod/binary-cache.ts";
import { findMongod } from "../runtime/mongod/find.ts";
import { freePort } from "../runtime/process/free-port.ts";
import { ROOT } from "../scripts/testbed/compose.ts";
import { type Load, startLoad } from "../scripts/testbed/load.ts";
import { createProcesses, type Processes, type SuiteProcess } from "../scripts/testbed/processes.ts";
import { acceptTimes } from "../scripts/testbed/rates.ts";
import { processesWith } from "../test/support/service.ts";
import { waitFor } from "../test/support/wait-for.ts";

const ROUNDS = 5;
const CALLERS = 10;
const LOADED_MS = 5_000;
const BOUND_MS = 120_000;

type Env = Record<string, string>;
type Contestant = { checkout: string; env: Env; dataDir: string; seconds: number[] };

export async function run(): Promise<void> {
  // oxlint-disable-next-line node/no-process-env -- the checkout to compare with
  const { RESTART_AGAINST: other } = process.env;
  const mongod = await findMongod({ path: undefined, say: console.log });
  const contestants = await Promise.all(
    [...(other === undefined ? [] : [other]), ROOT].map((checkout) => enter(checkout, mongod)),
  );
  const processes = createProcesses();
  try {
    for (let round = 1; round <= ROUNDS; round++)
      for (const one of round % 2 === 0 ? contestants : contestants.toReversed())
        await restart(processes, one, round);
    for (const { checkout, seconds } of contestants) {
      const sorted = seconds.toSorted((a, b) => a - b).map((s) => s.toFixed(1));
      console.log(`${basename(checkout)}: first accept after ${sorted.join(", ")} s`);
    }
  } finally {
    await processes.end();
    for (const { dataDir } of contestants) rmSync(dataDir, { recursive: true, force: true });
  }
}

async function enter(checkout: string, mongod: string): Promise<Contestant> {
  // On a disk, where fsync is real.
  mkdirSync(CACHE_DIR, { recursive: true });
  const dataDir = mkdtempSync(join(CACHE_DIR, "restart-"));
  const env = {
    ATELIER_MONGOD: mongod,
    ATELIER_DATA_DIR: dataDir,
    ATELIER_HTTP_PORT: String(await freePort()),
    ATELIER_GRPC_PORT: String(await freePort()),
    ATELIER_OPS_PORT: String(await freePort()),
    ATELIER_MONGO_PORT: String(await freePort()),
    ATELIER_RATE_LIMITS: "off",
    ATELIER_LOG_LEVEL: "error",
  };
  return { checkout, env, dataDir, seconds: [] };
}

/** Starts it, loads it, kills it, and measures from its next start to the next accepted job. */
async function restart(
  processes: Processes,
  { checkout, env, dataDir, seconds }: Contestant,
  round: number,
): Promise<void> {
  const start = () => processes.startEntry("scripts/start.ts", { checkout, env });
  const first = start();
  await waitFor("the service", () => isReady(env), BOUND_MS);
  const load = loadOn(env, dataDir);
  await waitFor("jobs", () => acceptTimes(load.calls).length > CALLERS, BOUND_MS);
  await sleep(LOADED_MS);
  await killAll(first, dataDir);
  const beganMs = performance.now();
  const second = start();
  const atMs = await waitFor("a job", () => acceptTimes(load.calls).find((one) => one > beganMs), BOUND_MS);
  seconds.push((atMs - beganMs) / 1_000);
  await waitFor("the service", () => isReady(env), BOUND_MS);
  const parts = (await progress(env)).map(([part, at]) => `${part} ${at.toFixed(2)}`).join(", ");
  console.log(
    `${basename(checkout)}, ${round}: first accept after ${((atMs - beganMs) / 1_000).toFixed(2)} s; ${parts}`,
  );
  await load.stop();
  await killAll(second, dataDir);
}

/** Callers that each send one job after another, and repeat a failure soon, so that the first accept is not missed. */
function loadOn({ ATELIER_HTTP_PORT: port }: Env, dataDir: string): Load {
  const demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as { generation_key: string };
  return startLoad({
    url: `http://127.0.0.1:${port}`,
    customers: [{ accountId: "", email: "", generationKey: demo.generation_key, memberKey: "", cookie: "" }],
    pace: { clients: CALLERS, pauseMs: 100 },
    job: {
      modality: "image",
      model_slug: "atelier-canvas",
      prompt: "a pier",
      params: { width: 64, height: 64 },
    },
    againAfterMs: 20,
  });
}

async function killAll(service: SuiteProcess, dataDir: string): Promise<void> {
  const mine = () => processesWith(join(dataDir, "mongo"));
  const killed = service.signal("SIGKILL");
  for (const pid of mine()) process.kill(pid, "SIGKILL");
  await killed;
  await waitFor("all of it to be gone", () => mine().length === 0);
}

async function isReady(env: Env): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${env["ATELIER_OPS_PORT"]}/readyz`)).ok;
}

/** When each part of the start was ready, in seconds; empty for a release that does not report it. */
async function progress(env: Env): Promise<[part: string, seconds: number][]> {
  const text = await (await fetch(`http://127.0.0.1:${env["ATELIER_OPS_PORT"]}/metrics`)).text();
  return [...text.matchAll(/^atelier_start_seconds\{part="([^"]+)"\} (\S+)$/gm)]
    .map(([, part = "", value]): [string, number] => [part, Number(value)])
    .sort(([, a], [, b]) => a - b);
}
