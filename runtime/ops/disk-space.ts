// How much room a folder's disk has: waits until there is enough, and warns in time when it gets scarce.
import { statfsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { createService, type ServiceOptions } from "../service.ts";

/** MongoDB writes its journal in files of 100 MB, which it makes beforehand. */
export const MONGOD_NEEDS_MB = 128;
/** With less than this nothing can be written, not even the log line that would say so. */
const FULL_MB = 8;
const POLL_EVERY_MS = 500;
const WATCH_EVERY_MS = 2_000;
/** So much more than the mark must be free again: a journal file that comes and goes must not be a line each time. */
const AGAIN_FACTOR = 1.25;

/** Room that this user may use, in whole megabytes. */
export function freeMb(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.floor((bavail * bsize) / 2 ** 20);
}

/** Whether a mongod ended because its disk is full: its log says so, or could not be written any more. */
export function endedForWantOfSpace(folder: string, log: string): boolean {
  const free = freeMb(folder);
  return free < FULL_MB || (free < MONGOD_NEEDS_MB && /No space left on device|ENOSPC|is full/.test(log));
}

/** Waits until mongod can run in `folder` again, or `signal` fires. */
export async function spaceForMongod(folder: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && freeMb(folder) < MONGOD_NEEDS_MB)
    await delay(POLL_EVERY_MS, undefined, { signal }).catch(() => {});
}

export type SpaceWatch = {
  /** Says that there is too little room, and how little; undefined while there is enough. */
  shortage(): string | undefined;
  stop(): Promise<void>;
};

/** Looks at once, then every few seconds. Logs one line each time room gets scarce or is back. */
export function watchSpace({
  folder,
  minFreeMb,
  log,
  everyMs = WATCH_EVERY_MS,
}: {
  folder: string;
  minFreeMb: number;
  log: ServiceOptions["log"];
  everyMs?: number;
}): SpaceWatch {
  const againMb = Math.ceil(minFreeMb * AGAIN_FACTOR);
  let shortage: string | undefined;

  function look(): void {
    const free = freeMb(folder);
    const isShort = free < (shortage === undefined ? minFreeMb : againMb);
    if (isShort && shortage === undefined) {
      log.warn(
        `The disk of ${folder} is nearly full (${free} MB free): no new jobs are taken until ${againMb} MB are free; all else goes on`,
      );
    }
    if (!isShort && shortage !== undefined)
      log.info(`The disk of ${folder} has room again (${free} MB free): new jobs are taken`);
    shortage = isShort ? `${free} MB are free in ${folder}, and ${againMb} are needed` : undefined;
  }

  const service = createService({ log });
  service.loop(`see how much room ${folder} has`, () => {
    look();
    return everyMs;
  });
  service.start();
  return { shortage: () => shortage, stop: () => service.stop() };
}
