// Runs one piece of work in a thread and returns its result.
import { startThread } from "../../../runtime/start-thread.ts";

/** Rejects with what the thread throws, or with the signal's reason, which also ends it. */
export function runThread<Result>(
  entry: string,
  name: string,
  workerData: unknown,
  signal: AbortSignal,
): Promise<Result> {
  const worker = startThread(new URL(entry, import.meta.url), { name, workerData });
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
