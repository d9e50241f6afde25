// How a process ends: on SIGTERM or Ctrl-C, or on a bug that nobody caught, it closes its parts in order, within a bound.
import { setTimeout as delay } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import type { Logger } from "../log/log.ts";

export type Shutdown = {
  /**
   * Calls `leave` at once when the process is to end in order. Parts close only some time later, so that whoever sends requests here can
   * notice and go elsewhere.
   */
  announce(leave: () => void): void;
  /** Parts close in the reverse of the order in which they were added. A failure to close is logged, and the next parts still close. */
  add(name: string, close: () => Promise<void> | void): void;
  /** Ends the process as a signal would, but sooner if `withinMs` says so, and with exit code 1 if there is an error. */
  begin(error?: Error, withinMs?: number): void;
  /** True from the moment the process was told to end. */
  begun(): boolean;
};

/** npm hands a Ctrl-C on to a process that got it from the terminal already; within this time it is the same one. */
const SAME_SIGNAL_MS = 1_000;

/**
 * When the process is told to end, announces that, waits `leaveMs` if anybody listens, closes what was added and exits with code 0, or with
 * 1 if there was an error or the time ran out. A second Ctrl-C exits at once.
 */
export function onShutdown({
  boundMs,
  leaveMs = 0,
  log,
}: {
  /** From the end of `leaveMs` on. */
  boundMs: number;
  leaveMs?: number;
  log: Logger;
}): Shutdown {
  const announcements: (() => void)[] = [];
  const parts: { name: string; close: () => Promise<void> | void }[] = [];
  let begunAtMs: number | undefined;
  let failure: Error | undefined;

  // It keeps the bound and catches what nobody else did; signals are ours, because of SAME_SIGNAL_MS.
  const grace = closeWithGrace(
    {
      delay: leaveMs + boundMs,
      logger: false,
      skip: ["SIGTERM", "SIGINT"],
      onTimeout: () => log.error(`not closed within ${boundMs} ms; exiting anyway`),
    },
    async ({ err }) => {
      begunAtMs ??= performance.now();
      if (err) log.fatal({ err }, "an error was not caught; closing");
      // What is broken has no time to lose.
      else if (!failure) await leave();
      for (const { name, close } of parts.toReversed()) {
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
