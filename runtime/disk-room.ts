// How much room the disk of a folder has, and waiting until it has enough.
import { statfsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** MongoDB writes its journal in files of 100 MB, which it makes beforehand. */
export const MONGOD_NEEDS_MB = 128;
/** With less than this nothing can be written, not even the log line that would say so. */
const FULL_MB = 8;
const LOOK_EVERY_MS = 500;

/** Free for this user, in whole megabytes. */
export function freeMb(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.floor((bavail * bsize) / 2 ** 20);
}

/** Whether a mongod ended because its disk is full: its log says so, or could not. */
export function endedForWantOfRoom(folder: string, log: string): boolean {
  const free = freeMb(folder);
  return free < FULL_MB || (free < MONGOD_NEEDS_MB && /No space left on device|ENOSPC|is full/.test(log));
}

/** Until mongod can run in `folder` again, or `signal` fires. */
export async function roomForMongod(folder: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && freeMb(folder) < MONGOD_NEEDS_MB)
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
}
