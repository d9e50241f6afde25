// The threads that run the C2PA library. They are replaced if they fail or hold too much memory.
import { startThread } from "../../../runtime/start-thread.ts";
import { type PoolTask, ThreadPool, type ThreadPoolOptions } from "../../../runtime/thread-pool.ts";
import type { Reply, SigningTask, ThreadData } from "./thread.ts";

const MAX_HEAP_MB = 256;

/** The library refuses a file or a certificate, or fails on it: the same task would fail again. */
export class CredentialsRefused extends Error {
  override readonly name = "CredentialsRefused";
}

/** Too many tasks wait, or the thread ended during this task: the same task may work the next time. */
export class CredentialsUnavailable extends Error {
  override readonly name = "CredentialsUnavailable";
}

export type ThreadsOptions = Omit<ThreadPoolOptions, "newWorker"> & {
  /** Called when a thread starts. */
  readonly loadModule: () => Promise<WebAssembly.Module>;
  /** A thread whose library holds more memory than this after a task is replaced. */
  readonly restartAboveBytes: number;
  /** An entry other than thread.ts, for tests. */
  readonly entry?: URL;
};

export type Threads = Pick<ThreadPool<Reply>, "pending" | "close"> & {
  /** Throws CredentialsRefused or CredentialsUnavailable. */
  run(task: SigningTask): Promise<Uint8Array | string>;
};

export function createThreads({ loadModule, restartAboveBytes, entry, ...options }: ThreadsOptions): Threads {
  const { name, maxQueued, log } = options;
  const newWorker = async () =>
    startThread(entry ?? new URL("thread.ts", import.meta.url), {
      name,
      workerData: { module: await loadModule(), restartAboveBytes } satisfies ThreadData,
      maxHeapMb: MAX_HEAP_MB,
    });
  const lost = {
    full: `${maxQueued} files already wait for a thread.`,
    closed: "The threads of Content Credentials have ended.",
    unstarted: "The C2PA library could not be loaded.",
    ended: "The thread ended in the middle of the work.",
  };
  const pool = new ThreadPool<Reply>({ ...options, newWorker });
  const run: Threads["run"] = (message) =>
    new Promise((resolve, reject) => {
      const { kind, mimeType } = message;
      const onReply: PoolTask<Reply>["onReply"] = (reply) => {
        if (reply.kind === "done") resolve(reply.result);
        else if (reply.kind === "refused") reject(new CredentialsRefused(reply.reason));
        else {
          const { reason } = reply;
          log.warn({ reason, kind, mimeType }, "the C2PA library failed over a file");
          reject(new CredentialsRefused(`The C2PA library failed: ${reason}`));
        }
        return reply.last ? "spent" : "free";
      };
      const onLost: PoolTask<Reply>["onLost"] = (reason, cause) =>
        reject(new CredentialsUnavailable(lost[reason], { cause }));
      pool.add({ message, label: { kind, mimeType }, onReply, onLost });
    });
  return { run, pending: () => pool.pending(), close: () => pool.close() };
}
