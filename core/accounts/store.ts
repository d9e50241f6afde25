// Documents of accounts, their e-mail addresses, plans and keys. Named queries only; no decisions.
import type { KeyKind } from "../../runtime/keys/api-key.ts";
import type { PlanDoc } from "../definitions.ts";
import type { ClientSession, Collection, Db } from "../mongo/client.ts";
import { dueBy, WAITS } from "../mongo/due.ts";
import { insertsOfMissing } from "../mongo/upsert.ts";
import type { CollectionSpec } from "../mongo/indexes.ts";

/** A membership while `period_end` is in the future. Nothing is written when it ends. */
export type MembershipTerms = {
  tier: string;
  /** Since when it has been active without a gap. */
  started_at: Date;
  period_end: Date;
};

/** The free part of a grant that expires; jobs know the parts that are held. Each grant has at most one such part that is not due yet. */
export type ExpiringGrant = {
  /** The grant's ledger entry. */
  readonly grant_id: string;
  /** Above 0. */
  readonly left: number;
  readonly expires_at: Date;
};

/**
 * One account, with the numbers that move together: credits, the head of its ledger, and its place in the queue. They share a document so
 * that every decision about them is one read and one write, and so that two transactions on one account conflict.
 *
 * Updates: accept, claim, settle, cancel, grants (always in a transaction that also writes the ledger); plan, status and membership by
 * operators.
 * Deletion: never; when its owner deletes it, it loses everything that identifies the owner.
 */
export type AccountDoc = {
  _id: string;
  email: string;
  name: string;
  plan: string;
  /** Deleted for good: address and name are empty, and nothing lets anybody in. The numbers stay, since the ledger does. */
  status: "active" | "suspended" | "deleted";
  /** Stored here so that a member's request reads it with the account, in the same transaction. Absent if there never was one. */
  membership?: MembershipTerms;
  /** Credits that the account owns, including held ones. */
  balance: number;
  /** Credits reserved for jobs that have not started. */
  held: number;
  /** Grants that expire, soonest first. All other available credits last for ever. Absent until there is one. */
  expiring?: readonly ExpiringGrant[];
  /**
   * When the account's next period begins and brings its plan's monthly credits; null once the account is closed. Absent in tests and
   * measurements that want no such credits.
   */
  next_grant_at?: Date | null;
  /**
   * When the sweep of credits must look at the account: at its next period, or at an earlier end of a grant. A separate field, so that
   * holding credits changes no index.
   */
  due_at?: Date | null;
  /**
   * The number of available credits below which the owner wants to be told, and whether that has been done since there were last as many.
   */
  low?: { readonly below: number; readonly told: boolean };
  /** seq and hash of the newest ledger entry. */
  ledger_seq: number;
  ledger_hash: string;
  /**
   * When the newest ledger entry was made; the next one is never earlier. Absent until an entry is made by a release that keeps this field.
   */
  ledger_at?: Date;
  /** Jobs in state reserved. */
  waiting: number;
  /**
   * Jobs in state running: the used concurrency slots. Changes in the transaction that starts or ends a job, so that a crash cannot leak a
   * slot. A rescue recounts it from the jobs themselves, and the audit checks it.
   */
  running: number;
  /** Milliseconds since 1970 of the last claim. */
  served_at: number;
  /**
   * The account's place in the line of accounts with jobs to claim, least recently served first: `served_at` while a job waits and the plan
   * has a free slot for it, else null. A separate field, so that a job which starts at once changes no index.
   */
  turn: number | null;
  /** Keys ever made. Every new key changes it, so that two keys made at once on one account conflict and the limit holds. */
  keys_made: number;
  created_at: Date;
};

/** Keeps e-mail addresses unique even where accounts are sharded by id. */
export type EmailDoc = {
  _id: string;
  account_id: string;
  /** Until then the address is kept from others, although its account has another one by now. Always absent for an address in use. */
  reserved_until?: Date;
};

export type KeyScope = "read" | "write";

/** Deletion: with its account. Until then even a revoked key stays, so that the ledger's key_id keeps its meaning. */
export type KeyDoc = {
  /** Lower-case hex SHA-256 of the key. */
  _id: string;
  key_id: string;
  account_id: string;
  kind: KeyKind;
  name: string;
  scope: KeyScope;
  masked: string;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
  /** The most credits that the key's jobs may cost in a calendar month. Absent where there is no limit; then nothing is counted. */
  max_credits?: number;
  /** A person has to confirm each request of the key that costs more. Always absent where nothing needs that. */
  confirm_above?: number;
  /** What the key's jobs cost in the last month in which it had any. */
  spent?: KeySpending;
  /** The key_id of the key that replaces this one, which ends at `expires_at`. Always absent for a key that was not replaced. */
  replaced_by?: string;
};

