// The words for ledger entries on pages.
import type { BalanceResource, LedgerEntryResource } from "../../../proto/resources/credits.ts";
import { count } from "../design/format.ts";

type Kind = LedgerEntryResource["kind"];
type GrantKind = BalanceResource["grants"][number]["kind"];

export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  grant: "Grant",
  purchase: "Purchase",
  adjustment: "Adjustment",
  reserve: "Held",
  debit: "Charged",
  release: "Released",
  refund: "Refund",
  expire: "Expired",
};

export const GRANT_WORDS: Readonly<Record<GrantKind, string>> = {
  monthly: "from your plan",
  other: "given to you",
};

/** +1,000, −10, 0 */
export function change(amount: number): string {
  if (amount === 0) return "0";
  return amount > 0 ? `+${count(amount)}` : `−${count(-amount)}`;
}
