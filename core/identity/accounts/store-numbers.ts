// The numbers of accounts that change together: credits, slots and places in line; and which accounts are due.
import type { Filter } from "mongodb";
import type { Db } from "../../base/mongo/client.ts";
import { dueBy } from "../../base/mongo/due.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { forgetAccounts, noteAccount } from "./store-in-tx.ts";
import { type AccountDoc, IN_LINE, accounts } from "./store.ts";

/** Whether there may be something to claim, read outside any transaction. */
export async function findAnyClaimable(db: Db): Promise<boolean> {
  return (await accounts(db).findOne(IN_LINE, { projection: { _id: 0, turn: 1 }, hint: "turn" })) !== null;
}

/** Accounts whose turn it is, the least recently served first. */
export async function findClaimableAccounts(db: Db, page: Stretch, tx: TxContext): Promise<AccountDoc[]> {
  return readInOrder(db, IN_LINE, { by: "turn", index: "turn", ...page }, tx);
}

/** Writes the numbers that change together, for accounts that the same transaction has read. */
export async function saveAccountNumbers(
  db: Db,
  changed: readonly AccountDoc[],
  tx: TxContext,
): Promise<void> {
  await setEach(db, changed, tx, (account) => ({
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
  tx: TxContext,
): Promise<void> {
  await setEach(db, changed, tx, (account) => ({
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
  tx: TxContext,
  fields: (account: AccountDoc) => Partial<AccountDoc>,
): Promise<void> {
  if (changed.length === 0) return;
  for (const account of changed) noteAccount(tx, account);
  const updates = changed.map((account) => ({
    updateOne: { filter: { _id: account._id }, update: { $set: fields(account) } },
  }));
  await accounts(db).bulkWrite(updates, { session: tx.session, ordered: false });
}

/** Accounts that are due for the sweep of credits, the longest due first. */
export async function findDueAccounts(db: Db, page: Stretch, tx: TxContext): Promise<AccountDoc[]> {
  return readInOrder(db, { due_at: dueBy(tx.now) }, { by: "due_at", index: "due", ...page }, tx);
}

type Stretch = { limit: number; skip: number };

async function readInOrder(
  db: Db,
  filter: Filter<AccountDoc>,
  { by, index, limit, skip }: Stretch & { by: "turn" | "due_at"; index: string },
  tx: TxContext,
): Promise<AccountDoc[]> {
  const found = await accounts(db)
    .find(filter, { session: tx.session, hint: index })
    .sort({ [by]: 1 })
    .skip(skip)
    .limit(limit)
    .toArray();
  for (const account of found) noteAccount(tx, account);
  return found;
}

/**
 * Frees this many slots of these accounts; accounts with waiting jobs get in line again. Returns how many did. If the plan allows fewer
 * slots by now, the next claim finds none and corrects that.
 */
export async function saveFreedSlots(
  db: Db,
  freed: ReadonlyMap<string, number>,
  tx: TxContext,
): Promise<number> {
  if (freed.size === 0) return 0;
  forgetAccounts(tx, freed.keys());
  const { session } = tx;
  const slots = [...Map.groupBy(freed, ([, count]) => count)];
  const free = (waiting: 0 | { $gt: 0 }) =>
    slots.map(([count, group]) => ({
      updateMany: {
        filter: { _id: { $in: group.map(([accountId]) => accountId) }, waiting },
        update: { $inc: { running: -count } },
        hint: "_id_",
      },
    }));
  // Nearly always no job waits: it then reads each account once, and changes nothing that is indexed.
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