/** Credits of the jobs that a key asked for in a month such as 2026-01 (UTC), without what was given back. */
export type KeySpending = { readonly month: string; readonly credits: number };

/** A job's credits within its key's spending of the month. */
export type CountedOn = KeySpending & { readonly key: string };

const IN_LINE = { turn: { $gte: 0 } };

export const ACCOUNT_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "accounts",
    indexes: [
      {
        name: "turn",
        key: { turn: 1 },
        options: { partialFilterExpression: IN_LINE },
        why: "workers find the accounts that are next, least recently served first",
      },
      {
        name: "due",
        key: { due_at: 1 },
        options: { partialFilterExpression: { due_at: WAITS } },
        why: "the sweep of credits finds accounts whose next period has begun or whose credits have expired",
      },
    ],
  },
  {
    name: "account_emails",
    indexes: [
      {
        name: "reserved_until",
        key: { reserved_until: 1 },
        options: { expireAfterSeconds: 0, partialFilterExpression: { reserved_until: WAITS } },
        why: "MongoDB frees addresses that were given up and can no longer be taken back",
      },
    ],
  },
  { name: "plans", indexes: [] },
  {
    name: "api_keys",
    indexes: [
      { name: "account_created", key: { account_id: 1, created_at: -1 }, why: "the key list of an account" },
      { name: "key_id", key: { key_id: 1 }, why: "revocation by id" },
      {
        name: "unrevoked",
        key: { account_id: 1, kind: 1, expires_at: 1 },
        options: { partialFilterExpression: { revoked_at: null } },
        why: "finds the live keys of an account without reading those it has revoked over the years",
      },
    ],
  },
];

export function accounts(db: Db): Collection<AccountDoc> {
  return db.collection("accounts");
}

export function emails(db: Db): Collection<EmailDoc> {
  return db.collection("account_emails");
}

export function plans(db: Db): Collection<PlanDoc> {
  return db.collection("plans");
}

export function keys(db: Db): Collection<KeyDoc> {
  return db.collection("api_keys");
}

export async function findAccounts(
  db: Db,
  ids: readonly string[],
  session?: ClientSession,
): Promise<Map<string, AccountDoc>> {
  const found = await accounts(db)
    .find({ _id: { $in: [...ids] } }, { ...(session && { session }) })
    .toArray();
  return new Map(found.map((account) => [account._id, account]));
}

/** Newest first: ids grow with time. */
export async function findAccountsBefore(
  db: Db,
  beforeId: string | undefined,
  limit: number,
): Promise<AccountDoc[]> {
  return accounts(db)
    .find(beforeId === undefined ? {} : { _id: { $lt: beforeId } })
    .sort({ _id: -1 })
    .limit(limit)
    .toArray();
}

/** Whether there may be something to claim, read outside any transaction. */
export async function findAnyClaimable(db: Db): Promise<boolean> {
  return (await accounts(db).findOne(IN_LINE, { projection: { _id: 0, turn: 1 }, hint: "turn" })) !== null;
}

/** The ids of accounts whose turn it is, the least recently served first; read outside any transaction. */
export async function findInLine(db: Db, limit: number): Promise<string[]> {
  const found = await accounts(db)
    .find(IN_LINE, { projection: { _id: 1 }, hint: "turn" })
    .sort({ turn: 1 })
    .limit(limit)
    .toArray();
  return found.map(({ _id }) => _id);
}

/** Named where a transaction is to touch these alone, and so the shard on which they lie. */
function among(only: readonly string[] | undefined) {
  return only ? { _id: { $in: [...only] } } : {};
}

/** Accounts whose turn it is, the least recently served first. */
export async function findClaimableAccounts(
  db: Db,
  { limit, skip, only }: { limit: number; skip: number; only: readonly string[] | undefined },
  session: ClientSession,
): Promise<AccountDoc[]> {
  return accounts(db)
    .find({ ...IN_LINE, ...among(only) }, { session, hint: only ? "_id_" : "turn" })
    .sort({ turn: 1 })
    .skip(skip)
    .limit(limit)
    .toArray();
}

export async function findKeysByHash(
  db: Db,
  hashes: readonly string[],
  session?: ClientSession,
): Promise<Map<string, KeyDoc>> {
  const found = await keys(db)
    .find({ _id: { $in: [...hashes] } }, { ...(session && { session }) })
    .toArray();
  return new Map(found.map((key) => [key._id, key]));
}

