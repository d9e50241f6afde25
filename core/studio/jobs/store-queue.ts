// Waiting jobs, and the slots that the jobs before them use.
import { shareRead } from "../../base/mongo/batched-read.ts";
import type { Db } from "../../base/mongo/client.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { jobs } from "./store.ts";

const COUNT_BOUND_MS = 2_000;

/** Steps of workflows that wait for others have no deadline yet, and no place in the queue. */
const IN_QUEUE = { queue_deadline: { $gte: new Date(0) } };
/** Accounts with longer queues have their jobs counted instead, as do those for which the query has no room. */
const SHORT_QUEUE = 100;
const MOST_LISTED = 5_000;

/** Jobs past their deadline take no slot: the next sweep ends them. */
const claimable = (at: Date) => ({ queue_deadline: { $gt: at } });

/** Jobs of these models are skipped. Included only if there are some, because then the documents are read and not only the index. */
function notOf(paused: readonly string[]) {
  return paused.length === 0 ? {} : { model_slug: { $nin: [...paused] } };
}

/**
 * The ids of all claimable jobs of these accounts, except those of paused models, oldest first in each. Reads the whole queues, so it is for
 * accounts with short ones.
 */
export async function findWaitingIds(
  db: Db,
  accountIds: readonly string[],
  paused: readonly string[],
  { session, now }: TxContext,
): Promise<{ accountId: string; jobId: string }[]> {
  if (accountIds.length === 0) return [];
  const found = await jobs(db)
    .find(
      { state: "reserved", account_id: { $in: [...accountIds] }, ...claimable(now), ...notOf(paused) },
      { session, projection: { account_id: 1 }, hint: "live" },
    )
    .sort({ state: 1, account_id: 1, _id: 1 })
    .toArray();
  return found.map(({ _id, account_id }) => ({ accountId: account_id, jobId: _id }));
}

/** The ids of the oldest waiting jobs of one account: all, or the claimable ones except those of `paused` models. */
export async function findOldestWaitingIds(
  db: Db,
  accountId: string,
  { limit, paused }: { limit: number; paused?: readonly string[] },
  { session, now }: TxContext,
): Promise<{ accountId: string; jobId: string }[]> {
  const found = await jobs(db)
    .find(
      {
        state: "reserved",
        account_id: accountId,
        ...(paused ? { ...claimable(now), ...notOf(paused) } : IN_QUEUE),
      },
      { session, projection: { account_id: 1 }, hint: "live" },
    )
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  return found.map(({ _id }) => ({ accountId, jobId: _id }));
}

export async function findOverdue(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ accountId: string; jobId: string }[]> {
  // Looks at the index entries of all waiting jobs; no one waits for this.
  const found = await jobs(db)
    .find(
      { state: "reserved", queue_deadline: { $lte: now } },
      { projection: { account_id: 1 }, hint: "live" },
    )
    .limit(limit)
    .toArray();
  return found.map(({ _id, account_id }) => ({ accountId: account_id, jobId: _id }));
}

/** The ids of an account's waiting jobs, the oldest first, read together with those that others of this process ask for at the same time. */
const readShortQueues = shareRead<readonly string[]>(async (db, accountIds) => {
  const limit = Math.min(SHORT_QUEUE * accountIds.length, MOST_LISTED);
  const found = await jobs(db)
    .find(
      { state: "reserved", account_id: { $in: [...accountIds] }, ...IN_QUEUE },
      { projection: { account_id: 1 }, hint: "live" },
    )
    .sort({ state: 1, account_id: 1, _id: 1 })
    .limit(limit)
    .batchSize(limit)
    .toArray();
  const cutAt = found.length === limit ? found.at(-1)?.account_id : undefined;
  const whole = accountIds.filter((id) => cutAt === undefined || id < cutAt);
  const queues = new Map<string, string[]>(whole.map((id) => [id, []]));
  for (const { _id, account_id } of found) queues.get(account_id)?.push(_id);
  return queues;
});

/** The places of these waiting jobs in their account's queue, by id: 1 is next. Reads only index entries. */
export async function queuePositions(
  db: Db,
  accountId: string,
  jobIds: readonly string[],
): Promise<Map<string, number>> {
  const asked = jobIds.toSorted();
  const [oldest, newest] = [asked.at(0), asked.at(-1)];
  if (oldest === undefined || newest === undefined) return new Map();
  const short = (await readShortQueues(db, [accountId])).get(accountId);
  const { before, from } = short
    ? { before: 0, from: short }
    : await countBefore(db, accountId, { oldest, newest });
  return new Map(asked.map((id) => [id, before + 1 + from.filter((other) => other < id).length]));
}

/** How many jobs of a queue wait before the oldest, and the ids from it to the newest. */
async function countBefore(
  db: Db,
  accountId: string,
  { oldest, newest }: { oldest: string; newest: string },
): Promise<{ before: number; from: readonly string[] }> {
  const waiting = (ids: object) => ({
    state: "reserved" as const,
    account_id: accountId,
    _id: ids,
    ...IN_QUEUE,
  });
  const [before, from] = await Promise.all([
    // The driver advises against this command, because it is not exact on shards. countDocuments is a $group, and MongoDB compiles a plan
    // for each.
    jobs(db).count(waiting({ $lt: oldest }), { hint: "live" }),
    oldest === newest
      ? []
      : jobs(db)
          .find(waiting({ $gte: oldest, $lt: newest }), { projection: { _id: 1 }, hint: "live" })
          .toArray(),
  ]);
  return { before, from: from.map(({ _id }) => _id) };
}

/** The used concurrency slots of these accounts, counted from the running jobs. Accounts without any are left out. */
export async function countRunning(
  db: Db,
  accountIds: readonly string[],
  { session }: TxContext,
): Promise<Map<string, number>> {
  // Index entries only, counted here: MongoDB compiles a plan for each $group, which costs more than the rest of a claim.
  const found = await jobs(db)
    .find(
      { state: "running", account_id: { $in: [...accountIds] } },
      { session, projection: { _id: 0, account_id: 1 }, hint: "live" },
    )
    .toArray();
  const counts = new Map<string, number>();
  for (const { account_id: id } of found) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** The number of running and queued jobs, up to `atMost`, their first deadline, and the oldest of them. Reads only index entries. */
export async function countLive(
  db: Db,
  state: "reserved" | "running",
  atMost: number,
): Promise<{ count: number; first?: { deadline: Date; id: string } }> {
  const [found] = await jobs(db)
    .aggregate<{ count: number; deadline: Date; id: string }>(
      [
        { $match: { state, ...IN_QUEUE } },
        { $limit: atMost },
        {
          $group: {
            _id: null,
            count: { $sum: 1 },
            deadline: { $min: "$queue_deadline" },
            id: { $min: "$_id" },
          },
        },
      ],
      { hint: "live", maxTimeMS: COUNT_BOUND_MS },
    )
    .toArray();
  return found ? { count: found.count, first: found } : { count: 0 };
}
