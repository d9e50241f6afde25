// The embedded MongoDB: one mongod on loopback as a replica set with one member and persistent data. It is started again after a crash,
// waits while the disk is full, and stops with this process, however this process ends (see guard.ts).
import { chmodSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../log/log.ts";
import { endedForWantOfSpace, freeMb, MONGOD_NEEDS_MB, spaceForMongod } from "../ops/disk-space.ts";
import { assertPortFree, freePort } from "../process/free-port.ts";
import { StartupError } from "../process/startup-error.ts";
import { loadMongodAccess, mongodUri } from "./access.ts";
import { launchMongod, type LaunchOptions, logSize } from "./launch.ts";

/** A failure counts for this long, however well mongod ran in between. */
const WINDOW_MS = 10 * 60_000;
/** The delays before the first restart, the second and so on. After one more failure the process stops. */
const WAITS_MS = [100, 500, 1_000, 2_000, 5_000, 10_000, 20_000];

export type MongodOptions = LaunchOptions & {
  /** The port. 0 chooses a free one. */
  port: number;
  /** The folder with the key and the password. Without it, any user of this machine may do everything, as in tests. */
  accessDir?: string;
  log: Logger;
  /** Called when it crashed too often to be started again. */
  onLost: (error: Error) => void;
};

export type Mongod = {
  readonly uri: string;
  readonly port: number;
  /** The pid of the running mongod. It changes when mongod is started again after a crash. */
  pid(): number;
  /** False from the moment mongod ends, for any reason, until it runs again. */
  isRunning(): boolean;
  /** False while the disk is full and mongod waits for space. */
  hasSpace(): boolean;
  /** Writes a checkpoint: a start after a crash repeats only what is written later. */
  checkpoint(): Promise<void>;
  /** Lets mongod write a checkpoint and end. */
  stop(): Promise<void>;
};

const MAX_LOG_BYTES = 16 * 1024 * 1024;

/** Starts mongod and waits until it is primary. Throws a one-line StartupError for what the operator can fix. */
export async function startMongod(options: MongodOptions): Promise<Mongod> {
  const { dbPath, logPath, accessDir, log } = options;
  mkdirSync(dbPath, { recursive: true });
  prepareLog(logPath);
  const port = await choosePort(options.port);
  const access = accessDir === undefined ? undefined : loadMongodAccess(accessDir);
  const stop = new AbortController();
  const launch = () => launchMongod(options, port, access, stop.signal);

  let running = await launch();
  let isRunning = true;
  let waitsForSpace = false;
  const supervised = supervise();

  async function supervise(): Promise<void> {
    const failedAtMs: number[] = [];
    let exitCode: number | undefined = await untilEnded();
    let reason = running.log();
    let told = "mongod ended unexpectedly";
    while (!stop.signal.aborted) {
      if (endedForWantOfSpace(dbPath, reason)) await waitForSpace();
      else {
        failedAtMs.push(Date.now());
        const waitMs = nextTryMs(failedAtMs, Date.now());
        if (waitMs === undefined)
          return options.onLost(gaveUp(failuresInWindow(failedAtMs, Date.now()), logPath));
        log.error({ exit_code: exitCode, port }, `${told}; starting it again in ${waitMs} ms`);
        await delay(waitMs, undefined, { signal: stop.signal }).catch(() => {});
      }
      if (stop.signal.aborted) return;
      try {
        running = await launch();
        log.info("mongod is back; no data were lost");
        isRunning = true;
        exitCode = await untilEnded();
        reason = running.log();
        told = "mongod ended unexpectedly";
      } catch (error) {
        exitCode = undefined;
        reason = (error as Error).message;
        told = `mongod did not come back: ${reason.replace(/\.$/, "")}`;
      }
    }
  }

  async function untilEnded(): Promise<number> {
    const exitCode = await running.ended;
    isRunning = false;
    return exitCode;
  }

  async function waitForSpace(): Promise<void> {
    log.error(fullDisk(dbPath));
    waitsForSpace = true;
    await spaceForMongod(dbPath, stop.signal);
    waitsForSpace = false;
  }

  return {
    uri: mongodUri(port, access, accessDir),
    port,
    pid: () => running.mongodPid,
    isRunning: () => isRunning,
    hasSpace: () => !waitsForSpace,
    checkpoint: async () => (await import("./replica-set.ts")).writeCheckpoint(port, access),
    stop: async () => {
      stop.abort();
      running.guard.stdin?.end();
      await supervised;
      // A restart may have been in progress.
      running.guard.stdin?.end();
      await running.ended;
    },
  };
}

/** Port 0 stands for any free port. Throws StartupError if the port is in use. */
async function choosePort(port: number): Promise<number> {
  await assertPortFree(port, "127.0.0.1", "embedded MongoDB", "ATELIER_MONGO_PORT");
  return port === 0 ? freePort() : port;
}

function gaveUp(failures: number, logPath: string): StartupError {
  return new StartupError(`mongod ended ${failures} times within ten minutes; its log is ${logPath}.`);
}

function fullDisk(dbPath: string): string {
  return `The disk of ${dbPath} is full (${freeMb(dbPath)} MB free): the database is unavailable until ${MONGOD_NEEDS_MB} MB are free, and then starts again`;
}

/** Moves a long log aside, and makes a log private that an earlier release left readable by others. */
function prepareLog(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (logSize(path) > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
  for (const file of [path, `${path}.1`]) if (existsSync(file)) chmodSync(file, 0o600);
}

/** Returns how long to wait after the latest of these failures, or undefined if there were too many. */
export function nextTryMs(failedAtMs: readonly number[], nowMs: number): number | undefined {
  return WAITS_MS[failuresInWindow(failedAtMs, nowMs) - 1];
}

function failuresInWindow(failedAtMs: readonly number[], nowMs: number): number {
  return failedAtMs.filter((at) => nowMs - at < WINDOW_MS).length;
}
