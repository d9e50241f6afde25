// The embedded MongoDB: one mongod on loopback as a replica set of one, whose data persist. It is started again when it
// crashes and stops with this process, however this process ends (see mongod-guard.ts).
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { totalmem } from "node:os";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { assertPortFree, freePort } from "./free-port.ts";
import type { Logger } from "./log.ts";
import { becomePrimary, REPLICA_SET } from "./mongod-replica-set.ts";
import { isAlive } from "./process-alive.ts";
import { StartupError } from "./startup-error.ts";

const GUARD = fileURLToPath(new URL("mongod-guard.ts", import.meta.url));

export type MongodOptions = {
  /** Path of the mongod to run. */
  binary: string;
  dbPath: string;
  logPath: string;
  /** 0 picks a free one. */
  port: number;
  /** WiredTiger's cache. Default: a tenth of the memory, between 0.25 and 1. */
  cacheGb?: number;
  log: Logger;
  /** Called when it crashed and could not be started again. */
  onLost: (error: Error) => void;
};

export type Mongod = {
  readonly uri: string;
  readonly port: number;
  /** Of the mongod that runs now; changes when it is started again after a crash. */
  pid(): number;
  /** Lets it write a checkpoint and end. */
  stop(): Promise<void>;
};

/** Waits before the tries to start a crashed mongod again; after the last one it is given up. */
const RESTART_BACKOFF_MS = [100, 500, 1_000, 2_000, 5_000];
/** A mongod that ran this long before it crashed gets all its tries again. */
const STABLE_AFTER_MS = 60_000;
/** Bounds a start, including the recovery of a large journal. */
const READY_BOUND_MS = 60_000;
const MAX_LOG_BYTES = 16 * 1024 * 1024;
const OPLOG_MB = 2_048;
/**
 * A process that is killed in the middle of a transaction leaves it open, and nobody else can write to its accounts until mongod
 * ends it: by default after a minute. Ours take milliseconds.
 */
const TX_LIFETIME_SECONDS = 5;
/**
 * How long old versions of documents and index entries are kept for reads at an earlier time. By default 5 minutes, over which every
 * search has to step: at thousands of jobs a second that costs more than the jobs. Only the audit reads so, one account at a time.
 */
const SNAPSHOT_HISTORY_SECONDS = 60;
/** mongod's own exit code for a port that is taken. */
const EXIT_PORT_TAKEN = 48;
const EXIT_KILLED = 137;
/** How long an orphaned mongod gets to end after each signal. */
const KILL_AFTER_MS = 10_000;

type Running = { guard: ChildProcess; mongodPid: number; ended: Promise<number>; startedAt: number };

/** Starts mongod and waits until it is primary. Throws StartupError, as one line, for what the operator can put right. */
export async function startMongod(options: MongodOptions): Promise<Mongod> {
  mkdirSync(options.dbPath, { recursive: true });
  mkdirSync(dirname(options.logPath), { recursive: true });
  if (logSize(options.logPath) > MAX_LOG_BYTES) renameSync(options.logPath, `${options.logPath}.1`);
  await assertPortFree(options.port, "127.0.0.1", "embedded MongoDB", "ATELIER_MONGO_PORT");
  const port = options.port === 0 ? await freePort() : options.port;

  let running = await launch(options, port);
  let stopping = false;
  const supervised = supervise();

  async function supervise(): Promise<void> {
    // A start that failed has had its own line: one crash is told of once, however many starts it takes.
    let told = false;
    for (let tries = 0; ; tries++) {
      const exitCode = await running.ended;
      if (stopping) return;
      if (Date.now() - running.startedAt > STABLE_AFTER_MS) tries = 0;
      const waitMs = RESTART_BACKOFF_MS[tries];
      if (waitMs === undefined) {
        options.onLost(
          new StartupError(`mongod ended ${tries} times in a row; its log is ${options.logPath}.`),
        );
        return;
      }
      if (!told) {
        options.log.error(
          { exit_code: exitCode, port },
          `mongod ended unexpectedly; starting it again in ${waitMs} ms`,
        );
      }
      await delay(waitMs);
      if (stopping) return;
      try {
        running = await launch(options, port);
        told = false;
        options.log.info({ port, pid: running.mongodPid }, "mongod is back; no data were lost");
      } catch (error) {
        told = true;
        options.log.error(`mongod did not come back yet: ${(error as Error).message}`);
      }
    }
  }

  return {
    uri: `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}`,
    port,
    pid: () => running.mongodPid,
    stop: async () => {
      stopping = true;
      running.guard.stdin?.end();
      await supervised;
      // A restart may have been under way.
      running.guard.stdin?.end();
      await running.ended;
    },
  };
}

