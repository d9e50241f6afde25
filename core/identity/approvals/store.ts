// Questions to a person: may this key spend so much on exactly this request? Named queries only; no decisions.
import type { Collection, Db } from "../../base/mongo/client.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { isDuplicateKey } from "../../base/mongo/errors.ts";
import type { GoneFields } from "../../base/documents/fields.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";

/** A job that is made if the person says yes: what it is, with the defaults of its model filled in. */
export type AskedJob = {
  readonly modality: string;
  readonly model_slug: string;
  readonly prompt: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly callback_url: string | null;
};

/**
 * A question, with its answer.
 *
 * Updates: its answers; once, when a request uses a yes up; a newer question of the same request takes its place when it is used or over,
 * or the price is another. Deletion: with its account, or by MongoDB, when its time is over.
 * Guarantees: one question at a time for a request of a key, and at most one request goes through by a yes.
 */
export type ConfirmationDoc = {
  /** The account, space, the key's key_id, space, the digest of the request. */
  _id: string;
  /** What pages and programs call it; another for each question. */
  confirmation_id: string;
  account_id: string;
  key_id: string;
  key_name: string;
  /** The price. */
  credits: number;
  /** Up to this amount the key needs no answer. */
  above: number;
  jobs: readonly AskedJob[];
  state: "asked" | "yes" | "no" | "used";
  created_at: Date;
  expires_at: Date;
};

const ASKED_JOB_FIELDS = {
  modality: "owner",
  model_slug: "owner",
  prompt: "owner",
  params: "owner",
  callback_url: "owner",
} as const satisfies GoneFields<AskedJob>;

const CONFIRMATION_FIELDS = {
  _id: "hidden",
  confirmation_id: "owner",
  account_id: "hidden",
  key_id: "owner",
  key_name: "owner",
  credits: "owner",
  above: "owner",
  jobs: { each: ASKED_JOB_FIELDS },
  state: "owner",
  created_at: "owner",
  expires_at: "owner",
} as const satisfies GoneFields<ConfirmationDoc>;

export const CONFIRMATION_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "confirmations",
    holds: CONFIRMATION_FIELDS,
    indexes: [
      {
        name: "account_confirmation",
        key: { account_id: 1, confirmation_id: 1 },
        options: { unique: true },
        why: "the question that a page shows; those of an account",
      },
      {
        name: "expires_at",
        key: { expires_at: 1 },
        options: { expireAfterSeconds: 0 },
        why: "MongoDB removes questions whose time is over",
      },
    ],
  },
];

function confirmations(db: Db): Collection<ConfirmationDoc> {
  return db.collection("confirmations");
}

export async function findConfirmations(
  db: Db,
  ids: readonly string[],
  { session }: TxContext,
): Promise<ConfirmationDoc[]> {
  return confirmations(db)
    .find({ _id: { $in: [...ids] } }, { session })
    .toArray();
}

/** One that a person may look at: of the account, and not over. */
export async function findConfirmation(
  db: Db,
  { accountId, confirmationId }: { accountId: string; confirmationId: string },
  now: Date,
): Promise<ConfirmationDoc | null> {
  return confirmations(db).findOne({
    account_id: accountId,
    confirmation_id: confirmationId,
    expires_at: { $gt: now },
  });
}

/** Of the account, the newest first. They are gone within minutes, so there are few. */
export async function findConfirmationsOf(db: Db, accountId: string): Promise<ConfirmationDoc[]> {
  return confirmations(db).find({ account_id: accountId }).sort({ confirmation_id: -1 }).toArray();
}

/** Writes the question, unless the same one stands already at the same price. Answers the one that stands. */
export async function putQuestion(db: Db, question: ConfirmationDoc): Promise<ConfirmationDoc> {
  const { _id, ...fields } = question;
  const { credits, created_at: now } = fields;
  const isDone = [{ state: "used" as const }, { expires_at: { $lte: now } }, { credits: { $ne: credits } }];
  try {
    await confirmations(db).replaceOne({ _id, $or: isDone }, fields, { upsert: true });
    return question;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return (await confirmations(db).findOne({ _id })) ?? putQuestion(db, question);
  }
}

/** Writes the answer unless a request has used the one before, or the time is over. Answers the question as it is then. */
export async function saveAnswer(
  db: Db,
  { accountId, confirmationId }: { accountId: string; confirmationId: string },
  { state, expiresAt, now }: { state: "yes" | "no"; expiresAt: Date; now: Date },
): Promise<ConfirmationDoc | null> {
  const which = { account_id: accountId, confirmation_id: confirmationId, expires_at: { $gt: now } };
  const answered = await confirmations(db).findOneAndUpdate(
    { ...which, state: { $ne: "used" } },
    { $set: { state, expires_at: expiresAt } },
    { returnDocument: "after" },
  );
  return answered ?? confirmations(db).findOne(which);
}

/** Uses answers up that the same transaction has read. */
export async function saveUsed(db: Db, ids: readonly string[], { session }: TxContext): Promise<void> {
  await confirmations(db).updateMany({ _id: { $in: [...ids] } }, { $set: { state: "used" } }, { session });
}

export async function deleteConfirmations(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  await confirmations(db).deleteMany({ account_id: accountId }, { session });
}
