// Runs one piece of work in a thread and returns its result.
import { Worker } from "node:worker_threads";

const MAX_YOUNG_MB = 4;

/** Rejects with what the thread throws, or with the signal's reason, which also ends it. */
export function runThread<Result>(
  entry: string,
  name: string,
  workerData: unknown,
  signal: AbortSignal,
): Promise<Result> {
  const worker = new Worker(new URL(entry, import.meta.url), {
    name,
    execArgv: [],
    workerData,
    // The garbage of a build is short-lived; a large nursery would only stay with the process.
    resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.once("exit", () => reject(new Error(`the thread ${name} ended without a result`)));
  return promise.finally(() => {
    signal.removeEventListener("abort", onAbort);
    void worker.terminate();
  });
}