/** One start of mongod, up to primary. */
async function launch(options: MongodOptions, port: number): Promise<Running> {
  const logStart = logSize(options.logPath);
  const guard = spawn(
    process.execPath,
    [GUARD, options.logPath, options.binary, ...mongodArguments(options, port)],
    {
      stdio: ["pipe", "pipe", "ignore"],
      detached: true,
    },
  );
  // Writing to a guard that ended is not an error of ours; its end is seen below.
  guard.stdin.on("error", () => {});
  const mongodPid = readPid(guard.stdout);
  const ended = watchEnd(guard, mongodPid);

  const abort = new AbortController();
  let exitCode: number | undefined;
  void ended.then((code) => {
    exitCode = code;
    abort.abort();
  });
  const timer = setTimeout(() => abort.abort(), READY_BOUND_MS);
  try {
    if (await becomePrimary(port, abort.signal)) {
      return { guard, mongodPid: (await mongodPid) ?? 0, ended, startedAt: Date.now() };
    }
  } catch (error) {
    guard.stdin.end();
    await ended;
    throw error;
  } finally {
    clearTimeout(timer);
  }
  guard.stdin.end();
  const reason = explain(options, port, exitCode, readFileSync(options.logPath, "utf8").slice(logStart));
  await ended;
  throw new StartupError(reason);
}

function mongodArguments(
  { dbPath, logPath, cacheGb = defaultCacheGb() }: MongodOptions,
  port: number,
): string[] {
  return [
    ["--dbpath", dbPath],
    ["--logpath", logPath, "--logappend", "--quiet"],
    ["--port", String(port), "--bind_ip", "127.0.0.1", "--nounixsocket"],
    ["--replSet", REPLICA_SET, "--oplogSize", String(OPLOG_MB)],
    ["--wiredTigerCacheSizeGB", cacheGb.toFixed(2)],
    ["--setParameter", "diagnosticDataCollectionEnabled=false"],
    ["--setParameter", `transactionLifetimeLimitSeconds=${TX_LIFETIME_SECONDS}`],
    ["--setParameter", `minSnapshotHistoryWindowInSeconds=${SNAPSHOT_HISTORY_SECONDS}`],
  ].flat();
}

function defaultCacheGb(): number {
  return Math.min(1, Math.max(0.25, totalmem() / 2 ** 30 / 10));
}

/** The first line that the guard writes; undefined when it ends without one. */
async function readPid(stdout: Readable): Promise<number | undefined> {
  for await (const line of createInterface({ input: stdout })) return Number(line);
  return undefined;
}

/** The exit code, once neither the guard nor mongod runs any more. */
async function watchEnd(guard: ChildProcess, mongodPid: Promise<number | undefined>): Promise<number> {
  const [code] = (await once(guard, "exit")) as [number | null];
  if (code !== null) return code;
  // Somebody killed the guard; mongod lost its supervision and has to make room for one that has it.
  const pid = await mongodPid;
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    for (let waitedMs = 0; pid && isAlive(pid) && waitedMs < KILL_AFTER_MS; waitedMs += 50) {
      if (waitedMs === 0) process.kill(pid, signal);
      await delay(50);
    }
  }
  return EXIT_KILLED;
}

/** Why it did not come up, in one line. */
function explain(
  { dbPath, logPath, binary }: MongodOptions,
  port: number,
  code: number | undefined,
  log: string,
): string {
  if (code === undefined)
    return `mongod did not get ready within ${READY_BOUND_MS / 1000} s; its log is ${logPath}.`;
  if (code === EXIT_PORT_TAKEN) {
    return `Port ${port} (embedded MongoDB) is taken by another process. Stop it, or set ATELIER_MONGO_PORT to another port.`;
  }
  if (log.includes("DBPathInUse")) {
    return `The data folder ${dbPath} is in use by another mongod. Stop that one, or set ATELIER_DATA_DIR to another folder.`;
  }
  if (/UPGRADE PROBLEM|Wrong mongod version/.test(log)) {
    return `The data in ${dbPath} were written by another version of MongoDB than ${binary}. Set ATELIER_MONGOD to that version's mongod, or ATELIER_DATA_DIR to another folder.`;
  }
  return `mongod ended with code ${code} while starting; its log is ${logPath}.`;
}

function logSize(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}
