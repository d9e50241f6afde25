// Finds which accounts have data of a kind. Most have none of most kinds, and querying each account for each kind would dominate an audit
// of many accounts.
import type { Db } from "../../base/mongo/client.ts";
import type { SnapshotContext } from "../../base/mongo/in-tx.ts";

/** Collections whose documents name their account. */
const BY_ACCOUNT = [
  "jobs",
  "workflows",
  "orders",
  "payments",
  "licences",
  "subscriptions",
  "provider_costs",
  "holds",
  "api_keys",
] as const;
/** Collections whose ids begin with the account id, and the separator that follows it. */
const BY_ID = { archive_segments: "/", idempotency_keys: " ", log_heads: "/" } as const;

export type Kind = (typeof BY_ACCOUNT)[number] | keyof typeof BY_ID;

/** Whether one of the requested accounts has documents of a kind. */
export type Presence = (kind: Kind, accountId: string) => boolean;

/** `accountIds` must be sorted. */
export async function findPresence(
  db: Db,
  accountIds: readonly string[],
  { session }: SnapshotContext,
): Promise<Presence> {
  const found = new Set<string>();
  // One after the other, because a session runs one read at a time.
  const look = async (kind: string, match: object, accountId: unknown) => {
    const stages = [{ $match: match }, { $group: { _id: accountId } }];
    for await (const { _id } of db.collection(kind).aggregate(stages, { session }))
      found.add(`${kind} ${_id}`);
  };
  for (const kind of BY_ACCOUNT) await look(kind, { account_id: { $in: accountIds } }, "$account_id");
  const theirs = { _id: { $gte: accountIds[0], $lt: `${accountIds.at(-1)}~` } };
  for (const [kind, separator] of Object.entries(BY_ID))
    await look(kind, theirs, { $first: { $split: ["$_id", separator] } });
  return (kind, accountId) => found.has(`${kind} ${accountId}`);
}
