// When an account's monthly credits are granted and expire, and the steps of a due account. Pure.
import { monthsLater } from "../../../runtime/months.ts";
import type { LoadedAccount } from "../accounts/load.ts";
import { FREE_PLAN } from "../accounts/rules.ts";
import type { MailboxDoc } from "../accounts/store-mailboxes.ts";
import type { AccountDoc } from "../accounts/store.ts";
import { monthlyGrantId, topUpGrantId } from "./entry-id.ts";
import { expireDue, type LedgerHead, postEntry } from "./rules.ts";
import type { LedgerDoc } from "./store.ts";

const MONTHLY_MEMO = "Monthly credits";

/**
 * The beginning of an account's first period after `at`. Periods begin each month on the day and at the time of day at which the account
 * began, or on the last day of a shorter month: 31 January, 28 February, 31 March.
 */
export function nextPeriod(anchor: Date, at: Date): Date {
  const months =
    (at.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + at.getUTCMonth() - anchor.getUTCMonth();
  const thisMonth = monthsLater(anchor, months);
  return thisMonth > at ? thisMonth : monthsLater(anchor, months + 1);
}

/** When an account is due for the sweep: at its next period, or at an earlier end of a grant. */
export function dueAt(nextGrantAt: Date, expiring: LedgerHead["expiring"]): Date {
  const soonest = expiring?.[0]?.expires_at;
  return soonest && soonest < nextGrantAt ? soonest : nextGrantAt;
}

/** An account after a step of its credits, with the entries of the step. */
type Moved = { readonly account: AccountDoc; readonly entries: readonly LedgerDoc[] };

/** A new account's share of its mailbox's free plan credits. */
export type Welcome = {
  readonly welcome: AccountDoc["welcome"];
  /** The mailbox had its welcome credits by a deleted account: the next period grants the first. */
  readonly isLater: boolean;
  /** The mailbox from now on; undefined where another account has it. */
  readonly mailbox: MailboxDoc | undefined;
};

/** `known` is the mailbox before; `hold`: the operator requires a purchase or an approval first. */
export function welcomeTo(
  known: MailboxDoc | undefined,
  { mailboxId, account, hold }: { mailboxId: string; account: AccountDoc; hold: boolean },
): Welcome {
  const { _id: account_id, created_at: at } = account;
  if (known && known.account_id !== null) return { welcome: "elsewhere", isLater: false, mailbox: undefined };
  if (known?.given_at) return { welcome: undefined, isLater: true, mailbox: { ...known, account_id } };
  const welcome = hold && account.plan === FREE_PLAN ? "held" : undefined;
  const mailbox = { _id: mailboxId, account_id, given_at: welcome ? null : at };
  return { welcome, isLater: false, mailbox };
}

/** A new account with the monthly credits of its first period. */
export function beginPeriods(
  { account: bare, plan }: LoadedAccount,
  { welcome, isLater }: Pick<Welcome, "welcome" | "isLater">,
): Moved {
  const { created_at: begins } = bare;
  const begun = { ...bare, ...(welcome && { welcome }) };
  const { account, entries } =
    isLater && plan._id === FREE_PLAN
      ? { account: begun, entries: [] }
      : grantPeriod({ account: begun, plan }, begins, begins);
  const next = nextPeriod(begins, begins);
  return { account: { ...account, next_grant_at: next, due_at: dueAt(next, account.expiring) }, entries };
}

/** The monthly credits of a plan for this account: those of the free plan go to one account of each mailbox. */
export function monthlyCredits({
  account,
  plan,
}: {
  account: Pick<AccountDoc, "welcome">;
  plan: LoadedAccount["plan"];
}): number {
  return plan._id === FREE_PLAN && account.welcome ? 0 : plan.monthly_credits;
}

/** Why an account on the free plan has none of that plan's credits; empty where it has them, or another plan's. */
export function missingWelcome({ account, plan }: LoadedAccount): "held" | "elsewhere" | "later" | "" {
  if (plan._id !== FREE_PLAN || plan.monthly_credits === 0) return "";
  if (account.welcome) return account.welcome;
  // An account with immediate credits has an entry from the beginning.
  return account.next_grant_at && account.ledger_seq === 0 ? "later" : "";
}

/** They live until the end of the following period. */
function grantPeriod({ account, plan }: LoadedAccount, begins: Date, at: Date): Moved {
  const credits = monthlyCredits({ account, plan });
  if (credits === 0) return { account, entries: [] };
  return postGrant(account, { credits, entryId: monthlyGrantId(account._id, begins), begins, at });
}

function postGrant(
  account: AccountDoc,
  { credits, entryId, begins, at }: { credits: number; entryId: string; begins: Date; at: Date },
): Moved {
  const anchor = account.created_at;
  const { head, entry } = postEntry(account, {
    kind: "grant",
    credits,
    of: { entryId },
    source: "system",
    keyId: null,
    memo: MONTHLY_MEMO,
    at,
    expiresAt: nextPeriod(anchor, nextPeriod(anchor, begins)),
  });
  return { account: head, entries: [entry] };
}

/**
 * The monthly credits for the current period of a plan that was just joined: what the plan includes, less what was `given` for the period.
 * If the sweep has not processed the period yet, it will grant them.
 */
export function topUpPeriod(
  { account, plan }: LoadedAccount,
  at: Date,
  given: readonly Pick<LedgerDoc, "_id" | "amount">[],
): Moved {
  const { next_grant_at: next, created_at: anchor } = account;
  const missing = monthlyCredits({ account, plan }) - given.reduce((sum, { amount }) => sum + amount, 0);
  if (!next || next <= at || missing <= 0) return { account, entries: [] };
  const begins = periodOf(anchor, at);
  const known = new Set(given.map(({ _id }) => _id));
  let number = 1;
  while (known.has(topUpGrantId(account._id, begins, plan._id, number))) number += 1;
  const entryId = topUpGrantId(account._id, begins, plan._id, number);
  return postGrant(account, { credits: missing, entryId, begins, at });
}

/** When the period that a moment falls into began. */
export function periodOf(anchor: Date, at: Date): Date {
  const next = nextPeriod(anchor, at);
  const months =
    (next.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + next.getUTCMonth() - anchor.getUTCMonth();
  return monthsLater(anchor, months - 1);
}

/** Ids of the monthly grants that may be owed to an account now. */
export function owedGrantIds(account: AccountDoc, at: Date): string[] {
  return owedPeriods(account, at).map((begins) => monthlyGrantId(account._id, begins));
}

/** Periods that have started and were not processed, whose credits would not have expired yet. */
function owedPeriods({ created_at: anchor, next_grant_at: next, status }: AccountDoc, at: Date): Date[] {
  const owed: Date[] = [];
  if (status !== "active" || !next) return owed;
  for (let begins = next; begins <= at; begins = nextPeriod(anchor, begins))
    if (nextPeriod(anchor, nextPeriod(anchor, begins)) > at) owed.push(begins);
  return owed;
}

/**
 * The account without its expired credits, and with the current plan's credits of the periods that have started. A suspended account never
 * gets credits for such periods, and a closed one does not change. `given` are monthly grants already in the ledger, whatever the account
 * says.
 */
export function bringUpToDate(loaded: LoadedAccount, at: Date, given: ReadonlySet<string>): Moved {
  const { account: before, plan } = loaded;
  if (before.status === "deleted")
    return { account: { ...before, next_grant_at: null, due_at: null }, entries: [] };
  const expired = expireDue(before, at);
  let account = expired?.head ?? before;
  const entries = [...(expired?.entries ?? [])];
  for (const begins of owedPeriods(before, at)) {
    if (given.has(monthlyGrantId(before._id, begins))) continue;
    const granted = grantPeriod({ account, plan }, begins, at);
    account = granted.account;
    entries.push(...granted.entries);
  }
  const { next_grant_at: known, created_at: anchor } = before;
  const next = known && known > at ? known : nextPeriod(anchor, at);
  return { account: { ...account, next_grant_at: next, due_at: dueAt(next, account.expiring) }, entries };
}
