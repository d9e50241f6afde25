// A few threads that make files, and the tasks that wait for them. Threads start when first needed and never keep a process alive.
import { Worker } from "node:worker_threads";
import type { Logger } from "../../../../runtime/log/log.ts";
import { ProviderError } from "../provider.ts";
import type { Piece } from "./maker.ts";
import type { Report, PictureTask } from "./thread.ts";

/** How long a thread that was called off may take to its next checkpoint before it is ended by force. */
const GRACE_MS = 1_500;
const RETRY_AFTER_MS = 1_000;
const MAX_HEAP_MB = 512;

type Order = Omit<PictureTask, "calledOff">;
type Entry = {
  order: Order;
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
  resolve: (pieces: Piece[]) => void;
  reject: (reason: unknown) => void;
  onAbort: () => void;
  /** Shared with the thread: not 0 calls the task off. */
  calledOff: Int32Array<SharedArrayBuffer>;
};
/** `busy` is its current job, or one that it still has to stop after the caller was told. */
type Thread = { worker: Worker; busy: Entry | null };

export type ThreadPool = {
  /** Throws ProviderError, or the signal's reason as soon as it is aborted. */
  run(order: Order, signal: AbortSignal, onProgress: (fraction: number) => void): Promise<Piece[]>;
  /** Ends all threads; what was running or waiting fails. */
  close(): Promise<void>;
};

export type ThreadPoolOptions = {
  threads: number;
  maxQueued: number;
  log: Logger;
  /** Another entry than thread.ts, for tests. */ entry?: URL;
};

export function createThreadPool({
  threads: maxThreads,
  maxQueued,
  log,
  entry = new URL("thread.ts", import.meta.url),
}: ThreadPoolOptions): ThreadPool {
  const threads = new Set<Thread>();
  const queue: Entry[] = [];
  let closed = false;

  return {
    run(order, signal, onProgress) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (closed) return reject(stopped());
        if (queue.length >= maxQueued)
          return reject(unavailable("The provider has too much to do at the moment.", RETRY_AFTER_MS));
        const calledOff = new Int32Array(new SharedArrayBuffer(4));
        const onAbort = () => cancelCall(entry);
        const entry: Entry = { order, signal, onProgress, resolve, reject, calledOff, onAbort };
        signal.addEventListener("abort", entry.onAbort, { once: true });
        queue.push(entry);
        dispatch();
      });
    },
    async close() {
      closed = true;
      for (const entry of queue.splice(0)) entry.reject(stopped());
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };

  function dispatch(): void {
    while (queue.length > 0) {
      const thread =
        [...threads].find(({ busy }) => !busy) ?? (threads.size < maxThreads ? start() : undefined);
      const next = thread && queue.shift();
      if (!next) return;
      hand(thread, next);
    }
  }

  function start(): Thread {
    const worker = newWorker(entry);
    const thread: Thread = { worker, busy: null };
    worker.on("message", (report: Report) => onReport(thread, report));
    worker.on("error", (error) => log.error({ err: error }, "a thread of the embedded provider crashed"));
    worker.on("exit", () => {
      threads.delete(thread);
      thread.busy?.reject(stopped());
      if (thread.busy) release(thread, thread.busy);
      dispatch();
    });
    worker.unref();
    threads.add(thread);
    return thread;
  }

  /** The caller is free immediately; a thread that was at it gets a moment to reach its next checkpoint. */
  function cancelCall(entry: Entry): void {
    entry.reject(entry.signal.reason);
    const place = queue.indexOf(entry);
    if (place >= 0) queue.splice(place, 1);
    Atomics.store(entry.calledOff, 0, 1);
    const thread = [...threads].find(({ busy }) => busy === entry);
    if (thread) endWhenLate(thread, entry);
  }

  function onReport(thread: Thread, report: Report): void {
    const entry = thread.busy;
    if (!entry) return;
    if (report.kind !== "progress") release(thread, entry);
    tell(entry, report, log);
    if (report.kind !== "progress") dispatch();
  }
}

function hand(thread: Thread, entry: Entry): void {
  thread.busy = entry;
  // While someone waits for the result the process has a reason to live.
  thread.worker.ref();
  thread.worker.postMessage({ ...entry.order, calledOff: entry.calledOff.buffer } satisfies PictureTask);
}

function release(thread: Thread, entry: Entry): void {
  thread.busy = null;
  thread.worker.unref();
  entry.signal.removeEventListener("abort", entry.onAbort);
}

/** Nothing waits for the thread any more; it is ended by force where it does not stop. */
function endWhenLate(thread: Thread, entry: Entry): void {
  thread.worker.unref();
  setTimeout(() => {
    if (thread.busy === entry) void thread.worker.terminate();
  }, GRACE_MS).unref();
}

function newWorker(entry: URL): Worker {
  return new Worker(entry, {
    name: "atelier-local-provider",
    // Node calls its WASI an experiment at each start of a thread.
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 4 },
  });
}

/** If the caller already got the outcome, this has no effect. */
function tell(entry: Entry, report: Report, log: Logger): void {
  if (report.kind === "progress") {
    if (!entry.signal.aborted) entry.onProgress(report.fraction);
  } else if (report.kind === "done") entry.resolve(report.pieces);
  else if (report.kind === "refused") entry.reject(new ProviderError("provider_failed", report.message));
  else {
    const { detail } = report;
    log.error({ detail, model: entry.order.model }, "the embedded provider could not make a file");
    entry.reject(new ProviderError("provider_failed", "The file could not be made."));
  }
}

function stopped(): ProviderError {
  return unavailable("The provider stopped in the middle of the work.");
}

function unavailable(message: string, retryAfterMs?: number): ProviderError {
  const options = { retryable: true, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return new ProviderError("provider_unavailable", message, options);
}
