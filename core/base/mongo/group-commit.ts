// Gathers requests that wait at the same time into one transaction. While a batch is being committed the next one fills.
import { AppError } from "../../../proto/codes.ts";
import { TooManyConflicts } from "./errors.ts";
import { createContention, type Contention } from "./contention.ts";

/** How long whoever asks will wait, and whether it still does. */
export type Deadline = {
  /** By performance.now(). */
  readonly untilMs: number;
  /** Aborted when no one waits any more. */
  readonly signal: AbortSignal;
};

/** What a commit may know of its batch. */
export type Batch = {
  /** Whether someone still waits for this request. Ask as late as possible, so that nothing is done for callers who have gone. */
  isWanted(index: number): boolean;
  /** The number of lost write conflicts after which to throw TooManyConflicts; smaller batches follow. */
  readonly maxConflicts: number;
  /** To be told what the commit itself took. */
  onCommitted?(tookMs: number): void;
};

export type GroupCommitOptions<Request, Result> = {
  /** The most requests in one transaction: a number, or a function that is called before each. */
  maxBatch: number | (() => number);
  /** How many times as many there may be while commits take long; 1 unless given. */
  maxStretch?: number;
  /**
   * Batches that lose conflicts are halved down to this; 1 unless given. Requests that mostly write one document meet as many conflicts in
   * smaller batches, and are only slower then.
   */
  minBatch?: number;
  /**
   * Decides and commits a batch in one transaction. Answers request by request, in order: a refusal of one is its own rejected entry and
   * does not touch the others. Throws only when nothing at all was committed, or no one knows.
   */
  commit: (requests: readonly Request[], batch: Batch) => Promise<PromiseSettledResult<Result>[]>;
  /** True where trying again in halves cannot help, because the database itself is away. */
  isHopeless: (error: unknown) => boolean;
  /** Shared with the transactions that would conflict with these. */
  contention?: Contention;
};

export type GroupCommit<Request, Result> = {
  /** Answers once the batch with this request is committed. Refuses immediately if that would be too late for whoever asks. */
  (request: Request, deadline?: Deadline): Promise<Result>;
  /** How long the oldest request that has no answer yet has waited; 0 when there is none. */
  oldestWaitingMs(): number;
};

/** Until one has been committed. */
const FIRST_BATCH_MS = 50;
/** The usual time is the one in the middle of so many: one batch that took long, for an outage, says nothing of those after it. */
const REMEMBERED = 5;
/** Where a commit takes longer than this, batches grow with it: what it takes hardly depends on how much is committed. */
const QUICK_COMMIT_MS = 25;
/** A request that has less time left than a batch usually takes is not begun, unless batches take longer than this. */
const MAX_MARGIN_MS = 250;
const MAX_RETRY_SECONDS = 5;
const MAX_CONFLICTS = 3;
/** After conflicts batches grow again by this with each one that is committed. */
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
    // Let the requests of this turn of the event loop join the first batch.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      pace.begin();
      await commitOrSplit(take);
    }
    isRunning = false;
  }

  /** The next batch, without those that no one waits for. */
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

  /** What becomes of a batch that could not be committed as a whole. */
  async function takeApart(batch: readonly One[], error: unknown): Promise<void> {
    const middle = batch.length >> 1;
    if (error instanceof TooManyConflicts && batch.length > 1) {
      pace.lost(batch.length);
      waiting.unshift(...batch);
    } else if (batch.length === 1 || options.isHopeless(error)) {
      for (const { reject } of batch) reject(error);
    } else {
      // One poisoned request must not fail its neighbours: find it by halving.
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

/** How many requests go into a batch, and how long one takes, as those before have taught. */
type Pace = {
  size(): number;
  /** A batch begins to wait for others. */
  begin(): void;
  committed(count: number): void;
  /** What the commit of a batch took by itself. */
  onCommitted(tookMs: number): void;
  /** A batch of so many lost too many conflicts: the fewer accounts one touches the fewer it meets that someone else is writing. */
  lost(count: number): void;
  /** What is left of the batch in flight, and the batches up to the one of a request that comes after so many others. */
  waitMs(before: number): number;
  /** What a request must have left for its batch to be begun with it. */
  marginMs(): number;
};

function createPace({
  maxBatch,
  minBatch = 1,
  maxStretch = 1,
}: Pick<GroupCommitOptions<never, never>, "maxBatch" | "minBatch" | "maxStretch">): Pace {
  let begunMs = 0;
  /** What a batch usually takes, the wait for others included. */
  const batch = createUsual(FIRST_BATCH_MS);
  const commit = createUsual(QUICK_COMMIT_MS);
  /** Batches are no larger than this after they lost conflicts. */
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
    // A batch that takes longer than usual is expected to take as much longer again.
    waitMs: (before) =>
      Math.abs(batch.usual() - sinceBegunMs()) + Math.ceil((before + 1) / size()) * batch.usual(),
    marginMs: () => Math.min(batch.usual(), MAX_MARGIN_MS),
  };
}

/** The median of the last few times; `first` until there is one. */
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
