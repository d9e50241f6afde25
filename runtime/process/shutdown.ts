// How a process ends: on SIGTERM, on Ctrl-C, or after an uncaught error it closes its parts in order, within a time limit.
import { setTimeout as delay } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import type { Logger } from "../log/log.ts";

export type Shutdown = {
  /**
   * Calls `leave` immediately when an orderly shutdown begins. Parts close only some time later, so that clients can notice and use another
   * process.
   */
  announce(leave: () => void): void;
  /** Parts close in the reverse of the order in which they were added. A failure to close is logged, and the next parts still close. */
  add(name: string, close: () => Promise<void> | void): void;
  /** Ends the process as a signal would, but sooner if `withinMs` says so, and with exit code 1 if there is an error. */
  begin(error?: Error, withinMs?: number): void;
  /** True from the moment the shutdown began. */
  begun(): boolean;
};

/** npm forwards a Ctrl-C to a process that already got it from the terminal; within this time both count as one. */
const SAME_SIGNAL_MS = 1_000;

/**
 * When a shutdown begins, announces it, waits `leaveMs` if anyone listens, closes what was added, and exits with code 0, or with 1 if there
 * was an error or the time ran out. A second Ctrl-C exits immediately.
 */
export function onShutdown({
  boundMs,
  leaveMs = 0,
  log,
}: {
  /** The time limit, counted from the end of `leaveMs`. */
  boundMs: number;
  leaveMs?: number;
  log: Logger;
}): Shutdown {
  const announcements: (() => void)[] = [];
  const parts: { name: string; close: () => Promise<void> | void }[] = [];
  let begunAtMs: number | undefined;
  let failure: Error | undefined;
  let closing = "";

  // The library keeps the time limit and catches uncaught errors; signals are handled here because of SAME_SIGNAL_MS.
  const grace = closeWithGrace(
    {
      delay: leaveMs + boundMs,
      logger: false,
      skip: ["SIGTERM", "SIGINT"],
      onTimeout: () => log.error(`${closing} did not close within ${boundMs} ms; exiting anyway`),
    },
    async ({ err }) => {
      begunAtMs ??= performance.now();
      if (err) log.fatal({ err }, "an error was not caught; closing");
      // After an uncaught error there is no time for an orderly announcement.
      else if (!failure) await leave();
      for (const { name, close } of parts.toReversed()) {
        closing = name;
        try {
          await close();
          log.debug(`closed ${name}`);
        } catch (error) {
          log.error({ err: error }, `${name} did not close cleanly`);
        }
      }
      if (failure) throw failure;
    },
  );

  async function leave(): Promise<void> {
    if (announcements.length === 0) return;
    for (const announce of announcements) announce();
    await delay(leaveMs);
  }

  function onSignal(): void {
    if (begunAtMs === undefined) {
      begunAtMs = performance.now();
      grace.close();
    } else if (performance.now() - begunAtMs > SAME_SIGNAL_MS) {
      process.exit(1);
    }
  }
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);

  return {
    announce: (announcement) => announcements.push(announcement),
    add: (name, close) => parts.push({ name, close }),
    begin: (error, withinMs) => {
      failure ??= error;
      if (withinMs !== undefined) setTimeout(() => process.exit(1), withinMs).unref();
      if (begunAtMs === undefined) onSignal();
    },
    begun: () => begunAtMs !== undefined,
  };
}
