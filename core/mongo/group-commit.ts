// Gathers requests that wait at the same time into one transaction. While a batch is being committed the next one fills.
import { AppError } from "../../proto/codes.ts";

export type GroupCommitOptions<Request, Result> = {
  /** Most requests in one transaction: a number, or what is asked before each. */
  maxBatch: number | (() => number);
  /** Most requests that may wait; one more is refused with service_unavailable. */
  maxWaiting: number;
  /**
   * Decides and commits a batch in one transaction. Answers request by request, in order: a refusal of one is its own
   * rejected entry and does not touch the others. Throws only when nothing at all was committed.
   */
  commit: (requests: readonly Request[]) => Promise<PromiseSettledResult<Result>[]>;
  /** True where trying again in halves cannot help, because the database itself is away. */
  isHopeless: (error: unknown) => boolean;
};

type Waiting<Request, Result> = {
  request: Request;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
};

/** Gives a function that takes one request and answers when the batch it went into is committed. */
export function createGroupCommit<Request, Result>(
  options: GroupCommitOptions<Request, Result>,
): (request: Request) => Promise<Result> {
  const waiting: Waiting<Request, Result>[] = [];
  const { maxBatch } = options;
  const batchSize = typeof maxBatch === "number" ? () => maxBatch : maxBatch;
  let running = false;

  return (request) => {
    if (waiting.length >= options.maxWaiting) {
      return Promise.reject(new AppError("service_unavailable", { retryAfterSeconds: 1 }));
    }
    return new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      if (!running) void drain();
    });
  };

  async function drain(): Promise<void> {
    running = true;
    // Let the requests of this turn of the event loop join the first batch.
    await new Promise(setImmediate);
    while (waiting.length > 0) await commitOrSplit(waiting.splice(0, batchSize()));
    running = false;
  }

  async function commitOrSplit(batch: Waiting<Request, Result>[]): Promise<void> {
    let results: PromiseSettledResult<Result>[];
    try {
      results = await options.commit(batch.map(({ request }) => request));
    } catch (error) {
      if (batch.length === 1 || options.isHopeless(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      // One poisoned request must not fail its neighbours: find it by halving.
      const middle = batch.length >> 1;
      await commitOrSplit(batch.slice(0, middle));
      await commitOrSplit(batch.slice(middle));
      return;
    }
    batch.forEach(({ resolve, reject }, i) => {
      const result = results[i];
      if (result?.status === "fulfilled") resolve(result.value);
      else reject(result ? result.reason : new Error("commit answered fewer requests than it was given"));
    });
  }
}

export function fulfilled<T>(value: T): PromiseFulfilledResult<T> {
  return { status: "fulfilled", value };
}

export function rejected(reason: unknown): PromiseRejectedResult {
  return { status: "rejected", reason };
}
