// Keys of accounts, their spending and their last use.
import type { KeyKind } from "../../../runtime/keys/api-key.ts";
import { inOneBatch } from "../../base/mongo/by-id.ts";
import type { Db } from "../../base/mongo/client.ts";
import type { ReadContext, SnapshotContext, TxContext } from "../../base/mongo/in-tx.ts";
import { type Spent, toStored } from "./cap-rules.ts";
import type { ChangedKey } from "./rules.ts";
import { noteAccount } from "./store-in-tx.ts";
import {
  type AccountDoc,
  type CountedOn,
  type KeyDoc,
  type RaisedThreshold,
  accounts,
  keys,
} from "./store.ts";

export async function findKeysByHash(
  db: Db,
  hashes: readonly string[],
  { session }: ReadContext = {},
): Promise<Map<string, KeyDoc>> {
  const found = await keys(db)
    .find({ _id: { $in: [...hashes] } }, { ...inOneBatch(hashes.length), ...(session && { session }) })
    .toArray();
  return new Map(found.map((key) => [key._id, key]));
}

export async function deleteKeys(db: Db, accountId: string, { session }: TxContext): Promise<void> {
  await keys(db).deleteMany({ account_id: accountId }, { session });
}

/** Counts one more key on the account, so that creating another key in parallel waits or conflicts. */
export async function countKeyMade(db: Db, accountId: string, tx: TxContext): Promise<AccountDoc | null> {
  const counted = await accounts(db).findOneAndUpdate(
    { _id: accountId },
    { $inc: { keys_made: 1 } },
    { returnDocument: "after", session: tx.session },
  );
  if (counted) noteAccount(tx, counted);
  return counted;
}

export async function findLiveKeys(
  db: Db,
  accountId: string,
  kind: KeyKind,
  now: Date,
  { session }: ReadContext = {},
): Promise<KeyDoc[]> {
  return keys(db)
    .find(
      {
        account_id: accountId,
        kind,
        revoked_at: null,
        $or: [{ expires_at: null }, { expires_at: { $gt: now } }],
      },
      { ...(session && { session }) },
    )
    .sort({ created_at: -1, key_id: -1 })
    .toArray();
}

export async function insertKey(db: Db, key: KeyDoc, { session }: TxContext): Promise<void> {
  await keys(db).insertOne(key, { session });
}

/** Newest first. */
export async function findKeysOfAccount(
  db: Db,
  accountId: string,
  kind: KeyKind,
  limit: number,
): Promise<KeyDoc[]> {
  return keys(db)
    .find({ account_id: accountId, kind })
    .sort({ created_at: -1, key_id: -1 })
    .limit(limit)
    .toArray();
}

/** The keys of an account whose spending is counted. */
export async function findCountedKeys(
  db: Db,
  accountId: string,
  { session }: SnapshotContext,
): Promise<KeyDoc[]> {
  return keys(db)
    .find({ account_id: accountId, spent: { $exists: true } }, { session })
    .toArray();
}

export type KeyFilter = { readonly key_id: string; readonly account_id?: string; readonly kind: KeyKind };

export async function findKeyLike(db: Db, filter: KeyFilter, { session }: TxContext): Promise<KeyDoc | null> {
  return keys(db).findOne(filter, { session });
}

export async function saveKeyRevoked(
  db: Db,
  { _id, revoked_at }: KeyDoc,
  { session }: TxContext,
): Promise<void> {
  await keys(db).updateOne({ _id }, { $set: { revoked_at } }, { session });
}

/** A generation key of the account, live or not. */
export async function findKeyOfAccount(
  db: Db,
  { accountId, keyId }: { accountId: string; keyId: string },
  { session }: ReadContext = {},
): Promise<KeyDoc | null> {
  return keys(db).findOne(
    { key_id: keyId, account_id: accountId, kind: "gen" },
    { ...(session && { session }) },
  );
}

