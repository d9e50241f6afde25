// Changes by operators.
import { counted, erasing, keptFields } from "../../base/documents/fields.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { findNewest } from "../../base/mongo/newest.ts";

/** Updates: its outcome, once; texts and address are removed when its account is deleted. Deletion: never. */
export type AuditTrailDoc = {
  _id: string;
  /** The name of the service whose token was used. */
  who: string;
  /** The operator, as that service named them; null if it named no one. */
  operator: string | null;
  /** The RPC method. */
  what: string;
  /** The account, key, model or service name, as given. */
  target: string;
  /** Other arguments, for example the new plan. It is never a secret. */
  detail: string;
  /** Why, in the operator's words; null when none were given. */
  reason: string | null;
  at: Date;
  request_id: string;
  /** `done`, `stopped` halfway, or the code of the refusal. Null while unknown, which may be permanent. */
  outcome: string | null;
  /** The numbers before and after; absent if there is nothing to count. */
  result?: string;
  /** The bulk that it belongs to. */
  bulk?: string;
};

/** An operator's text about an account concerns its owner, who does not see it. */
export const AUDIT_TRAIL_FIELDS = keptFields<AuditTrailDoc>()({
  ...counted("_id", "who", "operator", "what", "target", "at", "request_id", "outcome", "bulk"),
  detail: { hidden: "" },
  reason: { hidden: null },
  result: "hidden",
});

export const AUDIT_TRAIL_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "admin_log",
    holds: AUDIT_TRAIL_FIELDS,
    indexes: [
      {
        name: "target_newest",
        key: { target: 1, _id: -1 },
        why: "what operators did to one account, key, licence, model, product or service",
      },
      {
        name: "bulk_newest",
        key: { bulk: 1, _id: -1 },
        options: { partialFilterExpression: { bulk: { $exists: true } } },
        why: "what was done by one bulk, thing by thing",
      },
    ],
  },
];

const auditTrail = collectionNamed<AuditTrailDoc>("admin_log");

export async function insertAuditTrail(db: Db, row: AuditTrailDoc): Promise<void> {
  await auditTrail(db).insertOne(row);
}

/** In the transaction that does what the records describe. */
export async function insertAuditTrails(
  db: Db,
  rows: readonly AuditTrailDoc[],
  { session }: TxContext,
): Promise<void> {
  if (rows.length > 0) await auditTrail(db).insertMany([...rows], { session, ordered: false });
}

export async function saveTrailOutcome(
  db: Db,
  entryId: string,
  { outcome, result }: { outcome: string; result: string | undefined },
): Promise<void> {
  await auditTrail(db).updateOne(
    { _id: entryId, outcome: null },
    { $set: { outcome, ...(result !== undefined && { result }) } },
  );
}

export type TrailFilter = {
  /** Empty means all. */
  readonly targets: readonly string[];
  /** Empty means all. */
  readonly bulk: string;
  readonly beforeId: string | undefined;
};

/** Newest first. */
export async function findAuditTrail(
  db: Db,
  { targets, bulk, beforeId }: TrailFilter,
  limit: number,
): Promise<AuditTrailDoc[]> {
  const where = {
    ...(targets.length > 0 && { target: { $in: [...targets] } }),
    ...(bulk !== "" && { bulk }),
  };
  return findNewest(auditTrail(db), { beforeId, where }, limit);
}

/** The newest completed of these requests on each target, by target. */
export async function findLatestDone(
  db: Db,
  { targets, methods }: { targets: readonly string[]; methods: readonly string[] },
): Promise<Map<string, AuditTrailDoc>> {
  const found = new Map<string, AuditTrailDoc>();
  for (const target of targets) {
    const [latest] = await auditTrail(db)
      .find({ target, what: { $in: [...methods] }, outcome: "done" })
      .sort({ _id: -1 })
      .limit(1)
      .toArray();
    if (latest) found.set(target, latest);
  }
  return found;
}

/** The changes of one request, among the newest entries, without an index. */
export async function findTrailOfRequest(
  db: Db,
  requestId: string,
  { among, limit }: { among: number; limit: number },
): Promise<AuditTrailDoc[]> {
  return auditTrail(db)
    .aggregate<AuditTrailDoc>([
      { $sort: { _id: -1 } },
      { $limit: among },
      { $match: { request_id: requestId } },
      { $limit: limit },
    ])
    .toArray();
}

/** Removes texts and address. Which operator did what to which account, and when, stays. */
export async function anonymiseTarget(
  db: Db,
  { accountId, email }: { accountId: string; email: string },
  { session }: TxContext,
): Promise<void> {
  await auditTrail(db).updateMany(
    { target: { $in: [accountId, email] } },
    [...erasing(AUDIT_TRAIL_FIELDS), { $set: { target: { $literal: accountId } } }],
    { session },
  );
}
