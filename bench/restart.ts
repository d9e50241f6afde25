// The whole service with its embedded database is killed (-9) under ten callers and restarted: the time to the first accepted job, and its
// parts. With RESTART_AGAINST=FOLDER, in turn with another checkout that has its dependencies.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { CACHE_DIR } from "../runtime/mongod/binary-cache.ts";
import { findMongod } from "../runtime/mongod/find.ts";
import { freePort } from "../runtime/process/free-port.ts";
import { processesWith, startFlags } from "../test/support/service.ts";
import { waitFor } from "../test/support/wait-for.ts";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const ROUNDS = 5;
const CALLERS = 10;
const LOADED_MS = 5_000;
const BOUND_MS = 120_000;

type Env = Record<string, string | undefined>;
type Contestant = { folder: string; env: Env; dataDir: string; seconds: number[] };

export async function run(): Promise<void> {
  // oxlint-disable-next-line node/no-process-env -- the checkout to compare with
  const { RESTART_AGAINST: other, PATH } = process.env;
  const mongod = await findMongod({ path: undefined, say: console.log });
  const contestants = await Promise.all(
    [...(other === undefined ? [] : [other]), HERE].map((folder) =>
      enter(folder, { PATH, ATELIER_MONGOD: mongod }),
    ),
  );
  try {
    for (let round = 1; round <= ROUNDS; round++)
      for (const one of round % 2 === 0 ? contestants : contestants.toReversed()) await restart(one, round);
    for (const { folder, seconds } of contestants) {
      const sorted = seconds.toSorted((a, b) => a - b).map((s) => s.toFixed(1));
      console.log(`${basename(folder)}: first accept after ${sorted.join(", ")} s`);
    }
  } finally {
    for (const { dataDir } of contestants) rmSync(dataDir, { recursive: true, force: true });
  }
}

async function enter(folder: string, common: Env): Promise<Contestant> {
  // On a disk, where fsync is real.
  mkdirSync(CACHE_DIR, { recursive: true });
  const dataDir = mkdtempSync(join(CACHE_DIR, "restart-"));
  const env = {
    ...common,
    ATELIER_DATA_DIR: dataDir,
    ATELIER_HTTP_PORT: String(await freePort()),
    ATELIER_GRPC_PORT: String(await freePort()),
    ATELIER_OPS_PORT: String(await freePort()),
    ATELIER_MONGO_PORT: String(await freePort()),
    ATELIER_RATE_LIMITS: "off",
    ATELIER_LOG_LEVEL: "error",
  };
  return { folder, env, dataDir, seconds: [] };
}

/** Starts it, loads it, kills it, and measures from its next start to the next accepted job. */
async function restart({ folder, env, dataDir, seconds }: Contestant, round: number): Promise<void> {
  const first = start(folder, env);
  await waitFor("the service", () => isReady(env), BOUND_MS);
  const load = startCallers(env, dataDir, `${round}-${Date.now()}`);
  await waitFor("jobs", () => load.accepted.length > CALLERS, BOUND_MS);
  await sleep(LOADED_MS);
  await killAll(first, dataDir);
  const beganMs = performance.now();
  const second = start(folder, env);
  const atMs = await waitFor("a job", () => load.accepted.find((one) => one > beganMs), BOUND_MS);
  seconds.push((atMs - beganMs) / 1_000);
  await waitFor("the service", () => isReady(env), BOUND_MS);
  const parts = (await progress(env)).map(([part, at]) => `${part} ${at.toFixed(2)}`).join(", ");
  console.log(
    `${basename(folder)}, ${round}: first accept after ${((atMs - beganMs) / 1_000).toFixed(2)} s; ${parts}`,
  );
  load.stop();
  await killAll(second, dataDir);
}

function start(folder: string, env: Env): ChildProcess {
  const node = join(folder, "node_modules/.bin/node");
  return spawn(node, [...startFlags(folder), "scripts/start.ts"], { cwd: folder, env, stdio: "ignore" });
}

async function killAll(service: ChildProcess, dataDir: string): Promise<void> {
  const ended = once(service, "exit");
  service.kill("SIGKILL");
  const mine = () => processesWith(join(dataDir, "mongo"));
  for (const pid of mine()) process.kill(pid, "SIGKILL");
  await ended;
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

/** Each sends one job after another; a failure is repeated under its key. */
function startCallers(env: Env, dataDir: string, name: string): { accepted: number[]; stop(): void } {
  const accepted: number[] = [];
  const stopped = new AbortController();
  const demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as { generation_key: string };
  const params = { width: 64, height: 64 };
  const body = JSON.stringify({ modality: "image", model_slug: "atelier-canvas", prompt: "a pier", params });
  const call = async (caller: number): Promise<void> => {
    for (let n = 0; !stopped.signal.aborted;) {
      const status = await fetch(`http://127.0.0.1:${env["ATELIER_HTTP_PORT"]}/api/v1/connect/generate`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${demo.generation_key}`,
          "content-type": "application/json",
          "idempotency-key": `${name}-${caller}-${n}`,
        },
        body,
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(20_000)]),
      }).then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        },
        () => 0,
      );
      if (status === 202) accepted.push(performance.now());
      // A full queue refuses: the next attempt may succeed.
      if (status === 202 || status === 429) n++;
      await sleep(status === 202 ? 100 : 20);
    }
  };
  for (let caller = 0; caller < CALLERS; caller++) call(caller).catch(() => {});
  return { accepted, stop: () => stopped.abort() };
}