/** Writes name and budget unless the key has been revoked. Its spending stays counted. Returns null if there is no such key. */
export async function saveKeyTerms(
  db: Db,
  { _id }: Pick<KeyDoc, "_id">,
  { name, maxCredits, caps, confirmAbove, losesThreshold, endsRaise }: ChangedKey,
  { session }: TxContext,
): Promise<KeyDoc | null> {
  const $set = {
    name,
    ...(maxCredits !== undefined && { max_credits: maxCredits }),
    ...(caps && { caps }),
    ...(confirmAbove !== undefined && { confirm_above: confirmAbove }),
    ...(losesThreshold && { lost_threshold: true as const }),
  };
  const $unset = {
    ...(maxCredits === undefined && { max_credits: "" as const }),
    ...(!caps && { caps: "" as const }),
    ...(confirmAbove === undefined && { confirm_above: "" as const }),
    ...(endsRaise && { confirm_raised: "" as const }),
  };
  return keys(db).findOneAndUpdate(
    { _id, revoked_at: null },
    { $set, $unset },
    { session, returnDocument: "after" },
  );
}

/** Raises the threshold of a generation key, or ends that. Returns whether there is an unrevoked one with a threshold. */
export async function saveRaised(
  db: Db,
  { account_id, key_id }: Pick<KeyDoc, "account_id" | "key_id">,
  raised: RaisedThreshold | undefined,
  { session }: TxContext,
): Promise<boolean> {
  const { matchedCount } = await keys(db).updateOne(
    { account_id, key_id, kind: "gen", revoked_at: null, confirm_above: { $exists: true } },
    raised ? { $set: { confirm_raised: raised } } : { $unset: { confirm_raised: "" } },
    { session },
  );
  return matchedCount === 1;
}

/** Writes which key replaces another, and when the replaced key ends. */
export async function saveKeyReplaced(
  db: Db,
  { _id, replaced_by, expires_at }: Required<Pick<KeyDoc, "_id" | "replaced_by" | "expires_at">>,
  { session }: TxContext,
): Promise<void> {
  await keys(db).updateOne({ _id }, { $set: { replaced_by, expires_at } }, { session });
}

/** Writes the spending of keys with a limit that the same transaction has read. */
export async function saveKeySpending(
  db: Db,
  spent: ReadonlyMap<string, Spent>,
  { session }: TxContext,
): Promise<void> {
  if (spent.size === 0) return;
  await keys(db).bulkWrite(
    [...spent].map(([hash, all]) => ({
      updateOne: { filter: { _id: hash }, update: { $set: toStored(all) } },
    })),
    { session, ordered: false },
  );
}

/** Subtracts refunded credits from the spending of keys with a limit, in periods that are still counted. */
export async function refundKeySpending(
  db: Db,
  given: readonly CountedOn[],
  { session }: TxContext,
): Promise<void> {
  if (given.length === 0) return;
  await keys(db).bulkWrite(
    given.flatMap(({ key, month, day, week, credits }) => {
      const back = (field: string, filter: object) => ({
        updateOne: { filter: { _id: key, ...filter }, update: { $inc: { [field]: -credits } } },
      });
      return [
        back("spent.credits", { "spent.month": month }),
        ...(day === undefined
          ? []
          : [
              back("spent_in.day.credits", { "spent_in.day.name": day }),
              back("spent_in.week.credits", { "spent_in.week.name": week }),
              back("spent_in.total", { spent_in: { $exists: true } }),
            ]),
      ];
    }),
    { session, ordered: false },
  );
}

/** Moves the last use of keys forward, never back. */
export async function saveKeyUse(db: Db, used: ReadonlyMap<string, Date>): Promise<void> {
  if (used.size === 0) return;
  await keys(db).bulkWrite(
    [...used].map(([hash, at]) => ({
      updateOne: { filter: { _id: hash }, update: { $max: { last_used_at: at } } },
    })),
    { ordered: false },
  );
}
