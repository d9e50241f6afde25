// What calls to providers cost the operator. Named queries only; no decisions. Nothing here is ever shown to a customer.
import { counted, erasing, keptFields } from "../../base/documents/fields.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";

/** made: it returned outputs. failed: the provider reported a failure. unknown: its response was lost. */
export type CallOutcome = "made" | "failed" | "unknown";

/**
 * One call to a provider, in the operator's accounting. Updates: never. Deletion: never; nothing in it identifies the account's owner.
 * Guarantees: written in the transaction that records the outcome of the call, once, by the id: job, fencing token and number.
 */
export type CostDoc = {
  _id: string;
  account_id: string;
  job_id: string;
  model_slug: string;
  provider: string;
  provider_model: string;
  /** The provider's own id of the call; absent where it returns none. */
  reference?: string;
  at: Date;
  outcome: CallOutcome;
  outputs: number;
  /** As the provider reports them. */
  seconds?: number;
  /** Millionths of the currency; absent where the cost is unknown. */
  micros?: number;
  currency?: string;
  /** provider: its own figure. rate: the rates of the route. */
  basis?: "provider" | "rate";
};

const COST_FIELDS = keptFields<CostDoc>()({
  ...counted("_id", "account_id", "job_id", "model_slug", "provider", "provider_model", "reference", "at"),
  ...counted("outcome", "outputs", "seconds", "micros", "currency", "basis"),
});

export const COST_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "provider_costs",
    holds: COST_FIELDS,
    indexes: [
      {
        name: "provider_at",
        key: { provider: 1, at: 1 },
        why: "the calls of a provider's bill",
      },
      {
        name: "account_at",
        key: { account_id: 1, at: 1 },
        why: "the calls of an account in a month, for margins and the audit",
      },
    ],
  },
];

const costs = collectionNamed<CostDoc>("provider_costs");

export async function insertCosts(db: Db, docs: readonly CostDoc[], { session }: TxContext): Promise<void> {
  if (docs.length > 0) await costs(db).insertMany([...docs], { session, ordered: false });
}

/** Reduces an account's costs to their counted fields, which are all that this release writes. */
export async function eraseCosts(db: Db, accountId: string): Promise<void> {
  await costs(db).updateMany({ account_id: accountId }, erasing(COST_FIELDS), { hint: "account_at" });
}

/** Calls of a provider that ended in this time, oldest first. */
export function streamCostsOfProvider(
  db: Db,
  { provider, since, until }: { provider: string; since: Date; until: Date },
): AsyncIterable<CostDoc> {
  return costs(db)
    .find({ provider, at: { $gte: since, $lt: until } }, { hint: "provider_at" })
    .sort({ at: 1 })
    .batchSize(1000);
}

/** Calls of an account that ended in this time, or of any time. */
export function streamCostsOfAccount(
  db: Db,
  { accountId, since, until }: { accountId: string; since?: Date; until?: Date },
  { session }: ReadContext = {},
): AsyncIterable<CostDoc> {
  const at = { ...(since && { $gte: since }), ...(until && { $lt: until }) };
  return costs(db)
    .find(
      { account_id: accountId, ...(Object.keys(at).length > 0 && { at }) },
      { hint: "account_at", ...(session && { session }) },
    )
    .sort({ at: 1 })
    .batchSize(1000);
}
