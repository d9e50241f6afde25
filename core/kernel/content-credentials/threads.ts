// A few threads that run the C2PA library, and the queue of tasks for them. Threads start when first needed, are replaced if they fail or
// hold too much memory, and never keep a process alive.
import { Worker } from "node:worker_threads";
import type { Logger } from "../../../runtime/log/log.ts";
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

export type ThreadsOptions = {
  readonly name: string;
  readonly threads: number;
  /** The number of tasks that may wait for a thread; more are refused with CredentialsUnavailable. */
  readonly maxQueued: number;
  /** A task that takes longer is ended together with its thread. */
  readonly maxMs: number;
  /** Called when the first thread starts. */
  readonly loadModule: () => Promise<WebAssembly.Module>;
  /** A thread whose library holds more memory than this after a task is replaced. */
  readonly restartAboveBytes: number;
  readonly log: Logger;
  /** An entry other than thread.ts, for tests. */
  readonly entry?: URL;
};

export type Threads = {
  /** Throws CredentialsRefused or CredentialsUnavailable. */
  run(task: SigningTask): Promise<Uint8Array | string>;
  /** The number of tasks that wait or run. */
  pending(): number;
  close(): Promise<void>;
};

type Entry = {
  readonly task: SigningTask;
  readonly resolve: (result: Uint8Array | string) => void;
  readonly reject: (error: Error) => void;
};
type Thread = { readonly worker: Worker; busy: Entry | null; timer: NodeJS.Timeout | undefined };

export function createThreads(options: ThreadsOptions): Threads {
  const pool = new Pool(options);
  return {
    pending: () => pool.pending(),
    run: (task) => new Promise((resolve, reject) => pool.add({ task, resolve, reject })),
    close: () => pool.close(),
  };
}

class Pool {
  readonly #options: ThreadsOptions;
  readonly #threads = new Set<Thread>();
  readonly #queue: Entry[] = [];
  #starting = 0;
  #closed = false;

  constructor(options: ThreadsOptions) {
    this.#options = options;
  }

  pending(): number {
    return this.#queue.length + [...this.#threads].filter(({ busy }) => busy).length;
  }

  add(entry: Entry): void {
    const waiting = this.#queue.length;
    if (this.#closed)
      entry.reject(new CredentialsUnavailable("The threads of Content Credentials have ended."));
    else if (waiting >= this.#options.maxQueued)
      entry.reject(new CredentialsUnavailable(`${waiting} files already wait for a thread.`));
    else {
      this.#queue.push(entry);
      this.#dispatch();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const entry of this.#queue.splice(0))
      entry.reject(new CredentialsUnavailable("The service is stopping."));
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      const thread = [...this.#threads].find(({ busy }) => !busy);
      const entry = thread && this.#queue.shift();
      if (!entry) break;
      this.#hand(thread, entry);
    }
    const free = this.#options.threads - this.#threads.size - this.#starting;
    const wanted = Math.min(this.#queue.length - this.#starting, free);
    for (let i = 0; i < wanted; i++) void this.#start();
  }

  async #start(): Promise<void> {
    this.#starting++;
    try {
      const module = await this.#options.loadModule();
      if (!this.#closed) this.#threads.add(this.#newThread(module));
    } catch (error) {
      this.#options.log.error({ err: error }, "the C2PA library could not be loaded");
      const words = "The C2PA library could not be loaded.";
      this.#queue.shift()?.reject(new CredentialsUnavailable(words, { cause: error }));
    } finally {
      this.#starting--;
      if (!this.#closed) this.#dispatch();
    }
  }

  #newThread(module: WebAssembly.Module): Thread {
    const { name, restartAboveBytes, log, entry = new URL("thread.ts", import.meta.url) } = this.#options;
    const worker = new Worker(entry, {
      name,
      execArgv: [],
      workerData: { module, restartAboveBytes } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 4 },
    });
    const thread: Thread = { worker, busy: null, timer: undefined };
    worker.on("message", (reply: Reply) => this.#onReply(thread, reply));
    worker.on("error", (error) =>
      log.error({ err: error, threads: name }, "a thread of Content Credentials crashed"),
    );
    worker.on("exit", () => {
      this.#threads.delete(thread);
      release(thread)?.reject(new CredentialsUnavailable("The thread ended in the middle of the work."));
      if (!this.#closed) this.#dispatch();
    });
    worker.unref();
    return thread;
  }

  #hand(thread: Thread, entry: Entry): void {
    const { name, maxMs, log } = this.#options;
    const { kind, mimeType } = entry.task;
    thread.busy = entry;
    thread.timer = setTimeout(() => {
      log.error({ threads: name, kind, mimeType }, "a thread of Content Credentials took too long");
      void thread.worker.terminate();
    }, maxMs);
    // The process must stay alive while a caller waits for the result.
    thread.worker.ref();
    thread.worker.postMessage(entry.task);
  }

  #onReply(thread: Thread, reply: Reply): void {
    const entry = release(thread);
    if (reply.last) {
      this.#threads.delete(thread);
      void thread.worker.terminate();
    }
    if (reply.kind === "done") entry?.resolve(reply.result);
    else if (reply.kind === "refused") entry?.reject(new CredentialsRefused(reply.reason));
    else {
      const { reason } = reply;
      const { kind, mimeType } = entry?.task ?? {};
      this.#options.log.warn({ reason, kind, mimeType }, "the C2PA library failed over a file");
      entry?.reject(new CredentialsRefused(`The C2PA library failed: ${reason}`));
    }
    this.#dispatch();
  }
}

/** Frees the thread and returns the task that it had. */
function release(thread: Thread): Entry | null {
  const entry = thread.busy;
  clearTimeout(thread.timer);
  thread.worker.unref();
  thread.busy = null;
  return entry;
}
