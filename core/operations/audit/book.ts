// The book of all credits: what accounts have, and the counterpart of every entry in an account of the house. Together they are 0.
import type { LedgerDoc } from "../../identity/credits/store.ts";
import { isEntryOfOrder } from "./order-rules.ts";

/** Credits by name: `accounts` for those of all owners, the others of the house. */
export type Book = ReadonlyMap<string, number>;

type Entry = Pick<LedgerDoc, "_id" | "kind" | "amount">;

/** The house account that an entry moves credits from or to; undefined for a kind that moves none. */
function counterpartOf({ _id, kind }: Entry): string | undefined {
  switch (kind) {
    case "purchase":
      return "purchases";
    case "grant":
      return _id.includes("_monthly_") ? "plans" : "grants";
    case "debit":
    case "refund":
      return "income";
    case "expire":
      return "expired";
    case "adjustment":
      return isEntryOfOrder(_id) ? "refunds" : "adjustments";
    default:
      return undefined;
  }
}

/** Adds the counterpart of an entry to the book of its account. */
export function addCounterpart(book: Map<string, number>, entry: Entry): void {
  const name = counterpartOf(entry);
  if (name !== undefined) book.set(name, (book.get(name) ?? 0) - entry.amount || 0);
}

export function addBook(to: Map<string, number>, from: Book): void {
  for (const [name, credits] of from) to.set(name, (to.get(name) ?? 0) + credits);
}

/** Sorted by name, with those of all owners first. */
export function toLines(book: Book): { name: string; credits: number }[] {
  const { accounts = 0, ...house } = Object.fromEntries(book);
  const lines = Object.entries(house).sort(([a], [b]) => a.localeCompare(b));
  return [["accounts", accounts] as const, ...lines].map(([name, credits]) => ({ name, credits }));
}

/** Of no account alone: an entry without a counterpart. */
export function checkBook(book: Book): string[] {
  const sum = [...book.values()].reduce((all, credits) => all + credits, 0);
  return sum === 0 ? [] : [`the book: accounts and the house add up to ${sum} credits, and not to 0`];
}
