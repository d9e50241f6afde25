// Which shard of a cluster an account lies on, and what the transactions of one shard share.
import { type Contention, createContention } from "./contention.ts";

/**
 * The shard of an account, as it was known a moment ago. An account may move at any time: a transaction that touches two shards for that
 * is slower, and never wrong.
 */
export type ShardMap = { shardOf(accountId: string): string };

export type Shards = ShardMap & {
  /** Transactions of one shard meet none of another's documents, and wait for none of them. */
  contentionOf(shard: string): Contention;
};

export function createShards(map: ShardMap): Shards {
  const contentions = new Map<string, Contention>();
  return {
    shardOf: map.shardOf,
    contentionOf: (shard) => {
      const contention = contentions.get(shard) ?? createContention();
      contentions.set(shard, contention);
      return contention;
    },
  };
}