export async function findPlans(db: Db, session?: ClientSession): Promise<Map<string, PlanDoc>> {
  const found = await plans(db)
    .find({}, { ...(session && { session }) })
    .sort({ order: 1 })
    .toArray();
  return new Map(found.map((plan) => [plan._id, plan]));
}

/** Writes the numbers that move together, for accounts that the same transaction has read. */
export async function saveAccountNumbers(
  db: Db,
  changed: readonly AccountDoc[],
  session: ClientSession,
): Promise<void> {
  await setEach(db, changed, session, (account) => ({
    ...creditsOf(account),
    waiting: account.waiting,
    running: account.running,
    served_at: account.served_at,
    turn: account.turn,
  }));
}

/** Writes the credits of accounts, and when they are due next. */
export async function saveAccountCredits(
  db: Db,
  changed: readonly AccountDoc[],
  session: ClientSession,
): Promise<void> {
  await setEach(db, changed, session, (account) => ({
    ...creditsOf(account),
    ...(account.next_grant_at !== undefined && { next_grant_at: account.next_grant_at }),
  }));
}

function creditsOf(account: AccountDoc): Partial<AccountDoc> {
  const { balance, held, expiring, low, due_at, ledger_seq, ledger_hash, ledger_at } = account;
  return {
    balance,
    held,
    ...(low && { low }),
    ...(expiring && { expiring }),
    ...(due_at !== undefined && { due_at }),
    ledger_seq,
    ledger_hash,
    ...(ledger_at && { ledger_at }),
  };
}

async function setEach(
  db: Db,
  changed: readonly AccountDoc[],
  session: ClientSession,
  fields: (account: AccountDoc) => Partial<AccountDoc>,
): Promise<void> {
  if (changed.length === 0) return;
  const updates = changed.map((account) => ({
    updateOne: { filter: { _id: account._id }, update: { $set: fields(account) } },
  }));
  await accounts(db).bulkWrite(updates, { session, ordered: false });
}

/** The ids of accounts that the sweep of credits has to look at, the longest due first; read outside any transaction. */
export async function findDueIds(db: Db, at: Date, limit: number): Promise<string[]> {
  const found = await accounts(db)
    .find({ due_at: dueBy(at) }, { projection: { _id: 1 }, hint: "due" })
    .sort({ due_at: 1 })
    .limit(limit)
    .toArray();
  return found.map(({ _id }) => _id);
}

/** Accounts that the sweep of credits has to look at, the longest due first. */
export async function findDueAccounts(
  db: Db,
  { at, limit, skip, only }: { at: Date; limit: number; skip: number; only: readonly string[] | undefined },
  session: ClientSession,
): Promise<AccountDoc[]> {
  return accounts(db)
    .find({ due_at: dueBy(at), ...among(only) }, { session, hint: only ? "_id_" : "due" })
    .sort({ due_at: 1 })
    .skip(skip)
    .limit(limit)
    .toArray();
}

/**
 * Frees so many slots of these accounts; accounts with waiting jobs get in line again. Answers how many did. If the plan allows fewer slots
 * by now, the next claim finds none and puts that right.
 */
export async function saveFreedSlots(
  db: Db,
  freed: ReadonlyMap<string, number>,
  session: ClientSession,
): Promise<number> {
  if (freed.size === 0) return 0;
  const slots = [...Map.groupBy(freed, ([, count]) => count)];
  const free = (waiting: 0 | { $gt: 0 }) =>
    slots.map(([count, group]) => ({
      updateMany: {
        filter: { _id: { $in: group.map(([accountId]) => accountId) }, waiting },
        update: { $inc: { running: -count } },
        hint: "_id_",
      },
    }));
  // Nearly always nothing waits, and this is all: it reads each account once, and changes nothing that is indexed.
  const { matchedCount: idle } = await accounts(db).bulkWrite(free(0), { session });
  if (idle === freed.size) return 0;
  const getInLine = {
    updateMany: {
      filter: {
        _id: { $in: [...freed.keys()] },
        waiting: { $gt: 0 },
        status: "active" as const,
        turn: null,
      },
      update: [{ $set: { turn: "$served_at" } }],
      hint: "_id_",
    },
  };
  const { matchedCount } = await accounts(db).bulkWrite([...free({ $gt: 0 }), getInLine], { session });
  return matchedCount - (freed.size - idle);
}

