// What operators changed.
import type { ClientSession, Collection, Db } from "../mongo/client.ts";
import type { CollectionSpec } from "../mongo/indexes.ts";

/** Updates: its outcome, once; it loses words and address when its account is deleted. Deletion: never. */
export type AuditTrailDoc = {
  _id: string;
  /** Name of the service whose token was used. */
  who: string;
  /** The person, as that service named them; null if it named nobody. */
  operator: string | null;
  /** RPC method. */
  what: string;
  /** Account, key, model or service name, as given. */
  target: string;
  /** What else was asked, for example the new plan. Never a secret. */
  detail: string;
  /** Why, in the operator's words; null when none were given. */
  reason: string | null;
  at: Date;
  request_id: string;
  /** `done`, or the code of the refusal. Null while it is not known, which may be for ever. */
  outcome: string | null;
};

export const AUDIT_TRAIL_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "admin_log",
    indexes: [
      {
        name: "target_newest",
        key: { target: 1, _id: -1 },
        why: "what operators did to one account, key, licence, model, product or service",
      },
    ],
  },
];

function auditTrail(db: Db): Collection<AuditTrailDoc> {
  return db.collection("admin_log");
}

export async function insertAuditTrail(db: Db, row: AuditTrailDoc): Promise<void> {
  await auditTrail(db).insertOne(row);
}

export async function saveTrailOutcome(db: Db, entryId: string, outcome: string): Promise<void> {
  await auditTrail(db).updateOne({ _id: entryId, outcome: null }, { $set: { outcome } });
}

/** Newest first. `targets` empty means all. */
export async function findAuditTrail(
  db: Db,
  { targets, beforeId }: { targets: readonly string[]; beforeId: string | undefined },
  limit: number,
): Promise<AuditTrailDoc[]> {
  return auditTrail(db)
    .find({
      ...(targets.length > 0 && { target: { $in: [...targets] } }),
      ...(beforeId && { _id: { $lt: beforeId } }),
    })
    .sort({ _id: -1 })
    .limit(limit)
    .toArray();
}

/** Removes words and address. Which operator did what to which account, and when, stays. */
export async function anonymiseTarget(
  db: Db,
  { accountId, email }: { accountId: string; email: string },
  session: ClientSession,
): Promise<void> {
  await auditTrail(db).updateMany(
    { target: { $in: [accountId, email] } },
    { $set: { target: accountId, detail: "", reason: null } },
    { session },
  );
}
