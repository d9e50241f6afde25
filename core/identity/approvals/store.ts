// Approvals: a user's permission for a key to spend an amount on exactly one request. Named queries only; no decisions.
import { type AskedJob, askedJobSchema } from "../../../proto/resources/confirmation.ts";
import { goneFields, hidden, owner, ownersFields } from "../../base/documents/fields.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import { type CollectionSpec, expiryIndex } from "../../base/mongo/indexes.ts";

/**
 * A request for approval with its answer. Updates: its answers; once, when a request uses the approval up; a newer request of the same kind
 * replaces it when it is used or expired, or the price differs. Deletion: with its account, or by MongoDB when it expires. Guarantees: one
 * at a time for a request of a key, and at most one request proceeds by an approval.
 */
export type ApprovalDoc = {
  /** The account, space, the key's key_id, space, the digest of the request. */
  _id: string;
  /** Its id on pages and for programs; different for each. */
  confirmation_id: string;
  account_id: string;
  key_id: string;
  key_name: string;
  /** The price. */
  credits: number;
  /** The key's threshold: up to it no approval is needed. */
  above: number;
  jobs: readonly AskedJob[];
  /** The description of another internal service's request; always absent for jobs. */
  work?: string;
  state: "asked" | "yes" | "no" | "used";
  /** The whole request as JSON, if it is for jobs: an approval on the website starts it. Absent otherwise, and of an earlier release. */
  start?: string;
  /** The job or workflow that the approval started, and whether the program has got it by repeating its request. Absent until then. */
  job_id?: string;
  workflow_id?: string;
  job_taken?: true;
  created_at: Date;
  expires_at: Date;
};

const APPROVAL_FIELDS = goneFields<ApprovalDoc>()({
  ...hidden("_id", "account_id", "start", "job_taken"),
  ...owner("confirmation_id", "key_id", "key_name", "credits", "above", "work", "state", "job_id"),
  ...owner("workflow_id", "created_at", "expires_at"),
  jobs: { each: ownersFields(askedJobSchema.shape) },
});

export const APPROVAL_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "confirmations",
    holds: APPROVAL_FIELDS,
    indexes: [
      {
        name: "account_confirmation",
        key: { account_id: 1, confirmation_id: 1 },
        options: { unique: true },
        why: "the question that a page shows; those of an account",
      },
      expiryIndex("MongoDB removes questions whose time is over"),
    ],
  },
];

const approvals = collectionNamed<ApprovalDoc>("confirmations");

export async function findApprovals(
  db: Db,
  ids: readonly string[],
  { session }: TxContext,
): Promise<ApprovalDoc[]> {
  return approvals(db)
    .find({ _id: { $in: [...ids] } }, { session })
    .toArray();
}

/** One that the user may read: of the account, and not expired. */
export async function findApproval(
  db: Db,
  { accountId, approvalId }: { accountId: string; approvalId: string },
  now: Date,
  { session }: ReadContext = {},
): Promise<ApprovalDoc | null> {
  return approvals(db).findOne(
    { account_id: accountId, confirmation_id: approvalId, expires_at: { $gt: now } },
    { ...(session && { session }) },
  );
}

/** Those of the account without an answer, newest first. */
export async function findWaiting(
  db: Db,
  accountId: string,
  { now, limit }: { now: Date; limit: number },
): Promise<ApprovalDoc[]> {
  return approvals(db)
    .find({ account_id: accountId, state: "asked", expires_at: { $gt: now } })
    .sort({ confirmation_id: -1 })
    .limit(limit)
    .toArray();
}

/** The account's, newest first. They expire within a day, so there are few. */
export async function findApprovalsOf(db: Db, accountId: string): Promise<ApprovalDoc[]> {
  return approvals(db).find({ account_id: accountId }).sort({ confirmation_id: -1 }).toArray();
}

/** Stores it in the place of the one before, which the same transaction has read. */
export async function saveQuestion(
  db: Db,
  { _id, ...fields }: ApprovalDoc,
  { session }: TxContext,
): Promise<void> {
  await approvals(db).replaceOne({ _id }, fields, { upsert: true, session });
}

/** Stores the answer to one that the same transaction has read. */
export async function saveAnswer(
  db: Db,
  { _id, state, expires_at }: ApprovalDoc,
  { session }: TxContext,
): Promise<void> {
  await approvals(db).updateOne({ _id }, { $set: { state, expires_at } }, { session });
}

/** What an approval has started. */
export type StartedFields = Pick<ApprovalDoc, "job_id" | "workflow_id">;

/** What a use adds to an approval. */
export type UsedFields = StartedFields & Partial<Pick<ApprovalDoc, "job_taken" | "expires_at">>;

/** Uses up approvals that the same transaction has read. */
export async function saveUsed(
  db: Db,
  used: readonly ({ _id: string } & UsedFields)[],
  { session }: TxContext,
): Promise<void> {
  const updates = used.map(({ _id, ...fields }) => ({
    updateOne: { filter: { _id }, update: { $set: { ...fields, state: "used" as const } } },
  }));
  await approvals(db).bulkWrite(updates, { session });
}

export async function deleteApprovals(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  await approvals(db).deleteMany({ account_id: accountId }, { session });
}
