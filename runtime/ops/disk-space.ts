// How much space a folder's disk has: waits until there is enough, and warns in time when it becomes scarce.
import { statfsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { createService, type ServiceOptions } from "../service.ts";

/** For files of the journal, which MongoDB creates in advance, and for a checkpoint. */
export const MONGOD_NEEDS_MB = 128;
/** With less than this nothing can be written, not even the log line that would say so. */
const FULL_MB = 8;
const POLL_EVERY_MS = 500;
const WATCH_EVERY_MS = 2_000;
/**
 * This much more than the threshold must be free before space counts as sufficient again, so that a journal file that comes and goes does
 * not log a line each time.
 */
const AGAIN_FACTOR = 1.25;

/** Returns the space that this user may use, in whole megabytes. */
export function freeMb(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.floor((bavail * bsize) / 2 ** 20);
}

/** Returns whether a mongod ended because its disk is full: its log says so, or the log itself could not be written any more. */
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
  /** Says that there is too little space, and how little. Returns undefined while there is enough. */
  shortage(): string | undefined;
  stop(): Promise<void>;
};

/** Checks immediately and then every few seconds. Logs one line each time space becomes scarce or sufficient. */
export function watchSpace({
  folder,
  minFreeMb,
  log,
}: {
  folder: string;
  minFreeMb: number;
  log: ServiceOptions["log"];
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
    return WATCH_EVERY_MS;
  });
  service.start();
  return { shortage: () => shortage, stop: () => service.stop() };
}
