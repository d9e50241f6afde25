// A background service: loops that start together, continue after an error, and stop together. A loop is a step that is repeated and that
// says when to repeat it.
import type { Logger } from "./log/log.ts";

/** A step that runs for as long as it can calls `goesWell` before it ends, so that an earlier failure is logged as over. */
type LoopStep = (signal: AbortSignal, goesWell: () => void) => Promise<number> | number;

export type Service = {
  /** Aborted when the service stops. All waits of a step should listen to it. */
  readonly signal: AbortSignal;
  /** Runs the step this many milliseconds after the last one ended; the first one runs this long after the start. */
  every(ms: number, what: string, step: (signal: AbortSignal) => unknown): void;
  /**
   * Runs the step at the start, and again after as many milliseconds as it returned. Returns a bell, which ends that wait now, or during a
   * step the wait after it. A step that fails is logged as "could not `what`", and the next one runs `afterErrorMs` later.
   */
  loop(what: string, step: LoopStep, afterErrorMs?: number): () => void;
  /** Starts the loops that were added; loops added later start immediately. A second call, or one after a stop, changes nothing. */
  start(): void;
  /** Runs no further step, and waits until those in progress have ended, but no longer than `boundMs`. */
  stop(boundMs?: number): Promise<void>;
};

export type ServiceOptions = {
  log: Pick<Logger, "info" | "warn" | "error">;
  /** Errors that are not this service's fault, because something else is unavailable. They are logged as warnings. */
  isOutage?: (error: unknown) => boolean;
};

type Loop = {
  readonly what: string;
  readonly firstMs: number;
  readonly afterErrorMs: number;
  readonly bell: Bell;
  readonly step: LoopStep;
};

const AFTER_ERROR_MS = 500;
/** The longest time that a timer accepts. */
const MAX_WAIT_MS = 2 ** 31 - 1;
/** Longer than a transaction may take. */
const STOP_BOUND_MS = 10_000;

export function createService({ log, isOutage = () => false }: ServiceOptions): Service {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loops: Loop[] = [];
  const running = new Map<Loop, Promise<void>>();
  let isStarted = false;

  function add(loop: Loop): void {
    loops.push(loop);
    if (isStarted) begin(loop);
  }

  function begin(loop: Loop): void {
    if (!signal.aborted)
      running.set(
        loop,
        run(loop).finally(() => running.delete(loop)),
      );
  }

  async function run({ what, firstMs, afterErrorMs, bell, step }: Loop): Promise<void> {
    let waitMs = firstMs;
    let fault: string | undefined;
    const goesWell = () => {
      if (fault !== undefined) log.info(`can ${what} again`);
      fault = undefined;
    };
    for (;;) {
      if (waitMs > 0) await bell.wait(waitMs);
      if (signal.aborted) return;
      // This step sees everything that rang until now.
      bell.reset();
      try {
        waitMs = await step(signal, goesWell);
        goesWell();
      } catch (error) {
        // A step that is stopped may end with any error.
        if (signal.aborted) return;
        waitMs = afterErrorMs;
        // Each fault is logged once, however often it repeats.
        if (fault !== String(error))
          log[isOutage(error) ? "warn" : "error"]({ err: error }, `could not ${what}; trying again`);
        fault = String(error);
      }
    }
  }

  return {
    signal,
    every: (ms, what, step) => {
      const stepAndWait = async () => {
        await step(signal);
        return ms;
      };
      add({ what, firstMs: ms, afterErrorMs: ms, bell: createBell(), step: stepAndWait });
    },
    loop: (what, step, afterErrorMs = AFTER_ERROR_MS) => {
      const bell = createBell();
      add({ what, firstMs: 0, afterErrorMs, bell, step });
      return bell.ring;
    },
    start: () => {
      if (isStarted) return;
      isStarted = true;
      for (const loop of loops) begin(loop);
    },
    stop: async (boundMs = STOP_BOUND_MS) => {
      stopping.abort();
      for (const { bell } of loops) bell.ring();
      await waitAtMost(boundMs, Promise.all(running.values()));
      for (const { what } of running.keys()) log.warn(`stopped while trying to ${what}`);
    },
  };
}

/** The result of the work; undefined if the time is over before. */
export async function waitAtMost<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const { promise: bound, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  return Promise.race([work, bound]).finally(() => clearTimeout(timer));
}

type Bell = {
  /** Wakes the waiter, or the next one to wait. */
  ring: () => void;
  /** Forgets earlier rings. */
  reset: () => void;
  wait: (timeoutMs: number) => Promise<void>;
};

/** Its waits do not keep a process alive. */
function createBell(): Bell {
  let rung = false;
  let wakeUp: (() => void) | undefined;
  return {
    ring: () => {
      rung = true;
      wakeUp?.();
    },
    reset: () => {
      rung = false;
    },
    wait: async (timeoutMs) => {
      if (rung) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, Math.min(timeoutMs, MAX_WAIT_MS)).unref();
      wakeUp = resolve;
      await promise;
      clearTimeout(timer);
      wakeUp = undefined;
    },
  };
}
