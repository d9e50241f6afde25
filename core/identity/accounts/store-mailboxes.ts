// Mailboxes that have had their welcome credits. Named queries only; no decisions.
import { randomBytes } from "node:crypto";
import { erasing, keptFields } from "../../base/documents/fields.ts";
import { type Collection, collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";

/**
 * The free plan's credits and the trial of one mailbox, over all spellings of its address. Updates: when the credits are granted, and when
 * another account replaces a deleted one. Deletion: never, so that a new account does not bring the welcome credits again. Guarantees: one
 * account of a mailbox at a time, by the id.
 */
export type MailboxDoc = {
  /** The hex HMAC-SHA-256 of the folded address with the installation's salt: the address cannot be read from it. */
  _id: string;
  /** The account that gets the free plan's credits; null once that account is deleted. */
  account_id: string | null;
  /** When the welcome credits were granted; null while they are held. */
  given_at: Date | null;
  /** When an account of the mailbox started the trial, and which account; null once that is deleted. Absent until then. */
  trial?: { account_id: string | null; at: Date };
};

/** Updates and deletion: never, because otherwise every mailbox would count as new. */
type SaltDoc = { _id: "salt"; salt: string };

const MAILBOX_FIELDS = keptFields<MailboxDoc>()({
  _id: "counted",
  account_id: { hidden: null },
  given_at: "counted",
  trial: { within: { account_id: { hidden: null }, at: "counted" } },
});

export const MAILBOX_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "mailboxes",
    holds: MAILBOX_FIELDS,
    indexes: [
      { name: "account", key: { account_id: 1 }, why: "what a deleted account leaves to the next" },
      {
        name: "trial_once",
        key: { "trial.account_id": 1 },
        options: { unique: true, partialFilterExpression: { "trial.account_id": { $type: "string" } } },
        why: "no account has a second trial, by another address",
      },
    ],
  },
  { name: "mailbox_salt", holds: "nothing of an account", indexes: [] },
];

const SALT_BYTES = 32;

const mailboxes = collectionNamed<MailboxDoc>("mailboxes");

/**
 * The salt for the installation's mailboxes, created by the first caller. It is read outside transactions, because all must see the same.
 */
export async function readMailboxSalt(db: Db): Promise<string> {
  const salts: Collection<SaltDoc> = db.collection("mailbox_salt");
  const made = await salts.findOneAndUpdate(
    { _id: "salt" },
    { $setOnInsert: { salt: randomBytes(SALT_BYTES).toString("hex") } },
    { upsert: true, returnDocument: "after" },
  );
  if (!made) throw new Error("the salt of mailboxes was not kept");
  return made.salt;
}

export async function findMailbox(
  db: Db,
  id: string,
  { session }: ReadContext = {},
): Promise<MailboxDoc | null> {
  return mailboxes(db).findOne({ _id: id }, { ...(session && { session }) });
}

export async function insertMailbox(db: Db, doc: MailboxDoc, { session }: TxContext): Promise<void> {
  await mailboxes(db).insertOne(doc, { session });
}

/** Writes a mailbox that the same transaction has read. */
export async function saveMailbox(
  db: Db,
  { _id, ...fields }: MailboxDoc,
  { session }: TxContext,
): Promise<void> {
  await mailboxes(db).updateOne({ _id }, { $set: fields }, { session });
}

/** Records that the account's welcome credits were granted. */
export async function saveWelcomeGiven(
  db: Db,
  accountId: string,
  at: Date,
  { session }: TxContext,
): Promise<void> {
  await mailboxes(db).updateOne(
    { account_id: accountId, given_at: null },
    { $set: { given_at: at } },
    { session },
  );
}

/** The next account of the mailbox gets the free plan's credits from its second period on. */
export async function freeMailboxes(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  const ofIt = { $or: [{ account_id: accountId }, { "trial.account_id": accountId }] };
  await mailboxes(db).updateMany(ofIt, erasing(MAILBOX_FIELDS), { session });
}

/** Records the mailbox whose trial this account has started. */
export async function findTrialMailbox(
  db: Db,
  accountId: string,
  { session }: ReadContext = {},
): Promise<MailboxDoc | null> {
  return mailboxes(db).findOne({ "trial.account_id": accountId }, { ...(session && { session }) });
}
