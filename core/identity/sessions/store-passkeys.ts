// Passkeys, and the challenges that browsers answer with them. Named queries only; no decisions.
import { goneFields, hidden, owner } from "../../base/documents/fields.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import { type CollectionSpec, expiryIndex } from "../../base/mongo/indexes.ts";

/**
 * The public half of a passkey that signs in to an account.
 *
 * Updates: with each sign-in. Deletion: by its owner, with its account, or when a change of the account's address is undone.
 */
export type PasskeyDoc = {
  /** The authenticator's id of the credential, base64url. */
  _id: string;
  account_id: string;
  /** COSE key, base64url. */
  public_key: string;
  /** The authenticator's count of signatures; 0 if it does not count. */
  counter: number;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
};

/** A random challenge for a passkey. Updates: never. Deletion: by the first response, with its account, or by MongoDB once it expired. */
export type ChallengeDoc = {
  /** Base64url. */
  _id: string;
  /** The account that gets a passkey. Null: the challenge is for signing in. */
  account_id: string | null;
  expires_at: Date;
};

export const PASSKEY_FIELDS = goneFields<PasskeyDoc>()({
  ...hidden("_id", "account_id", "public_key", "counter"),
  ...owner("name", "created_at", "last_used_at"),
});

const CHALLENGE_FIELDS = goneFields<ChallengeDoc>()({
  ...hidden("_id", "account_id", "expires_at"),
});

export const PASSKEY_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "passkeys",
    holds: PASSKEY_FIELDS,
    indexes: [{ name: "account", key: { account_id: 1, created_at: 1 }, why: "the passkeys of an account" }],
  },
  {
    name: "passkey_challenges",
    holds: CHALLENGE_FIELDS,
    indexes: [
      expiryIndex("MongoDB removes challenges that have expired"),
      {
        name: "account",
        key: { account_id: 1 },
        options: { partialFilterExpression: { account_id: { $type: "string" } } },
        why: "the challenges of an account, which go with it",
      },
    ],
  },
];

const passkeys = collectionNamed<PasskeyDoc>("passkeys");
const challenges = collectionNamed<ChallengeDoc>("passkey_challenges");

export async function insertChallenge(db: Db, doc: ChallengeDoc): Promise<void> {
  await challenges(db).insertOne(doc);
}

/** Removes the challenge; returns undefined if there is none with this value. */
export async function takeChallenge(db: Db, challenge: string): Promise<ChallengeDoc | undefined> {
  return (await challenges(db).findOneAndDelete({ _id: challenge })) ?? undefined;
}

export async function insertPasskey(db: Db, doc: PasskeyDoc, { session }: TxContext): Promise<void> {
  await passkeys(db).insertOne(doc, { session });
}

export async function findPasskey(
  db: Db,
  id: string,
  { session }: ReadContext = {},
): Promise<PasskeyDoc | null> {
  return passkeys(db).findOne({ _id: id }, { ...(session && { session }) });
}

/** The oldest first. */
export async function findPasskeysOf(
  db: Db,
  accountId: string,
  { session }: ReadContext = {},
): Promise<PasskeyDoc[]> {
  return passkeys(db)
    .find({ account_id: accountId }, { ...(session && { session }) })
    .sort({ created_at: 1 })
    .toArray();
}

/** Records a sign-in; returns false if the passkey was removed, or another request used it with this count. */
export async function savePasskeyUse(
  db: Db,
  { _id, counter }: PasskeyDoc,
  { newCounter, at }: { newCounter: number; at: Date },
  { session }: TxContext,
): Promise<boolean> {
  const { matchedCount } = await passkeys(db).updateOne(
    { _id, counter },
    { $set: { counter: newCounter, last_used_at: at } },
    { session },
  );
  return matchedCount > 0;
}

export async function deletePasskey(db: Db, accountId: string, id: string): Promise<boolean> {
  return (await passkeys(db).deleteOne({ _id: id, account_id: accountId })).deletedCount > 0;
}

/** Removes all of them, and challenges to add more. */
export async function deletePasskeysOf(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  await passkeys(db).deleteMany({ account_id: accountId }, { session });
  await challenges(db).deleteMany({ account_id: accountId }, { session });
}
