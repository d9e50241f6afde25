// Keeps transactions within one shard of a cluster: work is divided by where its accounts lie. Where all of them lie in one place nothing is
// divided and nothing is asked.
import type { Mongo } from "./client.ts";
import type { GroupCommit, Patience } from "./group-commit.ts";
import type { Shards } from "./shards.ts";

type OnMongo = { readonly mongo: Mongo };

/** For transactions on the accounts of one shard. */
function onShard<App extends OnMongo>(app: App, shards: Shards, shard: string): App {
  return { ...app, mongo: { ...app.mongo, contention: shards.contentionOf(shard) } };
}

/** Of requests without an account, which touch none. */
const NO_SHARD = "";

/**
 * One queue where all accounts lie in one place. In a cluster one for each shard, so that no batch holds accounts of two, and each shard
 * commits beside the others. `accountOf` answers undefined for a request that is nobody's.
 */
export function createLanes<App extends OnMongo, Request, Result>(
  app: App,
  open: (app: App) => GroupCommit<Request, Result>,
  accountOf: (request: Request) => string | undefined | Promise<string | undefined>,
): GroupCommit<Request, Result> {
  const { shards } = app.mongo;
  if (!shards) return open(app);
  const lanes = new Map<string, GroupCommit<Request, Result>>();
  const laneOf = (accountId: string | undefined): GroupCommit<Request, Result> => {
    const shard = accountId === undefined ? NO_SHARD : shards.shardOf(accountId);
    const lane = lanes.get(shard) ?? open(onShard(app, shards, shard));
    lanes.set(shard, lane);
    return lane;
  };
  const submit = async (request: Request, patience?: Patience): Promise<Result> =>
    laneOf(await accountOf(request))(request, patience);
  return Object.assign(submit, {
    oldestWaitingMs: () => Math.max(0, ...[...lanes.values()].map((lane) => lane.oldestWaitingMs())),
  });
}

/**
 * Has the work done for the items of each shard by themselves, side by side; for all of them at once where accounts lie in one place.
 * What fails on one shard is left for the next time, unless nothing came of the others.
 */
export async function onEachShard<App extends OnMongo, Item, Result>(
  app: App,
  items: readonly Item[],
  accountOf: (item: Item) => string,
  work: (app: App, items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const { shards } = app.mongo;
  if (!shards) return work(app, items);
  const groups = Map.groupBy(items, (item) => shards.shardOf(accountOf(item)));
  const done = await Promise.allSettled(
    [...groups].map(([shard, own]) => work(onShard(app, shards, shard), own)),
  );
  const results = done.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  const failed = done.find((one) => one.status === "rejected");
  if (failed && results.length === 0) throw failed.reason;
  return results;
}
