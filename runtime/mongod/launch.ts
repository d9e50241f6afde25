// Starts mongod once, with its guard and options, and waits until it is primary, or says in one line why it did not start.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { totalmem } from "node:os";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { endedForWantOfSpace, freeMb, MONGOD_NEEDS_MB } from "../ops/disk-space.ts";
import { isAlive } from "../process/alive.ts";
import { StartupError } from "../process/startup-error.ts";
import type { MongodAccess } from "./access.ts";
import { REPLICA_SET } from "./access.ts";

const GUARD = fileURLToPath(new URL("guard.ts", import.meta.url));

export type LaunchOptions = {
  /** The path of the mongod to run. */
  binary: string;
  dbPath: string;
  logPath: string;
  /** Called when mongod was started and is not ready yet. */
  onLaunched?: () => void;
  /** The size of WiredTiger's cache in GB. The default is a tenth of the memory, between 0.25 and 1. */
  cacheGb?: number;
};

export type Running = {
  readonly guard: ChildProcess;
  readonly mongodPid: number;
  /** mongod's exit code. */
  readonly ended: Promise<number>;
  /** Its log output so far. */
  log(): string;
};

/** The limit for a start, including the recovery of a large journal. */
const READY_BOUND_MS = 60_000;
const OPLOG_MB = 2_048;
/**
 * A process that is killed in the middle of a transaction leaves it open, and no one else can write to its accounts until mongod ends it:
 * by default after a minute. Our transactions take milliseconds.
 */
const TX_LIFETIME_SECONDS = 5;
/**
 * How long old versions of documents and index entries are kept for reads at an earlier time. The default is 5 minutes, and every search
 * has to step over them: at thousands of jobs a second that costs more than the jobs. Only the audit reads at an earlier time, one account
 * at a time.
 */
const SNAPSHOT_HISTORY_SECONDS = 60;
/**
 * The size of a file of the journal, 100 MB by default. A start reads the last one to its end, however little was written into it. One
 * transaction must fit into it, and the largest document has 16 MB.
 */
const JOURNAL_FILE_MB = 32;
/**
 * The pause between two checkpoints, 60 seconds by default. A start after a crash repeats every write since the last one, which at full
 * load takes about a quarter of the time that the writes took.
 */
const CHECKPOINT_SECONDS = 15;
/**
 * The smallest iteration count that mongod allows; it is paid once for each connection. It slows down guessing, and no one can guess 256
 * random bits.
 */
const PASSWORD_ROUNDS = 5_000;
/** mongod's own exit code for a port that is in use. */
const EXIT_PORT_TAKEN = 48;
const EXIT_KILLED = 137;
/** How long an orphaned mongod may take to end after each signal. */
const KILL_AFTER_MS = 10_000;
/** How much is quoted of what mongod logged before it ended. The reason is at the end. */
const MAX_LOG_READ_BYTES = 4 * 1024 * 1024;

