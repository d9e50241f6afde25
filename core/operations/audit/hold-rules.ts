// The invariants of holds of internal services, checked only against stored data. This file is pure.
import type { LedgerDoc } from "../../identity/credits/store.ts";
import type { HoldDoc } from "../../identity/holds/store.ts";

/** The findings between a hold and its entries. `hold` is undefined if there are entries without a hold. */
export function checkHold(
  accountId: string,
  holdId: string,
  hold: HoldDoc | undefined,
  entries: readonly LedgerDoc[],
): string[] {
  if (!hold) return [`hold ${holdId}: has ledger entries, and is not there`];
  const { state, credits, captured = 0, ended_at } = hold;
  const where = `hold ${holdId} (${state})`;
  const wrong: string[] = [];
  if (hold.account_id !== accountId) wrong.push(`${where}: is of account ${hold.account_id}`);
  if ((state === "held") !== (ended_at === null))
    wrong.push(`${where}: ended at ${ended_at?.toISOString() ?? "no time"}`);
  if (state === "captured" ? captured < 1 || captured > credits : hold.captured !== undefined)
    wrong.push(`${where}: captured ${captured} of ${credits} credits`);
  const back = state === "held" ? 0 : credits - captured;
  const expected: Partial<
    Record<LedgerDoc["kind"], readonly [amount: number, hold: number, grants: string]>
  > = {
    reserve: [0, credits, ""],
    ...(captured > 0 && { debit: [-captured, -captured, text(taken(hold.held_from ?? [], captured))] }),
    ...(back > 0 && { release: [0, -back, ""] }),
  };
  for (const { _id, kind, amount, hold: held, grants } of entries) {
    const [wantedAmount, wantedHold, wantedGrants] = expected[kind] ?? [];
    delete expected[kind];
    if (amount !== wantedAmount || held !== wantedHold)
      wrong.push(
        `${where}: ledger entry ${_id} moves ${amount} and holds ${held}, not ${wantedAmount ?? 0} and ${wantedHold ?? 0}`,
      );
    else if (text(grants ?? []) !== wantedGrants)
      wrong.push(
        `${where}: ledger entry ${_id} names the grants ${text(grants ?? []) || "none"}, not ${wantedGrants || "none"}`,
      );
  }
  for (const kind of Object.keys(expected)) wrong.push(`${where}: has no ledger entry ${kind}`);
  return wrong;
}

type Shares = readonly { readonly grant_id: string; readonly amount: number }[];

/** The first credits of these shares in order. */
function taken(shares: Shares, credits: number): Shares {
  let left = credits;
  return shares.flatMap(({ grant_id, amount }) => {
    const some = Math.min(amount, left);
    left -= some;
    return some > 0 ? [{ grant_id, amount: some }] : [];
  });
}

function text(shares: Shares): string {
  return shares.map(({ grant_id, amount }) => `${grant_id} ${amount}`).join(", ");
}
