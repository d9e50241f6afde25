// The outbox of mails. Named queries only; no decisions.
import { type GoneFields, hidden, owner } from "../../base/documents/fields.ts";
import { findingById } from "../../base/mongo/by-id.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { type CollectionSpec, expiryIndex } from "../../base/mongo/indexes.ts";
import { findNewest, type NewestQuery } from "../../base/mongo/newest.ts";
import { IS_WAITING, workIndex } from "../../base/work/queue.ts";
import { type Work, workDue } from "../../base/work/rules.ts";
import type { MailStatus } from "./rules.ts";

/**
 * One mail to one recipient, written in the transaction that it reports. Updates: the sender, under a lease; its recipient, when the
 * account's address changes. Deletion: with its account, and by MongoDB 90 days after it was sent or given up. Guarantees: one mail for
 * each cause, by the id; only the sender that has the mail records an attempt's outcome; `work` is due exactly while the mail has not
 * ended.
 */
export type MailDoc = {
  /** Made from `kind` and `ref`. */
  _id: string;
  account_id: string;
  to: string;
  subject: string;
  text: string;
  /** The kind of mail, for example `order.receipt`. */
  kind: string;
  /** The id of its subject. Together with `kind` it names the cause. */
  ref: string;
  status: MailStatus;
  created_at: Date;
  /** It is not sent from then on. Absent if only its age matters. */
  not_after?: Date;
  last_error: string | null;
  /** When MongoDB removes it; null while it may still be sent. */
  expires_at: Date | null;
  work: Work;
};

const MAX_COUNTED = 100_000;

/** The class of each field of a mail, from its receiver's view. */
export const MAIL_FIELDS = {
  ...hidden("_id", "account_id", "ref", "not_after", "last_error", "expires_at", "work"),
  ...owner("to", "subject", "text", "kind", "status", "created_at"),
} as const;

export const MAIL_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "mails",
    holds: MAIL_FIELDS satisfies GoneFields<MailDoc>,
    indexes: [
      workIndex("finds what is to be sent, the longest due first"),
      { name: "account_newest", key: { account_id: 1, _id: -1 }, why: "the mails of an account" },
      expiryIndex("MongoDB removes mails that have ended long ago"),
    ],
  },
];

export const mails = collectionNamed<MailDoc>("mails");

/** Does nothing, and returns false, if there already is one for this cause. */
export async function insertMail(
  db: Db,
  { _id, ...mail }: MailDoc,
  { session }: TxContext,
): Promise<boolean> {
  const change = { $setOnInsert: mail };
  const { upsertedCount } = await mails(db).updateOne({ _id }, change, { upsert: true, session });
  return upsertedCount === 1;
}

/** The newest cause comes first. */
export async function findMailsOfAccount(db: Db, query: NewestQuery, limit: number): Promise<MailDoc[]> {
  return findNewest(mails(db), query, limit);
}

/** Mails that were given up and expire after this time, the latest expiry first. */
export async function findFailedMails(db: Db, expiringAfter: Date, limit: number): Promise<MailDoc[]> {
  return mails(db)
    .find({ expires_at: { $gt: expiringAfter }, status: "failed" }, { hint: "expires_at" })
    .sort({ expires_at: -1 })
    .limit(limit)
    .toArray();
}

/** Counts up to 100,000. */
export async function countFailedMails(db: Db, expiringAfter: Date): Promise<number> {
  return mails(db).countDocuments(
    { expires_at: { $gt: expiringAfter }, status: "failed" },
    { hint: "expires_at", limit: MAX_COUNTED },
  );
}

export const findMail = findingById(mails);

/** Makes the mail due now, with all its attempts. Returns null if it was not given up. */
export async function saveQueuedAgain(db: Db, mailId: string, now: Date): Promise<MailDoc | null> {
  return mails(db).findOneAndUpdate(
    { _id: mailId, status: "failed" },
    { $set: { status: "queued", work: workDue(now), expires_at: null } },
    { returnDocument: "after" },
  );
}

/** Changes the recipient of an account's mails that wait, or that an operator may resend, but not of these kinds. */
export async function saveRecipient(
  db: Db,
  { accountId, from, to, except }: { accountId: string; from: string; to: string; except: readonly string[] },
  { session }: TxContext,
): Promise<void> {
  await mails(db).updateMany(
    { account_id: accountId, to: from, status: { $in: ["queued", "failed"] }, kind: { $nin: except } },
    { $set: { to } },
    { session, hint: "account_newest" },
  );
}

/** Counts up to 100,000. */
export async function countQueuedMails(db: Db): Promise<number> {
  return mails(db).countDocuments(IS_WAITING, { limit: MAX_COUNTED });
}

export async function deleteMails(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  await mails(db).deleteMany({ account_id: accountId }, { session });
}