/** Resolves when mongod is primary. Throws StartupError, as one line, if mongod ends, takes too long, or `signal` fires. */
export async function launchMongod(
  options: LaunchOptions,
  port: number,
  access: MongodAccess | undefined,
  signal: AbortSignal,
): Promise<Running> {
  const logStart = logSize(options.logPath);
  const log = () => readLog(options.logPath, logStart);
  const args = mongodArguments(options, port, access);
  const guard = spawn(process.execPath, [GUARD, options.logPath, options.binary, ...args], {
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  options.onLaunched?.();
  // Writing to a guard that has ended is not an error; its end is noticed below.
  guard.stdin.on("error", () => {});
  const mongodPid = readPid(guard.stdout);
  const ended = watchEnd(guard, mongodPid);

  const gone = new AbortController();
  let exitCode: number | undefined;
  void ended.then((code) => {
    exitCode = code;
    gone.abort();
  });
  const timer = setTimeout(() => gone.abort(), READY_BOUND_MS);
  try {
    // The driver is loaded here, because loading it takes half as long as mongod's start.
    const { becomePrimary } = await import("./replica-set.ts");
    if (await becomePrimary(port, AbortSignal.any([signal, gone.signal]), access)) {
      return { guard, mongodPid: (await mongodPid) ?? 0, ended, log };
    }
  } catch (error) {
    guard.stdin.end();
    await ended;
    throw error;
  } finally {
    clearTimeout(timer);
  }
  guard.stdin.end();
  const reason = explain(options, port, exitCode, log());
  await ended;
  throw new StartupError(reason);
}

function mongodArguments(
  { dbPath, logPath, cacheGb = defaultCacheGb() }: LaunchOptions,
  port: number,
  access: MongodAccess | undefined,
): string[] {
  return [
    ["--dbpath", dbPath],
    ["--logpath", logPath, "--logappend", "--quiet"],
    ["--port", String(port), "--bind_ip", "127.0.0.1", "--nounixsocket"],
    ["--replSet", REPLICA_SET, "--oplogSize", String(OPLOG_MB)],
    ["--wiredTigerCacheSizeGB", cacheGb.toFixed(2)],
    ["--syncdelay", String(CHECKPOINT_SECONDS)],
    ["--wiredTigerEngineConfigString", `log=(file_max=${JOURNAL_FILE_MB}MB)`],
    // Decompressing messages from unauthenticated clients has leaked memory (CVE-2025-14847), and over loopback compression saves nothing.
    ["--networkMessageCompressors", "disabled"],
    ["--setParameter", "diagnosticDataCollectionEnabled=false"],
    ["--setParameter", `transactionLifetimeLimitSeconds=${TX_LIFETIME_SECONDS}`],
    ["--setParameter", `minSnapshotHistoryWindowInSeconds=${SNAPSHOT_HISTORY_SECONDS}`],
    access ? accessArguments(access) : [],
  ].flat();
}

/** Without the second option, any user of this machine could create the first user. */
function accessArguments({ keyPath }: MongodAccess): string[] {
  return [
    ["--keyFile", keyPath],
    ["--setParameter", "enableLocalhostAuthBypass=false"],
    ["--setParameter", `scramSHA256IterationCount=${PASSWORD_ROUNDS}`],
  ].flat();
}

function defaultCacheGb(): number {
  return Math.min(1, Math.max(0.25, totalmem() / 2 ** 30 / 10));
}

/** Returns the first line that the guard writes, or undefined if it ends without one. */
async function readPid(stdout: Readable): Promise<number | undefined> {
  for await (const line of createInterface({ input: stdout })) return Number(line);
  return undefined;
}

/** Returns the exit code after both the guard and mongod have ended. */
async function watchEnd(guard: ChildProcess, mongodPid: Promise<number | undefined>): Promise<number> {
  const [code] = (await once(guard, "exit")) as [number | null];
  if (code !== null) return code;
  // Someone killed the guard. mongod has lost its supervision, so it has to end and be started again with a guard.
  const pid = await mongodPid;
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    for (let waitedMs = 0; pid && isAlive(pid) && waitedMs < KILL_AFTER_MS; waitedMs += 50) {
      if (waitedMs === 0) process.kill(pid, signal);
      await delay(50);
    }
  }
  return EXIT_KILLED;
}

/** Says in one line why it did not start. */
function explain(
  { dbPath, logPath, binary }: LaunchOptions,
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
  if (endedForWantOfSpace(dbPath, log)) {
    return `The disk of ${dbPath} is full: ${freeMb(dbPath)} MB are free and mongod needs ${MONGOD_NEEDS_MB}. Make room, then start again.`;
  }
  return `mongod ended with code ${code} while starting; its log is ${logPath}.`;
}

export function logSize(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

/** Returns the text from `start` on, and only the end of a long text. */
function readLog(path: string, start: number): string {
  const end = logSize(path);
  const from = Math.max(start, end - MAX_LOG_READ_BYTES);
  if (end <= from) return "";
  const bytes = Buffer.alloc(end - from);
  const file = openSync(path, "r");
  try {
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
}