export async function insertAccount(db: Db, account: AccountDoc, session: ClientSession): Promise<void> {
  await emails(db).insertOne({ _id: account.email, account_id: account._id }, { session });
  await accounts(db).insertOne(account, { session });
}

/** Finds nothing for an address that is only reserved. */
export async function findAccountIdByEmail(db: Db, email: string): Promise<string | undefined> {
  return (await emails(db).findOne({ _id: email, reserved_until: { $exists: false } }))?.account_id;
}

/** The address, whether in use or reserved. */
export async function findEmail(db: Db, email: string, session?: ClientSession): Promise<EmailDoc | null> {
  return emails(db).findOne({ _id: email }, { ...(session && { session }) });
}

/** Gives the account an address that is free or reserved for it. */
export async function saveEmail(
  db: Db,
  { accountId, email }: { accountId: string; email: string },
  session: ClientSession,
): Promise<void> {
  // Of another account it would be inserted a second time, and refused.
  await emails(db).updateOne(
    { _id: email, account_id: accountId },
    { $unset: { reserved_until: "" } },
    { upsert: true, session },
  );
  await accounts(db).updateOne({ _id: accountId }, { $set: { email } }, { session });
}

export async function reserveEmail(
  db: Db,
  { accountId, email, until }: { accountId: string; email: string; until: Date },
  session: ClientSession,
): Promise<void> {
  await emails(db).updateOne(
    { _id: email, account_id: accountId },
    { $set: { reserved_until: until } },
    { session },
  );
}

/** Frees addresses that the account has given up. */
export async function deleteReserved(
  db: Db,
  { accountId, emails: given }: { accountId: string; emails: readonly string[] },
  session: ClientSession,
): Promise<void> {
  await emails(db).deleteMany(
    { _id: { $in: [...given] }, account_id: accountId, reserved_until: { $exists: true } },
    { session },
  );
}

/** Writes what an operator decides about an account that the same transaction has read. */
export async function saveAccountTerms(
  db: Db,
  accountId: string,
  { plan, status, turn }: Pick<AccountDoc, "plan" | "status" | "turn">,
  session: ClientSession,
): Promise<void> {
  await accounts(db).updateOne({ _id: accountId }, { $set: { plan, status, turn } }, { session });
}

/** Writes the account as it is after its deletion. */
export async function saveAccountClosed(db: Db, accountId: string, session: ClientSession): Promise<void> {
  await accounts(db).updateOne(
    { _id: accountId },
    {
      $set: { status: "deleted", email: "", name: "", turn: null, next_grant_at: null, due_at: null },
      $unset: { membership: "" },
    },
    { session },
  );
}

/** Sets or removes the threshold below which an account's owner is told. If the credits are already below it, the owner counts as told. */
export async function saveLowCredits(db: Db, accountId: string, below: number | undefined): Promise<void> {
  const told = { $lt: [{ $subtract: ["$balance", "$held"] }, below] };
  await accounts(db).updateOne(
    { _id: accountId },
    below === undefined ? { $unset: { low: "" } } : [{ $set: { low: { below, told } } }],
  );
}

export async function saveName(db: Db, accountId: string, name: string): Promise<void> {
  await accounts(db).updateOne({ _id: accountId, status: { $ne: "deleted" } }, { $set: { name } });
}

/** Frees an address for another account. */
export async function deleteEmail(db: Db, email: string, session: ClientSession): Promise<void> {
  await emails(db).deleteOne({ _id: email }, { session });
}

export async function deleteKeys(db: Db, accountId: string, session: ClientSession): Promise<void> {
  await keys(db).deleteMany({ account_id: accountId }, { session });
}

/** Writes the membership of an account that the same transaction has read. */
export async function saveMembership(
  db: Db,
  accountId: string,
  membership: MembershipTerms,
  session: ClientSession,
): Promise<void> {
  await accounts(db).updateOne({ _id: accountId }, { $set: { membership } }, { session });
}

/** Counts one more key on the account, so that making another key at the same time waits or conflicts. */
export async function countKeyMade(
  db: Db,
  accountId: string,
  session: ClientSession,
): Promise<AccountDoc | null> {
  return accounts(db).findOneAndUpdate(
    { _id: accountId },
    { $inc: { keys_made: 1 } },
    { returnDocument: "after", session },
  );
}

