// The threads that make files. A caller who gives up is free immediately; its thread gets a moment to reach its next checkpoint.
import { startThread } from "../../../../runtime/start-thread.ts";
import { type PoolTask, ThreadPool, type ThreadPoolOptions } from "../../../../runtime/thread-pool.ts";
import { ProviderError, type ProviderOutput } from "../provider.ts";
import type { Report, PictureTask } from "./thread.ts";

/** How long a cancelled thread may take to its next checkpoint before it is ended by force. */
const GRACE_MS = 1_500;
const RETRY_AFTER_MS = 1_000;
const MAX_HEAP_MB = 512;

type Order = Omit<PictureTask, "cancelled">;

export type PicturePool = {
  /** Throws ProviderError, or the signal's reason as soon as it is aborted. */
  run(order: Order, signal: AbortSignal, onProgress: (fraction: number) => void): Promise<ProviderOutput[]>;
  /** Ends all threads; what was running or waiting fails. */
  close(): Promise<void>;
};

/** Another entry than thread.ts is for tests. */
type PicturePoolOptions = Pick<ThreadPoolOptions, "threads" | "maxQueued" | "log"> & { entry?: URL };

export function createPicturePool({ entry, log, ...limits }: PicturePoolOptions): PicturePool {
  const name = "atelier-local-provider";
  const newWorker = () =>
    startThread(entry ?? new URL("thread.ts", import.meta.url), {
      name,
      // Node calls its WASI an experiment at each start of a thread.
      execArgv: ["--disable-warning=ExperimentalWarning"],
      maxHeapMb: MAX_HEAP_MB,
    });
  const pool = new ThreadPool<Report>({ name, newWorker, log, ...limits });
  return {
    async run(order, signal, onProgress) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<ProviderOutput[]>();
      // Shared with the thread: not 0 calls the task off.
      const cancelled = new Int32Array(new SharedArrayBuffer(4));
      const label = { model: order.model };
      const task: PoolTask<Report> = {
        message: { ...order, cancelled: cancelled.buffer } satisfies PictureTask,
        label,
        onReply(report) {
          if (report.kind === "progress") {
            if (!signal.aborted) onProgress(report.fraction);
            return "busy";
          }
          if (report.kind === "done") resolve(report.pieces);
          else {
            reject(new ProviderError("provider_failed", report.message));
            const { bug: detail } = report;
            if (detail) log.error({ ...label, detail }, "the embedded provider could not make a file");
          }
          return "free";
        },
        onLost: (reason) => reject(lost(reason === "full")),
      };
      const onAbort = () => {
        reject(signal.reason);
        Atomics.store(cancelled, 0, 1);
        pool.drop(task, GRACE_MS);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      pool.add(task);
      return promise.finally(() => signal.removeEventListener("abort", onAbort));
    },
    close: () => pool.close(),
  };
}

function lost(isFull: boolean): ProviderError {
  const why = isFull ? "has too much to do at the moment" : "stopped in the middle of the work";
  const options = { retryable: true, ...(isFull && { retryAfterMs: RETRY_AFTER_MS }) };
  return new ProviderError("provider_unavailable", `The provider ${why}.`, options);
}
