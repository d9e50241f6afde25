// Gathers requests that wait at the same time into one transaction. While a batch is being committed, the next one fills.
import { AppError } from "../../../proto/codes.ts";
import { createContention, type Contention } from "./contention.ts";
import { TooManyConflicts } from "./errors.ts";

/** How long the caller waits, and whether it still waits. */
export type Deadline = {
  /** By performance.now(). */
  readonly untilMs: number;
  /** Aborted when the caller no longer waits. */
  readonly signal: AbortSignal;
};

/** What a commit knows about its batch. */
export type Batch = {
  /**
   * Whether the caller of this request still waits. Commits ask as late as possible, so that nothing is done for callers that have left.
   */
  isWanted(index: number): boolean;
  /** The number of lost write conflicts after which to throw TooManyConflicts; smaller batches follow. */
  readonly maxConflicts: number;
  /** Receives the time of the commit itself. */
  onCommitted?(tookMs: number): void;
};

export type GroupCommitOptions<Request, Result> = {
  /** The maximum number of requests per transaction: a number, or a function that is called before each. */
  maxBatch: number | (() => number);
  /** The factor by which batches may grow while commits are slow; 1 by default. */
  maxStretch?: number;
  /**
   * Batches that lose conflicts are halved down to this size; 1 by default. Requests that mostly write one document meet as many conflicts
   * in smaller batches and only become slower.
   */
  minBatch?: number;
  /**
   * Decides and commits a batch in one transaction. Returns results in the order of the requests: a refusal is a rejected entry of its own
   * and does not affect the others. Throws only if nothing was committed or the outcome is unknown.
   */
  commit: (requests: readonly Request[], batch: Batch) => Promise<PromiseSettledResult<Result>[]>;
  /** True if trying again in halves cannot help, because the database itself is unavailable. */
  isHopeless: (error: unknown) => boolean;
  /** Shared with the transactions that would conflict with these. */
  contention?: Contention;
};

export type GroupCommit<Request, Result> = {
  /** Resolves once the batch with this request is committed. Refuses immediately if that would be too late for the caller. */
  (request: Request, deadline?: Deadline): Promise<Result>;
  /** How long the oldest pending request has waited; 0 if there is none. */
  oldestWaitingMs(): number;
};

/** Used until a batch has been committed. */
const FIRST_BATCH_MS = 50;
/** The usual time is the median of this many, so that one slow batch during an outage does not affect those after it. */
const REMEMBERED = 5;
/** If a commit takes longer than this, batches grow, because its time hardly depends on their size. */
const QUICK_COMMIT_MS = 25;
/** A request with less time left than a batch usually takes is not started, unless batches take longer than this. */
const MAX_MARGIN_MS = 250;
const MAX_RETRY_SECONDS = 5;
const MAX_CONFLICTS = 3;
/** After conflicts, each committed batch lets the next one grow by this factor. */
const GROWTH = 1.25;

const FOR_EVER: Deadline = { untilMs: Number.POSITIVE_INFINITY, signal: new AbortController().signal };

type Waiting<Request, Result> = {
  readonly request: Request;
  readonly deadline: Deadline;
  readonly sinceMs: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
};

export function createGroupCommit<Request, Result>(
  options: GroupCommitOptions<Request, Result>,
): GroupCommit<Request, Result> {
  type One = Waiting<Request, Result>;
  const { contention = createContention() } = options;
  const waiting: One[] = [];
  let inFlight: readonly One[] = [];
  let isRunning = false;
  const pace = createPace(options);

  function submit(request: Request, deadline = FOR_EVER): Promise<Result> {
    const waitMs = isRunning ? pace.waitMs(waiting.length) : 0;
    if (performance.now() + waitMs > deadline.untilMs) return Promise.reject(comeBackAfter(waitMs));
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ request, deadline, sinceMs: performance.now(), resolve, reject });
    if (!isRunning) void drain();
    return promise;
  }

  async function drain(): Promise<void> {
    isRunning = true;
    pace.begin();
    // Lets the requests of this turn of the event loop join the first batch.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      pace.begin();
      await commitOrSplit(take);
    }
    isRunning = false;
  }

  /** The next batch without requests whose callers have left. */
  function take(): readonly One[] {
    const marginMs = pace.marginMs();
    return waiting.splice(0, pace.size()).filter((one) => {
      if (isWanted(one, marginMs)) return true;
      one.reject(new AppError("deadline_exceeded"));
      return false;
    });
  }

  async function commitOrSplit(choose: () => readonly One[]): Promise<void> {
    try {
      const results = await contention.run(async () => {
        inFlight = choose();
        const requests = inFlight.map(({ request }) => request);
        return requests.length === 0 ? [] : options.commit(requests, about(inFlight, pace.onCommitted));
      });
      if (inFlight.length > 0) pace.committed(inFlight.length);
      answer(inFlight, results);
    } catch (error) {
      await takeApart(inFlight, error);
    }
    inFlight = [];
  }

  /** Handles a batch that could not be committed as a whole. */
  async function takeApart(batch: readonly One[], error: unknown): Promise<void> {
    const middle = batch.length >> 1;
    if (error instanceof TooManyConflicts && batch.length > 1) {
      pace.lost(batch.length);
      waiting.unshift(...batch);
    } else if (batch.length === 1 || options.isHopeless(error)) {
      for (const { reject } of batch) reject(error);
    } else {
      // One invalid request must not fail its neighbours: halving finds it.
      await commitOrSplit(() => batch.slice(0, middle));
      await commitOrSplit(() => batch.slice(middle));
    }
  }

  return Object.assign(submit, {
    oldestWaitingMs: () => {
      const oldest = inFlight[0] ?? waiting[0];
      return oldest ? performance.now() - oldest.sinceMs : 0;
    },
  });
}

