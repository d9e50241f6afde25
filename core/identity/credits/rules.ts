// The movements of credits. Pure: takes an account's numbers and an intent, returns the next entry.
import { createHash } from "node:crypto";
import type { Source } from "../../../proto/caller.ts";
import {
  type BalanceResource,
  hashLedgerEntry,
  type LedgerEntryResource,
} from "../../../proto/resources/credits.ts";
import type { AccountDoc, ExpiringGrant } from "../accounts/store.ts";
import { holdEntryId, isMonthly, type Settlement, settlementEntryId } from "./entry-id.ts";
import { addGrant, refundTo, isDue, type Portion, takeFrom, takeLatest, takeSoonest } from "./grant-rules.ts";
import { armLow } from "./low-rules.ts";
import type { LedgerDoc } from "./store.ts";

export type LedgerKind = LedgerEntryResource["kind"];

/** The numbers of an account that an entry changes. */
export type LedgerHead = Pick<
  AccountDoc,
  | "_id"
  | "balance"
  | "held"
  | "expiring"
  | "low"
  | "next_grant_at"
  | "due_at"
  | "ledger_seq"
  | "ledger_hash"
  | "ledger_at"
  | "ledger_version"
>;

export type EntryIntent = {
  kind: LedgerKind;
  /** Credits, above 0; only an adjustment may be below 0. */
  credits: number;
  /** The job or the hold that it settles, or the id of a separate entry. */
  of: { jobId: string } | { holdId: string } | { entryId: string };
  source: Source;
  keyId: string | null;
  memo: string | null;
  /** The entry gets this time, or the time of the entry before it if that is later: the times of a ledger never go back. */
  at: Date;
  grantKey?: string;
  /** For a grant: when the rest of it expires. Absent: never. */
  expiresAt?: Date;
  /** Expiring grants: those that a job's credits were held from, the one that has expired, or the one that an adjustment takes from. */
  from?: readonly Portion[];
};

/** The effect of each kind with c credits on balance and hold, and its settlement. */
const MOVES: Record<LedgerKind, { amount: -1 | 0 | 1; hold: -1 | 0 | 1; settlement: Settlement | null }> = {
  grant: { amount: 1, hold: 0, settlement: null },
  purchase: { amount: 1, hold: 0, settlement: null },
  adjustment: { amount: 1, hold: 0, settlement: null },
  reserve: { amount: 0, hold: 1, settlement: "reserve" },
  debit: { amount: -1, hold: -1, settlement: "debit" },
  release: { amount: 0, hold: -1, settlement: "return" },
  refund: { amount: 1, hold: 0, settlement: "return" },
  expire: { amount: -1, hold: 0, settlement: null },
};

/** Kinds of entries that name their expiring grants. */
const TELLS_GRANTS: ReadonlySet<LedgerKind> = new Set(["debit", "refund", "expire", "adjustment"]);

/** Credits that may still be spent. */
export function availableCredits(head: Pick<LedgerHead, "balance" | "held">): number {
  return head.balance - head.held;
}

/**
 * The entry that follows `head`, and the head after it. A batch may have many entries for one account, each following the one before.
 * `from` names the expiring grants that the credits come from or return to; the entries that follow a hold must name the hold's grants
 * again. Throws if the move would leave fewer than 0 credits available or held. Callers rule that out beforehand, so it is a bug, and the
 * transaction must not commit.
 */
export function postEntry<Head extends LedgerHead>(
  head: Head,
  intent: EntryIntent,
): { head: Head; entry: LedgerDoc; from: readonly Portion[] } {
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
  const { expiring, from } = moveGrants(head, intent, { entryId, at });
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
  const content = {
    _id: entryId,
    account_id: head._id,
    ...numbers,
    created_at: at,
    hash: "",
    ...(from.length > 0 &&
      TELLS_GRANTS.has(intent.kind) && {
        grants: from.map(({ grant_id, amount: credits }) => ({ grant_id, amount: credits })),
      }),
    ...(intent.expiresAt && { expires_at: intent.expiresAt }),
    ...(head.ledger_version && { version: head.ledger_version }),
    ...(intent.grantKey !== undefined && { grant_key: intent.grantKey }),
  };
  const hash = hashLedgerEntry(toLedgerEntry(content));
  return {
    head: {
      ...head,
      balance,
      held,
      ...(expiring && { expiring, ...earlierDue(head, expiring) }),
      ...armLow({ low: head.low, balance, held }),
      ledger_seq: seq,
      ledger_hash: hash,
      ledger_at: at,
    },
    from,
    entry: { ...content, hash },
  };
}

/** A new or revived grant may expire before the account's current due time. */
function earlierDue({ due_at }: LedgerHead, [soonest]: readonly ExpiringGrant[]): Pick<LedgerHead, "due_at"> {
  return soonest && (!due_at || soonest.expires_at < due_at) ? { due_at: soonest.expires_at } : {};
}

