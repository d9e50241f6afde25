// Reads documents by id for all callers that wait at the same time, in one query. No caller receives the result of a query that was sent
// before the call, so every acknowledged change is visible.

import type { Db } from "./client.ts";
import { isDatabaseAway } from "./errors.ts";

type Read<Doc> = (ids: readonly string[]) => Promise<ReadonlyMap<string, Doc>>;

type Lookup<Doc> = PromiseWithResolvers<Doc | undefined>;

type BatchedReadOptions<Doc> = {
  /** One query for the documents with these ids. */
  read: Read<Doc>;
  /** True if reading fewer ids cannot help, because the database itself is unavailable. */
  isHopeless: (error: unknown) => boolean;
  /** The maximum number of ids per query. */
  maxBatch?: number;
  /** While several callers share queries, the next query is sent this long after the one before at the earliest. */
  gapMs?: number;
};

const MAX_BATCH = 500;
/** A query that takes longer does not delay others: a new query is sent beside it. */
const SLOW_MS = 100;
const MAX_UNDER_WAY = 8;
/** A query costs node as much as several responses: without a gap, a service at half of its load spends the rest on queries with few ids. */
const GAP_MS = 4;

/**
 * Returns a function like `read`. Callers in the same turn of the event loop share a query, as do those that arrive while a query is
 * running. A failed query is repeated in halves, so that one bad document fails only its own readers. Callers share the documents and must
 * not change them.
 */
export function createBatchedRead<Doc>({
  read,
  isHopeless,
  maxBatch = MAX_BATCH,
  gapMs = GAP_MS,
}: BatchedReadOptions<Doc>): Read<Doc> {
  let waiting = new Map<string, Lookup<Doc>>();
  let isScheduled = false;
  let isWatched = false;
  let underWay = 0;
  let sentAtMs = 0;
  /** Those that wait, and whether the last query was for more than one. */
  let callers = 0;
  let isShared = false;

  function lookUp(id: string): Promise<Doc | undefined> {
    const same = waiting.get(id);
    if (same) return same.promise;
    const lookup: Lookup<Doc> = Promise.withResolvers();
    waiting.set(id, lookup);
    schedule();
    return lookup.promise;
  }

  function schedule(): void {
    if (isScheduled || waiting.size === 0) return;
    if (!maySend()) return scheduleLater();
    isScheduled = true;
    const leftMs = gapLeftMs();
    if (leftMs > 0) setTimeout(() => void send(), leftMs);
    else setImmediate(() => void send());
  }

  /** The query that is under way may hang, and no further caller may come. */
  function scheduleLater(): void {
    if (isWatched) return;
    isWatched = true;
    setTimeout(() => {
      isWatched = false;
      schedule();
    }, SLOW_MS + 1);
  }

  function maySend(): boolean {
    return underWay === 0 || (underWay < MAX_UNDER_WAY && performance.now() - sentAtMs > SLOW_MS);
  }

  function gapLeftMs(): number {
    return isShared ? gapMs - (performance.now() - sentAtMs) : 0;
  }

  async function send(): Promise<void> {
    isScheduled = false;
    underWay += 1;
    sentAtMs = performance.now();
    isShared = callers > 1;
    callers = 0;
    await answer(take(), { read, isHopeless });
    underWay -= 1;
    if (waiting.size === 0 || isScheduled) return;
    if (gapLeftMs() > 0) schedule();
    else void send();
  }

  /** The lookups that came first. Later callers do not join them. The rest gets a new Map (runtime/in-flight.ts has the reason). */
  function take(): [string, Lookup<Doc>][] {
    const all = [...waiting];
    waiting = new Map(all.slice(maxBatch));
    return all.slice(0, maxBatch);
  }

  return async (ids) => {
    callers += 1;
    const docs = await Promise.all(ids.map(lookUp));
    const found = new Map<string, Doc>();
    docs.forEach((doc, i) => doc !== undefined && found.set(ids[i] as string, doc));
    return found;
  };
}

/** Halves a batch whose query fails, until only those are refused that cannot be read. */
async function answer<Doc>(
  batch: readonly [string, Lookup<Doc>][],
  { read, isHopeless }: Pick<BatchedReadOptions<Doc>, "read" | "isHopeless">,
): Promise<void> {
  try {
    const found = await read(batch.map(([id]) => id));
    for (const [id, { resolve }] of batch) resolve(found.get(id));
  } catch (error) {
    const middle = batch.length >> 1;
    if (middle === 0 || isHopeless(error)) {
      for (const [, { reject }] of batch) reject(error);
    } else {
      await answer(batch.slice(0, middle), { read, isHopeless });
      await answer(batch.slice(middle), { read, isHopeless });
    }
  }
}

/** The same for a read of any database: callers of one process share queries to the same database. */
export function shareRead<Doc>(
  read: (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, Doc>>,
): (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, Doc>> {
  const reads = new WeakMap<Db, Read<Doc>>();
  return (db, ids) => {
    let shared = reads.get(db);
    if (!shared) {
      shared = createBatchedRead({ read: (some) => read(db, some), isHopeless: isDatabaseAway });
      reads.set(db, shared);
    }
    return shared(ids);
  };
}