/** Learns from earlier batches how many requests to take and how long a batch needs. */
type Pace = {
  size(): number;
  /** Records that a batch begins to wait for others. */
  begin(): void;
  committed(count: number): void;
  /** Records the time of the commit itself. */
  onCommitted(tookMs: number): void;
  /** A batch of this size lost too many conflicts; a smaller one touches fewer accounts that others are writing. */
  lost(count: number): void;
  /** The rest of the batch in flight, and the batches up to the one of a request that comes after this many others. */
  waitMs(before: number): number;
  /** The time that a request must have left for its batch to be started with it. */
  marginMs(): number;
};

function createPace({
  maxBatch,
  minBatch = 1,
  maxStretch = 1,
}: Pick<GroupCommitOptions<never, never>, "maxBatch" | "minBatch" | "maxStretch">): Pace {
  let begunMs = 0;
  /** The usual time of a batch, including the wait for others. */
  const batch = createUsual(FIRST_BATCH_MS);
  const commit = createUsual(QUICK_COMMIT_MS);
  /** The maximum batch size after lost conflicts. */
  let limit = Number.POSITIVE_INFINITY;
  const stretch = () => Math.min(maxStretch, Math.max(1, commit.usual() / QUICK_COMMIT_MS));
  const most = () => Math.floor((typeof maxBatch === "number" ? maxBatch : maxBatch()) * stretch());
  const size = () => Math.min(most(), Math.floor(limit));
  const sinceBegunMs = () => performance.now() - begunMs;
  return {
    size,
    begin: () => {
      begunMs = performance.now();
    },
    committed: (count) => {
      batch.add(sinceBegunMs());
      if (count >= size()) limit *= GROWTH;
    },
    onCommitted: commit.add,
    lost: (count) => {
      limit = Math.max(minBatch, count >> 1);
    },
    // A batch that takes longer than usual is expected to need as much time again.
    waitMs: (before) =>
      Math.abs(batch.usual() - sinceBegunMs()) + Math.ceil((before + 1) / size()) * batch.usual(),
    marginMs: () => Math.min(batch.usual(), MAX_MARGIN_MS),
  };
}

/** The median of recent times; `first` until there is one. */
function createUsual(first: number): { usual(): number; add(ms: number): void } {
  const last: number[] = [];
  let usual = first;
  return {
    usual: () => usual,
    add: (ms) => {
      if (last.push(ms) > REMEMBERED) last.shift();
      usual = last.toSorted((a, b) => a - b)[last.length >> 1] ?? first;
    },
  };
}

function comeBackAfter(waitMs: number): AppError {
  const retryAfterSeconds = Math.min(Math.max(1, Math.ceil(waitMs / 1000)), MAX_RETRY_SECONDS);
  return new AppError("service_unavailable", { retryAfterSeconds });
}

function about(batch: readonly { deadline: Deadline }[], onCommitted: (tookMs: number) => void): Batch {
  return {
    onCommitted,
    isWanted: (index) => {
      const one = batch[index];
      return one !== undefined && isWanted(one, 0);
    },
    maxConflicts: batch.length === 1 ? Number.POSITIVE_INFINITY : MAX_CONFLICTS,
  };
}

function answer<Request, Result>(
  batch: readonly Waiting<Request, Result>[],
  results: readonly PromiseSettledResult<Result>[],
): void {
  batch.forEach(({ resolve, reject }, i) => {
    const result = results[i];
    if (result?.status === "fulfilled") resolve(result.value);
    else reject(result ? result.reason : new Error("commit answered fewer requests than it was given"));
  });
}

function isWanted({ deadline }: { deadline: Deadline }, marginMs: number): boolean {
  return !deadline.signal.aborted && performance.now() + marginMs < deadline.untilMs;
}

export function fulfilled<T>(value: T): PromiseFulfilledResult<T> {
  return { status: "fulfilled", value };
}

export function rejected(reason: unknown): PromiseRejectedResult {
  return { status: "rejected", reason };
}
