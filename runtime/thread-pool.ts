// A few threads of one kind, and the queue of tasks for them. Threads start when first needed, are replaced when they end, and never keep a
// process alive.
import type { Worker } from "node:worker_threads";
import type { Logger } from "./log/log.ts";

export type PoolTask<Reply> = {
  /** Sent to the thread. */
  readonly message: unknown;
  /** What the log says of it. */
  readonly label: object;
  /** Returns whether the thread is still busy with the task, is free for another, or takes no more. */
  readonly onReply: (reply: Reply) => "busy" | "free" | "spent";
  /** The queue is full or closed, or the thread did not start or ended during the task. */
  readonly onLost: (reason: "full" | "closed" | "unstarted" | "ended", cause?: unknown) => void;
};

export type ThreadPoolOptions = {
  readonly name: string;
  readonly threads: number;
  /** The number of tasks that may wait for a thread. */
  readonly maxQueued: number;
  /** A task that takes longer is ended together with its thread. */
  readonly maxMs?: number;
  readonly newWorker: () => Worker | Promise<Worker>;
  readonly log: Logger;
};

type Thread<Reply> = {
  readonly worker: Worker;
  task?: PoolTask<Reply> | undefined;
  timer?: NodeJS.Timeout | undefined;
};

export class ThreadPool<Reply> {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<Thread<Reply>>();
  readonly #queue: PoolTask<Reply>[] = [];
  #starting = 0;
  #closed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  /** The number of tasks that wait or run. */
  pending(): number {
    return this.#queue.length + [...this.#threads].filter(({ task }) => task).length;
  }

  add(task: PoolTask<Reply>): void {
    if (this.#closed) return task.onLost("closed");
    if (this.#queue.length >= this.#options.maxQueued) return task.onLost("full");
    this.#queue.push(task);
    this.#dispatch();
  }

  /** Nothing waits for the task any more. Its thread is ended by force if it is still at it after a while. */
  drop(task: PoolTask<Reply>, graceMs: number): void {
    const place = this.#queue.indexOf(task);
    if (place >= 0) this.#queue.splice(place, 1);
    const thread = [...this.#threads].find((one) => one.task === task);
    thread?.worker.unref();
    const end = () => thread?.task === task && void thread.worker.terminate();
    if (thread) setTimeout(end, graceMs).unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const task of this.#queue.splice(0)) task.onLost("closed");
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #dispatch(): void {
    for (const thread of this.#threads) {
      const task = thread.task ? undefined : this.#queue.shift();
      if (task) this.#hand(thread, task);
    }
    const free = this.#options.threads - this.#threads.size - this.#starting;
    const wanted = Math.min(this.#queue.length - this.#starting, free);
    for (let i = 0; i < wanted; i++) void this.#start();
  }

  async #start(): Promise<void> {
    const { name, newWorker, log } = this.#options;
    this.#starting++;
    try {
      const worker = await newWorker();
      if (this.#closed) await worker.terminate();
      else this.#take({ worker });
    } catch (error) {
      log.error({ err: error, threads: name }, "a thread could not be started");
      this.#queue.shift()?.onLost("unstarted", error);
    } finally {
      this.#starting--;
      if (!this.#closed) this.#dispatch();
    }
  }

  #take(thread: Thread<Reply>): void {
    const { name, log } = this.#options;
    const { worker } = thread;
    worker.on("message", (reply: Reply) => this.#onReply(thread, reply));
    worker.on("error", (error) => log.error({ err: error, threads: name }, "a thread crashed"));
    worker.on("exit", () => {
      this.#threads.delete(thread);
      release(thread)?.onLost("ended");
      if (!this.#closed) this.#dispatch();
    });
    worker.unref();
    this.#threads.add(thread);
  }

  #hand(thread: Thread<Reply>, task: PoolTask<Reply>): void {
    const { name, maxMs, log } = this.#options;
    thread.task = task;
    const end = () => {
      log.error({ threads: name, ...task.label }, "a thread took too long");
      void thread.worker.terminate();
    };
    if (maxMs !== undefined) thread.timer = setTimeout(end, maxMs);
    // The process must stay alive while a caller waits for the result.
    thread.worker.ref();
    thread.worker.postMessage(task.message);
  }

  #onReply(thread: Thread<Reply>, reply: Reply): void {
    const state = thread.task?.onReply(reply) ?? "free";
    if (state === "busy") return;
    release(thread);
    if (state === "spent") {
      this.#threads.delete(thread);
      void thread.worker.terminate();
    }
    this.#dispatch();
  }
}

/** Frees the thread and returns the task that it had. */
function release<Reply>(thread: Thread<Reply>): PoolTask<Reply> | undefined {
  const { task } = thread;
  clearTimeout(thread.timer);
  thread.worker.unref();
  thread.task = undefined;
  return task;
}
