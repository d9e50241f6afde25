// When an account's monthly credits come and go, and what to do about an account that is due. Pure.
import { monthsLater } from "../../../runtime/months.ts";
import type { LoadedAccount } from "../accounts/load.ts";
import { FREE_PLAN } from "../accounts/rules.ts";
import type { AccountDoc } from "../accounts/store.ts";
import type { MailboxDoc } from "../accounts/store-mailboxes.ts";
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

/** When the sweep must look at an account: at its next period, or at the earlier end of a grant. */
export function dueAt(nextGrantAt: Date, expiring: LedgerHead["expiring"]): Date {
  const soonest = expiring?.[0]?.expires_at;
  return soonest && soonest < nextGrantAt ? soonest : nextGrantAt;
}

/** What an account is after some step of its credits, with the entries that tell of it. */
type Moved = { readonly account: AccountDoc; readonly entries: readonly LedgerDoc[] };

/** What a new account gets of the free plan's credits of its mailbox. */
export type Welcome = {
  readonly welcome: AccountDoc["welcome"];
  /** The mailbox had its welcome credits before, by an account that is deleted: the next period brings the first. */
  readonly isLater: boolean;
  /** The mailbox from now on; undefined where another account has it. */
  readonly mailbox: MailboxDoc | undefined;
};

/** `known` is the mailbox as it was; `hold`: the operator wants a purchase or an approval first. */
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

/** The monthly credits that a plan brings to this account: the free plan's come to one account of each mailbox. */
export function monthlyCredits({
  account,
  plan,
}: {
  account: Pick<AccountDoc, "welcome">;
  plan: LoadedAccount["plan"];
}): number {
  return plan._id === FREE_PLAN && account.welcome ? 0 : plan.monthly_credits;
}

/** Why an account on the free plan has none of that plan's credits; empty where they came or another plan's do. */
export function missingWelcome({ account, plan }: LoadedAccount): "held" | "elsewhere" | "later" | "" {
  if (plan._id !== FREE_PLAN || plan.monthly_credits === 0) return "";
  if (account.welcome) return account.welcome;
  // Whoever gets credits immediately has an entry from the beginning.
  return account.next_grant_at && account.ledger_seq === 0 ? "later" : "";
}

/** They live until the end of the following period. */
function grantPeriod({ account, plan }: LoadedAccount, begins: Date, at: Date): Moved {
  const credits = monthlyCredits({ account, plan });
  if (credits === 0) return { account, entries: [] };
  const anchor = account.created_at;
  const { head, entry } = postEntry(account, {
    kind: "grant",
    credits,
    of: { entryId: monthlyGrantId(account._id, begins) },
    source: "system",
    keyId: null,
    memo: MONTHLY_MEMO,
    at,
    expiresAt: nextPeriod(anchor, nextPeriod(anchor, begins)),
  });
  return { account: head, entries: [entry] };
}

/**
 * The monthly credits of a plan that someone has just joined, for the current period: what the plan includes, less what was `given` for the
 * period already. If the sweep has not looked at the period yet, it will give them.
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
  const { head, entry } = postEntry(account, {
    kind: "grant",
    credits: missing,
    of: { entryId: topUpGrantId(account._id, begins, plan._id, number) },
    source: "system",
    keyId: null,
    memo: MONTHLY_MEMO,
    at,
    expiresAt: nextPeriod(anchor, nextPeriod(anchor, begins)),
  });
  return { account: head, entries: [entry] };
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

/**
 * Periods that have begun and were not looked at yet, of those whose credits would still live: no one who was away, because the service
 * was, gets credits that would be over again immediately.
 */
function owedPeriods({ created_at: anchor, next_grant_at: next, status }: AccountDoc, at: Date): Date[] {
  const owed: Date[] = [];
  if (status !== "active" || !next) return owed;
  for (let begins = next; begins <= at; begins = nextPeriod(anchor, begins))
    if (nextPeriod(anchor, nextPeriod(anchor, begins)) > at) owed.push(begins);
  return owed;
}

/**
 * The account without its expired credits, and with the credits of the periods that have begun, as many as its present plan gives. A
 * suspended account never gets anything for such periods, and nothing moves on a closed one. `given` are monthly grants already in the
 * ledger, whatever the account says.
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
