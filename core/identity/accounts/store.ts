// Documents of accounts, their e-mail addresses, plans and keys, and queries of accounts. Named queries only; no decisions.
import type { KeyKind } from "../../../runtime/keys/api-key.ts";
import {
  counted,
  erasing,
  goneFields,
  type GoneFields,
  hidden,
  keptFields,
  owner,
} from "../../base/documents/fields.ts";
import { inOneBatch } from "../../base/mongo/by-id.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import { WAITS } from "../../base/mongo/due.ts";
import type { ReadContext, SnapshotContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { findNewest } from "../../base/mongo/newest.ts";
import type { PlanDoc } from "../../kernel/definitions.ts";

/** A membership while `period_end` is in the future. Nothing is written when it ends. */
export type MembershipTerms = {
  tier: string;
  /** Since when it has been active without a gap. */
  started_at: Date;
  period_end: Date;
};

/** The buyer on invoices; empty texts where the owner gave none. `address` has lines. */
export type Billing = { readonly name: string; readonly address: string; readonly tax_id: string };

/** A trial of a plan. Nothing is written when it ends. */
export type Trial = { plan: string; started_at: Date; until: Date };

/** The free part of a grant that expires; jobs know the parts that are held. Each grant has at most one such part that is not due yet. */
export type ExpiringGrant = {
  /** The grant's ledger entry. */
  readonly grant_id: string;
  /** Above 0. */
  readonly left: number;
  readonly expires_at: Date;
};

/**
 * One account, with the numbers that change together: credits, the head of its ledger, and its place in the queue. They share a document so
 * that every decision about them is one read and one write, and so that two transactions on one account conflict. Updates: accept, claim,
 * finalize, cancel, grants (always in a transaction that also writes the ledger); plan, status and membership by operators. Deletion:
 * never; when its owner deletes it, it loses everything that identifies the owner.
 */
export type AccountDoc = {
  _id: string;
  email: string;
  name: string;
  plan: string;
  /** The one trial that it has started. During it `plan` is unchanged: planNow returns the account's current rights. Absent until then. */
  trial?: Trial;
  /** Deleted permanently: address and name are empty, and no credential works. The numbers stay, since the ledger does. */
  status: "active" | "suspended" | "deleted";
  /**
   * Why the account gets no credits of the free plan: they wait for a first purchase or an approval, or another account of the same mailbox
   * has them. Absent otherwise.
   */
  welcome?: "held" | "elsewhere";
  /** Stored here so that a member's request reads it with the account, in the same transaction. Absent if there never was one. */
  membership?: MembershipTerms;
  /** Credits that the account owns, including held ones. */
  balance: number;
  /** Credits reserved for jobs that have not started. */
  held: number;
  /** Grants that expire, soonest first. All other available credits do not expire. Absent until there is one. */
  expiring?: readonly ExpiringGrant[];
  /**
   * When the account's next period starts with its plan's monthly credits; null once the account is closed. Absent in tests and
   * measurements without such credits.
   */
  next_grant_at?: Date | null;
  /**
   * When the sweep of credits is due for the account: at its next period, or at an earlier end of a grant. A separate field, so that
   * holding credits changes no index.
   */
  due_at?: Date | null;
  /** The threshold of the low-credits mail, and whether it was sent since the credits were last above it. */
  low?: { readonly below: number; readonly told: boolean };
  /** Its events are recorded: it has had an endpoint or has asked for them. Absent until then. */
  events_on?: true;
  /** IANA name of the time zone of the browser that the owner used last, for mails. Absent (UTC) until a browser has reported it. */
  time_zone?: string;
  /** Absent until its owner has stored some. */
  billing?: Billing;
  /** The approval request that the owner got a mail about, until it expires: others that wait get none. Absent once answered. */
  approval_mail?: { readonly confirmation_id: string; readonly until: Date };
  /** The owner has read what happened until then. Absent until they mark their inbox as read. */
  inbox_read_at?: Date;
  /** seq and hash of the newest ledger entry. */
  ledger_seq: number;
  ledger_hash: string;
  /**
   * When the newest ledger entry was made; the next one is never earlier. Absent until an entry is made by a release that keeps this field.
   */
  ledger_at?: Date;
  /** The version of the entries that follow. Absent in accounts from before version 2. */
  ledger_version?: 2;
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
   * has a free slot for it, else null. A separate field, so that a job which starts immediately changes no index.
   */
  turn: number | null;
  /**
   * Passkeys ever added. Each changes it, so that two passkeys added at the same time conflict and the limit holds. Absent until one is added
   * by a release that keeps this field.
   */
  passkeys_made?: number;
  /** Keys ever made. Every new key changes it, so that two keys made at the same time on one account conflict and the limit holds. */
  keys_made: number;
  created_at: Date;
};

/** Keeps e-mail addresses unique even where accounts are sharded by id. */
export type EmailDoc = {
  _id: string;
  account_id: string;
  /** Until then the address is reserved, although its account has another one. Always absent for an address in use. */
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
  /** The limit of the credits of the key's jobs in a calendar month. Absent without a limit; then nothing is counted. */
  max_credits?: number;
  /** The same for a day, a week and in total (UTC). Always absent if none is set. */
  caps?: { readonly day?: number; readonly week?: number; readonly total?: number };
  /** The approval threshold of the key's requests. Always absent without one. */
  confirm_above?: number;
  /** It has had a threshold, so there may be approvals of its requests. Absent of a key that never lost one. */
  lost_threshold?: true;
  /** A higher threshold, which the user has set for a time. Nothing is written when it ends. Always absent without one. */
  confirm_raised?: RaisedThreshold;
  /** The credits of the key's jobs in the last month with any. */
  spent?: KeySpending;
  /** Their credits in the last day and week with any, and since the key first had a limit. Absent until then. */
  spent_in?: { readonly day: PeriodSpending; readonly week: PeriodSpending; readonly total: number };
  /** The key_id of the key that replaces this one, which ends at `expires_at`. Always absent for a key that was not replaced. */
  replaced_by?: string;
};

/** The approval threshold until a time. */
export type RaisedThreshold = { readonly above: number; readonly until: Date };

/** Credits of the jobs of a key in a month such as 2026-01 (UTC), without refunds. */
export type KeySpending = { readonly month: string; readonly credits: number };

/** Credits in a day such as 2026-01-31, or in the week that begins on it. */
export type PeriodSpending = { readonly name: string; readonly credits: number };

/** A job's credits within its key's spending. Day and week are absent if an earlier release counted the month only. */
export type CountedOn = KeySpending & { readonly key: string; readonly day?: string; readonly week?: string };

export const IN_LINE = { turn: { $gte: 0 } };

/** The class of each field of a key, from its owner's view. */
export const ACCOUNT_FIELDS = keptFields<AccountDoc>()({
  ...counted("_id", "plan", "status", "welcome", "balance", "held", "next_grant_at", "due_at"),
  ...counted("ledger_seq", "ledger_hash", "ledger_at", "ledger_version", "waiting", "running", "served_at"),
  ...counted("turn", "keys_made", "created_at"),
  email: { owner: "" },
  name: { owner: "" },
  trial: { within: { plan: "counted", started_at: "counted", until: "counted" } },
  ...owner("membership", "low", "time_zone", "billing"),
  expiring: { each: { grant_id: "counted", left: "counted", expires_at: "counted" } },
  ...hidden("events_on", "approval_mail", "inbox_read_at", "passkeys_made"),
});

const EMAIL_FIELDS = goneFields<EmailDoc>()({
  _id: "owner",
  account_id: "hidden",
  reserved_until: "hidden",
});

/** The class of each field of a key, from its owner's view. */
export const KEY_FIELDS = {
  ...hidden("_id", "account_id", "kind", "lost_threshold"),
  ...owner("key_id", "name", "scope", "masked", "created_at", "expires_at", "last_used_at", "revoked_at"),
  ...owner("max_credits", "caps", "confirm_above", "confirm_raised", "spent", "spent_in", "replaced_by"),
} as const;

export const ACCOUNT_COLLECTIONS: readonly CollectionSpec[] = [
  {
    name: "accounts",
    holds: ACCOUNT_FIELDS,
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
    holds: EMAIL_FIELDS,
    indexes: [
      {
        name: "reserved_until",
        key: { reserved_until: 1 },
        options: { expireAfterSeconds: 0, partialFilterExpression: { reserved_until: WAITS } },
        why: "MongoDB frees addresses that were given up and can no longer be taken back",
      },
    ],
  },
  { name: "plans", holds: "nothing of an account", indexes: [] },
  {
    name: "api_keys",
    holds: KEY_FIELDS satisfies GoneFields<KeyDoc>,
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

export const accounts = collectionNamed<AccountDoc>("accounts");
export const emails = collectionNamed<EmailDoc>("account_emails");
export const plans = collectionNamed<PlanDoc>("plans");
export const keys = collectionNamed<KeyDoc>("api_keys");

export async function findAccounts(
  db: Db,
  ids: readonly string[],
  { session }: ReadContext = {},
): Promise<Map<string, AccountDoc>> {
  const found = await accounts(db)
    .find({ _id: { $in: [...ids] } }, { ...inOneBatch(ids.length), ...(session && { session }) })
    .toArray();
  return new Map(found.map((account) => [account._id, account]));
}

/** Newest first: ids grow with time. */
export async function findAccountsBefore(
  db: Db,
  beforeId: string | undefined,
  limit: number,
): Promise<AccountDoc[]> {
  return findNewest(accounts(db), { beforeId }, limit);
}

export async function insertAccount(db: Db, account: AccountDoc, { session }: TxContext): Promise<void> {
  await emails(db).insertOne({ _id: account.email, account_id: account._id }, { session });
  await accounts(db).insertOne(account, { session });
}

/** Reduces a deleted account to its counted fields. */
export async function eraseAccountFields(
  db: Db,
  accountId: string,
  { session }: ReadContext = {},
): Promise<void> {
  await accounts(db).updateOne(
    { _id: accountId, status: "deleted" },
    erasing(ACCOUNT_FIELDS),
    session ? { session } : {},
  );
}

/** Sets or removes the threshold of the low-credits mail. If the credits are already below it, the mail counts as sent. */
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

export async function saveTimeZone(db: Db, accountId: string, timeZone: string): Promise<void> {
  await accounts(db).updateOne(
    { _id: accountId, status: { $ne: "deleted" } },
    { $set: { time_zone: timeZone } },
  );
}

/** Never moves the mark back. */
export async function saveInboxRead(db: Db, accountId: string, until: Date): Promise<void> {
  await accounts(db).updateOne(
    { _id: accountId, status: { $ne: "deleted" } },
    { $max: { inbox_read_at: until } },
  );
}

export async function saveBilling(db: Db, accountId: string, billing: Billing): Promise<void> {
  await accounts(db).updateOne({ _id: accountId, status: { $ne: "deleted" } }, { $set: { billing } });
}

/** The oldest first. */
export async function findAccountsAfter(
  db: Db,
  afterId: string,
  limit: number,
): Promise<Pick<AccountDoc, "_id" | "plan" | "ledger_seq" | "ledger_at">[]> {
  return accounts(db)
    .find({ _id: { $gt: afterId } }, { projection: { plan: 1, ledger_seq: 1, ledger_at: 1 } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
}

/**
 * The accounts whose newest entry has this time or a later one; without a time, all with entries. Reads all accounts, because an index
 * would cost every write.
 */
export function streamLedgerHeads(
  db: Db,
  since?: Date,
): AsyncIterable<Pick<AccountDoc, "_id" | "ledger_seq" | "ledger_hash">> {
  return accounts(db)
    .find(since ? { ledger_at: { $gte: since } } : { ledger_seq: { $gt: 0 } }, {
      projection: { ledger_seq: 1, ledger_hash: 1 },
    })
    .batchSize(1_000);
}

/** Of all accounts, in the order of their ids and at one moment. */
export function streamBalances(
  db: Db,
  { session }: SnapshotContext,
): AsyncIterable<Pick<AccountDoc, "_id" | "balance" | "ledger_seq">> {
  return accounts(db)
    .find({}, { session, projection: { balance: 1, ledger_seq: 1 } })
    .sort({ _id: 1 })
    .batchSize(1_000);
}
