// How credits move. Pure: an account's numbers and an intent in, the next entry out.
import { createHash } from "node:crypto";
import {
  type BalanceResource,
  hashLedgerEntry,
  type LedgerEntryResource,
} from "../../proto/resources/credits.ts";
import type { Source } from "../../proto/caller.ts";
import type { AccountDoc } from "../accounts/store.ts";
import { type Settlement, settlementEntryId } from "./entry-id.ts";
import type { LedgerDoc } from "./store.ts";

export type LedgerKind = LedgerEntryResource["kind"];

/** The numbers of an account that an entry moves. */
export type LedgerHead = Pick<
  AccountDoc,
  "_id" | "balance" | "held" | "ledger_seq" | "ledger_hash" | "ledger_at"
>;

export type EntryIntent = {
  kind: LedgerKind;
  /** Credits, above 0; only an adjustment may be below. */
  credits: number;
  /** The job it settles, or an id for an entry that settles none. */
  of: { jobId: string } | { entryId: string };
  source: Source;
  keyId: string | null;
  memo: string | null;
  /** The entry gets this time, or that of the one before it where this is earlier: the times of a ledger never go back. */
  at: Date;
  grantKey?: string;
};

/** What each kind does with c credits to balance and hold, and which settlement of its job it is. */
const MOVES: Record<LedgerKind, { amount: -1 | 0 | 1; hold: -1 | 0 | 1; settlement: Settlement | null }> = {
  grant: { amount: 1, hold: 0, settlement: null },
  purchase: { amount: 1, hold: 0, settlement: null },
  adjustment: { amount: 1, hold: 0, settlement: null },
  reserve: { amount: 0, hold: 1, settlement: "reserve" },
  debit: { amount: -1, hold: -1, settlement: "debit" },
  release: { amount: 0, hold: -1, settlement: "return" },
  refund: { amount: 1, hold: 0, settlement: "return" },
};

/** Credits that may still be spent. */
export function availableCredits(head: LedgerHead): number {
  return head.balance - head.held;
}

/**
 * The entry that follows `head`, and the head after it: in a batch many entries fall on one account, each on the one before.
 * Throws when the move would leave fewer than 0 credits available or held; callers decide that beforehand, so it means a bug, and
 * the transaction must not commit.
 */
export function postEntry<Head extends LedgerHead>(
  head: Head,
  intent: EntryIntent,
): { head: Head; entry: LedgerDoc } {
  const move = MOVES[intent.kind];
  // `|| 0`: 0 times -1 is -0, which MongoDB would store as a double.
  const amount = move.amount * intent.credits || 0;
  const hold = move.hold * intent.credits || 0;
  const balance = head.balance + amount;
  const held = head.held + hold;
  if (!Number.isSafeInteger(balance) || held < 0 || balance - held < 0) {
    throw new Error(
      `${intent.kind} of ${intent.credits} would leave account ${head._id} with balance ${balance}, held ${held}`,
    );
  }
  const seq = head.ledger_seq + 1;
  const at = later(intent.at, head.ledger_at);
  const entryId = entryIdOf(intent, move.settlement);
  const numbers = {
    seq,
    kind: intent.kind,
    amount,
    hold,
    balance_after: balance,
    held_after: held,
    job_id: "jobId" in intent.of ? intent.of.jobId : null,
    source: intent.source,
    key_id: intent.keyId,
    memo: intent.memo,
    prev_hash: head.ledger_hash,
  };
  const hash = hashLedgerEntry({ ...numbers, entry_id: entryId, created_at: at.toISOString() });
  return {
    head: { ...head, balance, held, ledger_seq: seq, ledger_hash: hash, ledger_at: at },
    entry: {
      _id: entryId,
      account_id: head._id,
      ...numbers,
      created_at: at,
      hash,
      ...(intent.grantKey !== undefined && { grant_key: intent.grantKey }),
    },
  };
}

/** The later of two times. */
export function later(time: Date, other: Date | undefined): Date {
  return other !== undefined && other > time ? other : time;
}

function entryIdOf({ kind, of }: EntryIntent, settlement: Settlement | null): string {
  if ("jobId" in of && settlement) return settlementEntryId(of.jobId, settlement);
  if ("entryId" in of && !settlement) return of.entryId;
  throw new Error(`${kind} is ${settlement ? "" : "not "}an entry of a job`);
}

/** The entry as its owner sees it; the same fields that its hash covers. */
export function toLedgerEntry(doc: LedgerDoc): LedgerEntryResource {
  return {
    entry_id: doc._id,
    seq: doc.seq,
    kind: doc.kind,
    amount: doc.amount,
    hold: doc.hold,
    balance_after: doc.balance_after,
    held_after: doc.held_after,
    job_id: doc.job_id,
    source: doc.source,
    key_id: doc.key_id,
    memo: doc.memo,
    created_at: doc.created_at.toISOString(),
    prev_hash: doc.prev_hash,
    hash: doc.hash,
  };
}

/** Over an entry without its memo, the hash that it had with it included: any later change of it shows. */
export function sealEntry(entry: LedgerEntryResource): string {
  return createHash("sha256")
    .update(`${hashLedgerEntry({ ...entry, memo: null })} ${entry.hash}`)
    .digest("hex");
}

/** An account's credits as its owner sees them. */
export function toBalance(head: LedgerHead): BalanceResource {
  return {
    balance: head.balance,
    held: head.held,
    available: availableCredits(head),
    ledger_seq: head.ledger_seq,
    ledger_hash: head.ledger_hash,
  };
}