/** The effect of an entry on the expiring grants, and which of them it names. */
function moveGrants(
  head: LedgerHead,
  { kind, credits, expiresAt, from = [] }: EntryIntent,
  { entryId, at }: { entryId: string; at: Date },
): { expiring: LedgerHead["expiring"]; from: readonly Portion[] } {
  const { expiring } = head;
  switch (kind) {
    case "grant":
      if (!expiresAt) return { expiring, from };
      return {
        expiring: addGrant(expiring ?? [], { grant_id: entryId, left: credits, expires_at: expiresAt }),
        from,
      };
    case "reserve": {
      const taken = takeSoonest(expiring ?? [], credits);
      return { expiring: expiring && taken.left, from: taken.from };
    }
    case "adjustment": {
      if (from.length > 0) return { expiring: expiring && takeFrom(expiring, from), from };
      // Corrects a grant, most of which do not expire.
      const taken = takeLatest(expiring ?? [], Math.max(0, -credits - lastingCredits(head)));
      return { expiring: expiring && taken.left, from: taken.from };
    }
    case "release":
    case "refund":
      return { expiring: from.length > 0 ? refundTo(expiring ?? [], from, at) : expiring, from };
    case "expire": {
      const gone = (one: Pick<Portion, "grant_id" | "expires_at">) =>
        from.some(({ grant_id, expires_at }) => grant_id === one.grant_id && +expires_at === +one.expires_at);
      return { expiring: expiring?.filter((grant) => !gone(grant)), from };
    }
    default:
      return { expiring, from };
  }
}

/** Credits available that never expire. */
export function lastingCredits(head: Pick<LedgerHead, "balance" | "held" | "expiring">): number {
  const expiring = (head.expiring ?? []).reduce((sum, { left }) => sum + left, 0);
  return Math.max(0, availableCredits(head) - expiring);
}

/**
 * Ends expired grants, with an entry for each; undefined if there are none. A process of a release without grants may have spent from them,
 * so it never takes more than the balance.
 */
export function expireDue<Head extends LedgerHead>(
  before: Head,
  at: Date,
): { head: Head; entries: readonly LedgerDoc[] } | undefined {
  const now = later(at, before.ledger_at);
  const due = (before.expiring ?? []).filter((grant) => isDue(grant, now));
  if (due.length === 0) return undefined;
  let head: Head = before;
  const entries: LedgerDoc[] = [];
  for (const one of due) {
    const { grant_id, left, expires_at } = one;
    const credits = Math.min(left, availableCredits(head));
    if (credits === 0) {
      head = { ...head, expiring: head.expiring?.filter((grant) => grant !== one) };
      continue;
    }
    const posted = postEntry(head, {
      kind: "expire",
      credits,
      // A grant that was revived expires again.
      of: { entryId: `${grant_id}_expire_${head.ledger_seq + 1}` },
      source: "system",
      keyId: null,
      memo: null,
      at: now,
      from: [{ grant_id, amount: credits, expires_at }],
    });
    head = posted.head;
    entries.push(posted.entry);
  }
  return { head, entries };
}

/** The later of two times. */
export function later(time: Date, other: Date | undefined): Date {
  return other !== undefined && other > time ? other : time;
}

function entryIdOf({ kind, of }: EntryIntent, settlement: Settlement | null): string {
  if ("jobId" in of && settlement) return settlementEntryId(of.jobId, settlement);
  if ("holdId" in of && settlement) return holdEntryId(of.holdId, settlement);
  if ("entryId" in of && !settlement) return of.entryId;
  throw new Error(`${kind} is ${settlement ? "" : "not "}an entry of a job or a hold`);
}

/** The entry as its owner sees it. In version 2 its hash covers all shown fields, so no further field may ever be shown. */
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
    ...(doc.grants && { grants: doc.grants }),
    ...(doc.version && {
      version: doc.version,
      ...(doc.expires_at && { expires_at: doc.expires_at.toISOString() }),
    }),
  };
}

/** A seal over an entry without its memo but with its original hash, so that any later change is detected. */
export function sealEntry(entry: LedgerEntryResource): string {
  return createHash("sha256")
    .update(`${hashLedgerEntry({ ...entry, memo: null })} ${entry.hash}`)
    .digest("hex");
}

/** An account's credits as its owner sees them. `logged_seq` is that of its newest entry in the log. */
export function toBalance(head: LedgerHead, logged_seq: number | null = null): BalanceResource {
  return {
    balance: head.balance,
    held: head.held,
    available: availableCredits(head),
    ledger_seq: head.ledger_seq,
    ledger_hash: head.ledger_hash,
    logged_seq,
    grants: (head.expiring ?? []).map(({ grant_id, left, expires_at }) => ({
      grant_id,
      kind: isMonthly(grant_id) ? ("monthly" as const) : ("other" as const),
      left,
      expires_at: expires_at.toISOString(),
    })),
    next_grant_at: head.next_grant_at?.toISOString() ?? null,
  };
}
