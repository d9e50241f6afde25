// What frequent heartbeats of a replica set cost, and whether a short election timeout elects without need: processor time of three mongods, idle
// and under majority writes, by interval; elections while both the writes and busy loops on all processors go on, by timeout. Each measurement
// takes HEARTBEAT_MINUTES, by default one.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { SET_SETTINGS } from "../core/operations/checkup/fail-over-rules.ts";
import { CACHE_DIR } from "../runtime/mongod/binary-cache.ts";
import { findMongod } from "../runtime/mongod/find.ts";
import { createProcesses } from "../test/faults/suite/processes.ts";
import { type ReplicaSet, startReplicaSet } from "../test/faults/suite/replica-set.ts";
import { printTable } from "./support/stats.ts";

const INTERVALS_MS = [2_000, 500, 100];
const TIMEOUTS_MS = [1_000, 2_000];
const WRITERS = 16;
/** Of /proc/PID/stat, on every Linux. */
const TICKS_PER_SECOND = 100;

export async function run(): Promise<void> {
  // oxlint-disable-next-line node/no-process-env -- how long it may take
  const forMs = Number(process.env["HEARTBEAT_MINUTES"] ?? 1) * 60_000;
  const cost: string[][] = [];
  for (const heartbeatIntervalMillis of INTERVALS_MS)
    await withSet({ ...SET_SETTINGS, heartbeatIntervalMillis }, async (set, client) => {
      const idle = await spent(set, () => sleep(forMs, 0));
      let written = 0;
      const busy = await spent(set, async () => (written = await write(client, forMs)));
      cost.push([
        `every ${heartbeatIntervalMillis} ms`,
        `${((idle / forMs) * 100_000).toFixed(1)} %`,
        `${((busy / forMs) * 100_000).toFixed(0)} %`,
        (written / (forMs / 1_000)).toFixed(0),
        `${((busy / written) * 1_000).toFixed(2)} ms`,
      ]);
    });
  const heads = ["heartbeats", "of a processor, idle", "under writes", "writes a second", "for each write"];
  printTable(heads, cost);
  const elections: string[][] = [];
  for (const electionTimeoutMillis of TIMEOUTS_MS)
    await withSet({ ...SET_SETTINGS, electionTimeoutMillis }, async (_set, client) => {
      const before = await termOf(client);
      const loops = Array.from({ length: availableParallelism() }, startBusyLoop);
      const written = await write(client, forMs).finally(() => loops.forEach((loop) => loop.kill("SIGKILL")));
      elections.push([
        `${electionTimeoutMillis} ms`,
        String((await termOf(client)) - before),
        (written / (forMs / 1_000)).toFixed(0),
      ]);
    });
  console.log(`\nAll processors busy for ${forMs / 60_000} min:`);
  printTable(["election timeout", "elections", "writes a second"], elections);
}

async function withSet(
  settings: Readonly<Record<string, number>>,
  work: (set: ReplicaSet, client: MongoClient) => Promise<void>,
): Promise<void> {
  const processes = createProcesses();
  mkdirSync(CACHE_DIR, { recursive: true });
  const folder = mkdtempSync(join(CACHE_DIR, "heartbeat-"));
  try {
    const binary = await findMongod({ path: undefined, say: console.log });
    const set = await startReplicaSet(processes, { binary, folder, settings });
    const client = await MongoClient.connect(set.uri("heartbeat"), { writeConcern: { w: "majority" } });
    await work(set, client);
    await client.close();
    set.close();
  } finally {
    await processes.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Seconds of processor time that the members took meanwhile. */
async function spent({ members }: ReplicaSet, work: () => Promise<unknown>): Promise<number> {
  const before = members.map(({ process: { pid } }) => secondsOf(pid));
  await work();
  return members.reduce((sum, { process: { pid } }, n) => sum + secondsOf(pid) - (before[n] ?? 0), 0);
}

function secondsOf(pid: number): number {
  const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = rest.split(" ").slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) / TICKS_PER_SECOND;
}

/** Each writer waits for its majority and writes again; answers how many writes there were. */
async function write(client: MongoClient, forMs: number): Promise<number> {
  const untilMs = performance.now() + forMs;
  const written = client.db("heartbeat").collection("written");
  let count = 0;
  const writer = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      // An election is what is looked for, so that a write that it broke off is no failure.
      await written.insertOne({}).then(
        () => count++,
        () => sleep(20),
      );
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  return count;
}

/** Grows by one with each election. */
async function termOf(client: MongoClient): Promise<number> {
  const { term } = await client.db("admin").command({ replSetGetStatus: 1 });
  return Number(term);
}

function startBusyLoop(): ChildProcess {
  return spawn(process.execPath, ["-e", "for (;;);"], {
    stdio: "ignore",
  });
}
