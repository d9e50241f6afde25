// A few threads that run the C2PA library, and the tasks that wait for them. Threads start when first needed, are replaced when they
// fail or hold too much memory, and never keep a process alive.
import { Worker } from "node:worker_threads";
import type { Logger } from "../../runtime/log.ts";
import type { Reply, Task, ThreadData } from "./thread.ts";

const MAX_HEAP_MB = 256;

/** A file or a certificate that the library refuses: the same task would fail again. */
export class CredentialsRefused extends Error {
  override readonly name = "CredentialsRefused";
}

/** Too many tasks wait, or a thread failed in the middle of this one: the same task may work the next time. */
export class CredentialsUnavailable extends Error {
  override readonly name = "CredentialsUnavailable";
}

export type ThreadsOptions = {
  readonly name: string;
  readonly threads: number;
  /** Tasks that may wait for a thread; more are refused with CredentialsUnavailable. */
  readonly maxQueued: number;
  /** A task that takes longer ends with its thread. */
  readonly maxMs: number;
  /** Called when the first thread starts. */
  readonly loadModule: () => Promise<WebAssembly.Module>;
  /** A thread whose library holds more memory after a task is replaced. */
  readonly restartAboveBytes: number;
  readonly log: Logger;
  /** Another entry than thread.ts, for tests. */
  readonly entry?: URL;
};

export type Threads = {
  /** Throws CredentialsRefused or CredentialsUnavailable. */
  run(task: Task): Promise<Uint8Array | string>;
  /** How many tasks wait or are being worked on. */
  pending(): number;
  close(): Promise<void>;
};

type Entry = {
  readonly task: Task;
  readonly resolve: (result: Uint8Array | string) => void;
  readonly reject: (error: Error) => void;
};
type Thread = { readonly worker: Worker; busy: Entry | null; timer: NodeJS.Timeout | undefined };

export function createThreads(options: ThreadsOptions): Threads {
  const { name, threads: maxThreads, maxQueued, maxMs, log } = options;
  const threads = new Set<Thread>();
  const queue: Entry[] = [];
  let starting = 0;
  let closed = false;

  return {
    pending: () => queue.length + [...threads].filter(({ busy }) => busy).length,
    run: (task) =>
      new Promise((resolve, reject) => {
        if (closed)
          return reject(new CredentialsUnavailable("The threads of Content Credentials have ended."));
        if (queue.length >= maxQueued)
          return reject(new CredentialsUnavailable(`${queue.length} files already wait for a thread.`));
        queue.push({ task, resolve, reject });
        dispatch();
      }),
    close: async () => {
      closed = true;
      for (const entry of queue.splice(0))
        entry.reject(new CredentialsUnavailable("The service is stopping."));
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };

  function dispatch(): void {
    while (queue.length > 0) {
      const thread = [...threads].find(({ busy }) => !busy);
      if (!thread) break;
      const entry = queue.shift();
      if (entry) hand(thread, entry);
    }
    const wanted = Math.min(queue.length - starting, maxThreads - threads.size - starting);
    for (let i = 0; i < wanted; i++) void start();
  }

  async function start(): Promise<void> {
    starting++;
    try {
      const module = await options.loadModule();
      if (!closed) threads.add(newThread(module));
    } catch (error) {
      log.error({ err: error, threads: name }, "the C2PA library could not be loaded");
      queue
        .shift()
        ?.reject(new CredentialsUnavailable("The C2PA library could not be loaded.", { cause: error }));
    } finally {
      starting--;
      if (!closed) dispatch();
    }
  }

  function newThread(module: WebAssembly.Module): Thread {
    const { restartAboveBytes, entry = new URL("thread.ts", import.meta.url) } = options;
    const worker = new Worker(entry, {
      name,
      execArgv: [],
      workerData: { module, restartAboveBytes } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 4 },
    });
    const thread: Thread = { worker, busy: null, timer: undefined };
    worker.on("message", (reply: Reply) => onReply(thread, reply));
    worker.on("error", (error) =>
      log.error({ err: error, threads: name }, "a thread of Content Credentials crashed"),
    );
    worker.on("exit", () => {
      threads.delete(thread);
      take(thread)?.reject(new CredentialsUnavailable("The thread ended in the middle of the work."));
      if (!closed) dispatch();
    });
    worker.unref();
    return thread;
  }

  function hand(thread: Thread, entry: Entry): void {
    thread.busy = entry;
    thread.timer = setTimeout(() => {
      log.error(
        { threads: name, kind: entry.task.kind, mimeType: entry.task.mimeType },
        "a thread of Content Credentials took too long",
      );
      void thread.worker.terminate();
    }, maxMs);
    // The process has a reason to live while a caller waits for the result.
    thread.worker.ref();
    thread.worker.postMessage(entry.task);
  }

  function onReply(thread: Thread, reply: Reply): void {
    const entry = take(thread);
    if (reply.last) {
      threads.delete(thread);
      void thread.worker.terminate();
    }
    if (reply.kind === "done") entry?.resolve(reply.result);
    else if (reply.kind === "refused") entry?.reject(new CredentialsRefused(reply.reason));
    else entry?.reject(new CredentialsUnavailable(`The C2PA library failed: ${reply.reason}`));
    dispatch();
  }

  /** The entry that the thread was busy with. */
  function take(thread: Thread): Entry | null {
    const entry = thread.busy;
    clearTimeout(thread.timer);
    thread.worker.unref();
    thread.busy = null;
    return entry;
  }
}
