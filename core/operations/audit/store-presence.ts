// Which accounts have anything of a kind at all. Most have nothing of most kinds, and asking for each of them one by one takes most of an
// audit of many accounts.
import type { Db } from "../../base/mongo/client.ts";
import type { SnapshotContext } from "../../base/mongo/in-tx.ts";

/** Collections whose rows name their account. */
const BY_ACCOUNT = [
  "jobs",
  "workflows",
  "orders",
  "payments",
  "licences",
  "subscriptions",
  "provider_costs",
  "holds",
] as const;
/** Collections whose ids begin with it, and what follows it there. */
const BY_ID = { archive_segments: "/", idempotency_keys: " ", log_heads: "/" } as const;

export type Kind = (typeof BY_ACCOUNT)[number] | keyof typeof BY_ID;

/** Whether one of the accounts that were asked about has rows of a kind. */
export type Presence = (kind: Kind, accountId: string) => boolean;

/** `accountIds` in order. */
export async function findPresence(
  db: Db,
  accountIds: readonly string[],
  { session }: SnapshotContext,
): Promise<Presence> {
  const found = new Set<string>();
  // One after the other: reads of one session do not go side by side.
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