export async function findLiveKeys(
  db: Db,
  accountId: string,
  kind: KeyKind,
  now: Date,
  session?: ClientSession,
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

export async function insertKey(db: Db, key: KeyDoc, session: ClientSession): Promise<void> {
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

/** Revokes the key that `filter` finds. An already revoked key keeps its time. Answers the key, or null if there is none. */
export async function revokeKeyWhere(
  db: Db,
  filter: { key_id: string; account_id?: string; kind?: KeyKind },
  now: Date,
): Promise<KeyDoc | null> {
  const revoked = await keys(db).findOneAndUpdate(
    { ...filter, revoked_at: null },
    { $set: { revoked_at: now } },
    { returnDocument: "after" },
  );
  return revoked ?? keys(db).findOne(filter);
}

/** A generation key of the account, live or not. */
export async function findKeyOfAccount(
  db: Db,
  { accountId, keyId }: { accountId: string; keyId: string },
  session?: ClientSession,
): Promise<KeyDoc | null> {
  return keys(db).findOne(
    { key_id: keyId, account_id: accountId, kind: "gen" },
    { ...(session && { session }) },
  );
}

/** Writes name and budget unless the key has been revoked. What it has spent stays counted. Answers null if there is no such key. */
export async function saveKeyTerms(
  db: Db,
  { _id }: Pick<KeyDoc, "_id">,
  {
    name,
    maxCredits,
    confirmAbove,
  }: { name: string } & Record<"maxCredits" | "confirmAbove", number | undefined>,
): Promise<KeyDoc | null> {
  const $set = {
    name,
    ...(maxCredits !== undefined && { max_credits: maxCredits }),
    ...(confirmAbove !== undefined && { confirm_above: confirmAbove }),
  };
  const $unset = {
    ...(maxCredits === undefined && { max_credits: "" as const }),
    ...(confirmAbove === undefined && { confirm_above: "" as const }),
  };
  return keys(db).findOneAndUpdate({ _id, revoked_at: null }, { $set, $unset }, { returnDocument: "after" });
}

/** Writes which key replaces another, and when the replaced key ends. */
export async function saveKeyReplaced(
  db: Db,
  { _id, replaced_by, expires_at }: Required<Pick<KeyDoc, "_id" | "replaced_by" | "expires_at">>,
  session: ClientSession,
): Promise<void> {
  await keys(db).updateOne({ _id }, { $set: { replaced_by, expires_at } }, { session });
}

/** Writes what keys with a limit have spent, for keys that the same transaction has read. */
export async function saveKeySpending(
  db: Db,
  spent: ReadonlyMap<string, KeySpending>,
  session: ClientSession,
): Promise<void> {
  if (spent.size === 0) return;
  await keys(db).bulkWrite(
    [...spent].map(([hash, month]) => ({
      updateOne: { filter: { _id: hash }, update: { $set: { spent: month } } },
    })),
    { session, ordered: false },
  );
}

/** Takes credits that came back off the spending of keys with a limit. Months that are no longer counted need nothing. */
export async function giveBackKeySpending(
  db: Db,
  given: readonly CountedOn[],
  session: ClientSession,
): Promise<void> {
  if (given.length === 0) return;
  await keys(db).bulkWrite(
    given.map(({ key, month, credits }) => ({
      updateOne: {
        filter: { _id: key, "spent.month": month },
        update: { $inc: { "spent.credits": -credits } },
      },
    })),
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

/** Inserts missing plans. An existing plan only gets a price if it never had one. */
export async function insertMissingPlans(db: Db, wanted: readonly PlanDoc[]): Promise<void> {
  const prices = wanted.flatMap(({ _id, price_cents }) =>
    price_cents === undefined
      ? []
      : [
          {
            updateOne: {
              filter: { _id, price_cents: { $exists: false } },
              update: { $set: { price_cents } },
            },
          },
        ],
  );
  await plans(db).bulkWrite([...insertsOfMissing(wanted), ...prices], { ordered: false });
}

/** Null if there is no such plan. */
export async function savePlanPrice(db: Db, planId: string, priceCents: number): Promise<PlanDoc | null> {
  return plans(db).findOneAndUpdate(
    { _id: planId },
    { $set: { price_cents: priceCents } },
    { returnDocument: "after" },
  );
}

/** Every account, in the order of their ids. */
/** The oldest first. */
export async function findAccountsAfter(
  db: Db,
  afterId: string,
  limit: number,
): Promise<Pick<AccountDoc, "_id" | "ledger_seq">[]> {
  return accounts(db)
    .find({ _id: { $gt: afterId } }, { projection: { ledger_seq: 1 } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
}

export async function* streamAccountIds(db: Db): AsyncGenerator<string> {
  for await (const { _id } of accounts(db)
    .find({}, { projection: { _id: 1 } })
    .sort({ _id: 1 }))
    yield _id;
}
