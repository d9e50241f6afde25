// Credits that come from outside a job: grants, purchases, adjustments.
import type { Source } from "../../proto/caller.ts";
import { AppError } from "../../proto/codes.ts";
import { loadAccounts, saveAccounts } from "../accounts/load.ts";
import type { App } from "../app.ts";
import { inTx } from "../mongo/in-tx.ts";
import { availableCredits, postEntry } from "./rules.ts";
import { findGrant, insertEntries, type LedgerDoc } from "./store.ts";

/** No single grant is larger; keeps every balance far from 2^53. */
const MAX_GRANT = 1_000_000_000;

export type Grant = {
  accountId: string;
  /** Credits; below 0 only for an adjustment. */
  amount: number;
  kind: "grant" | "purchase" | "adjustment";
  memo: string | null;
  source: Source;
  /** The same key gives the first entry again and moves nothing. */
  idempotencyKey?: string;
};

/** Errors: invalid_request (amount), not_found (account), insufficient_credits (an adjustment below what is available). */
export async function grantCredits(app: App, grant: Grant): Promise<LedgerDoc> {
  checkAmount(grant);
  const entryId = app.newId("led");
  const at = app.clock.now();
  return inTx(app.mongo, async (session) => {
    if (grant.idempotencyKey) {
      const earlier = await findGrant(app.mongo.db, grant.accountId, grant.idempotencyKey, session);
      if (earlier) return replay(earlier, grant);
    }
    const loaded = (await loadAccounts(app, [grant.accountId], session)).get(grant.accountId);
    if (!loaded) throw new AppError("not_found", { message: "There is no such account." });
    const available = availableCredits(loaded.account);
    if (available + grant.amount < 0) {
      throw new AppError("insufficient_credits", {
        message: `The account has ${available} credits available, fewer than the adjustment takes.`,
        numbers: { credits_required: -grant.amount, credits_available: available },
      });
    }
    const { head, entry } = postEntry(loaded.account, {
      kind: grant.kind,
      credits: grant.amount,
      of: { entryId },
      source: grant.source,
      keyId: null,
      memo: grant.memo,
      at,
      ...(grant.idempotencyKey && { grantKey: grant.idempotencyKey }),
    });
    await saveAccounts(app, [head], session);
    await insertEntries(app.mongo.db, [entry], session);
    return entry;
  });
}

function checkAmount({ amount, kind }: Grant): void {
  const lowest = kind === "adjustment" ? -MAX_GRANT : 1;
  if (!Number.isSafeInteger(amount) || amount === 0 || amount < lowest || amount > MAX_GRANT) {
    throw new AppError("invalid_request", {
      issues: [
        { path: "amount", message: `must be a whole number from ${lowest} to ${MAX_GRANT}, and not 0` },
      ],
    });
  }
}

function replay(earlier: LedgerDoc, grant: Grant): LedgerDoc {
  if (earlier.amount !== grant.amount || earlier.kind !== grant.kind)
    throw new AppError("idempotency_mismatch");
  return earlier;
}
