// One service per data folder: a lock file names the process that holds it. The lock of a dead process is taken over.
import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive, processStart } from "./alive.ts";
import { StartupError } from "./startup-error.ts";

type Holder = { pid: number; started: string | undefined; url?: string };

export type DataLock = {
  /** Records the service's URL, for a second start. */
  announce(url: string): void;
  release(): void;
};

const LOCK_FILE = "service.lock";

/** Throws a one-line StartupError if a living process holds the folder. */
export function lockDataFolder(dataDir: string): DataLock {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, LOCK_FILE);
  const own: Holder = { pid: process.pid, started: processStart(process.pid) };
  // A complete file is linked into place, so that no one ever reads half of one.
  const draft = `${path}.${randomUUID()}`;
  const write = (holder: Holder, to: string) => writeFileSync(to, JSON.stringify(holder), { mode: 0o600 });
  write(own, draft);
  try {
    if (!tryLink(draft, path)) {
      takeOver(path, dataDir);
      if (!tryLink(draft, path)) throw inUse(readHolder(path), dataDir);
    }
  } finally {
    unlinkSync(draft);
  }
  return {
    announce: (url) => {
      write({ ...own, url }, draft);
      renameSync(draft, path);
    },
    release: () => rmSync(path, { force: true }),
  };
}

/**
 * Moves a dead process's lock out of the way. Two processes may do this at the same time safely, because the file is moved first and
 * inspected afterwards.
 */
function takeOver(path: string, dataDir: string): void {
  const holder = readHolder(path);
  if (holder && isHeld(holder)) throw inUse(holder, dataDir);
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  // Another process was faster, and the moved file is its new lock.
  if (moved && isHeld(moved)) tryLink(aside, path);
  unlinkSync(aside);
}

function isHeld(holder: Holder): boolean {
  return isAlive(holder.pid) && processStart(holder.pid) === holder.started;
}

function inUse(holder: Holder | undefined, dataDir: string): StartupError {
  const where = holder?.url ? `, ${holder.url}` : "";
  return new StartupError(
    `Atelier is already running (pid ${holder?.pid ?? "unknown"}${where}) on the data folder ${dataDir}. ` +
      "Stop it, or set ATELIER_DATA_DIR to another folder.",
  );
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Holder;
  } catch {
    return undefined;
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
