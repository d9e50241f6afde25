// How a process ends: on SIGTERM or Ctrl-C, or on a bug that nobody caught, it closes its parts in order, within a bound.
import closeWithGrace from "close-with-grace";
import type { Logger } from "./log.ts";

/** One part to close. A step that fails is logged, and the next ones still run. */
export type ShutdownStep = { name: string; close: () => Promise<void> };

export type Shutdown = {
  /** Ends the process as a signal would; with exit code 1 when an error is given. */
  begin(error?: Error): void;
};

/** npm hands a Ctrl-C on to a process that got it from the terminal already; within this time it is the same one. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Runs `steps` in order when the process is told to end, then exits with code 0, or 1 when an error or the bound ended it.
 * A second Ctrl-C exits at once.
 */
export function onShutdown(options: {
  steps: readonly ShutdownStep[];
  boundMs: number;
  log: Logger;
}): Shutdown {
  const { steps, boundMs, log } = options;
  let begunAtMs: number | undefined;
  let failure: Error | undefined;

  // It keeps the bound and catches what nobody else did; signals are ours, because of SAME_SIGNAL_MS.
  const grace = closeWithGrace(
    {
      delay: boundMs,
      logger: false,
      skip: ["SIGTERM", "SIGINT"],
      onTimeout: () => log.error(`not closed within ${boundMs} ms; exiting all the same`),
    },
    async ({ err }) => {
      if (err) log.fatal({ err }, "a bug nobody caught; closing");
      for (const step of steps) await closeStep(step, log);
      if (failure) throw failure;
    },
  );

  function begin(): void {
    if (begunAtMs === undefined) {
      begunAtMs = performance.now();
      grace.close();
    } else if (performance.now() - begunAtMs > SAME_SIGNAL_MS) {
      process.exit(1);
    }
  }
  process.on("SIGTERM", begin);
  process.on("SIGINT", begin);

  return {
    begin: (error) => {
      failure ??= error;
      if (begunAtMs === undefined) begin();
    },
  };
}

async function closeStep({ name, close }: ShutdownStep, log: Logger): Promise<void> {
  try {
    await close();
    log.debug(`closed ${name}`);
  } catch (error) {
    log.error({ err: error }, `${name} did not close cleanly`);
  }
}
