// Credits from outside a job: grants, purchases, adjustments.
import type { Source } from "../../../proto/caller.ts";
import { AppError, type Issue } from "../../../proto/codes.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { loadAccounts, saveAccounts } from "../accounts/load.ts";
import { findArchivedGrant } from "./archived-entries.ts";
import { availableCredits, postEntry } from "./rules.ts";
import { findGrant, insertEntries, type LedgerDoc } from "./store.ts";

/** The maximum of a single grant, which keeps every balance far from 2^53. */
const MAX_GRANT = 1_000_000_000;

export type Grant = {
  accountId: string;
  /** Credits; below 0 only for an adjustment. */
  amount: number;
  kind: "grant" | "purchase" | "adjustment";
  memo: string | null;
  source: Source;
  /** For a grant: when the rest of it expires. Absent: never. */
  expiresAt?: Date | undefined;
  /** A repeat with the same key returns the first entry and moves nothing. */
  idempotencyKey?: string;
};

/** Errors: invalid_request (amount), not_found (account), insufficient_credits (an adjustment below what is available). */
export async function grantCredits(app: App, grant: Grant): Promise<LedgerDoc> {
  const entryId = app.newId("led");
  const at = app.clock.now();
  checkGrant(grant, at);
  return inTx({ mongo: app.mongo, now: at }, async (tx) => {
    if (grant.idempotencyKey) {
      const { accountId, idempotencyKey: key } = grant;
      const earlier =
        (await findGrant(app.mongo.db, accountId, key, tx)) ??
        (await findArchivedGrant(app, accountId, key, tx));
      if (earlier) return replay(earlier, grant);
    }
    const loaded = (await loadAccounts(app, [grant.accountId], tx)).get(grant.accountId);
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
      at: tx.now,
      ...(grant.expiresAt && { expiresAt: grant.expiresAt }),
      ...(grant.idempotencyKey && { grantKey: grant.idempotencyKey }),
    });
    await saveAccounts(app, [head], tx);
    await insertEntries(app.mongo.db, [entry], tx);
    return entry;
  });
}

function checkGrant({ amount, kind, expiresAt }: Grant, now: Date): void {
  const issues: Issue[] = [];
  const lowest = kind === "adjustment" ? -MAX_GRANT : 1;
  if (!Number.isSafeInteger(amount) || amount === 0 || amount < lowest || amount > MAX_GRANT)
    issues.push({
      path: "amount",
      message: `must be a whole number from ${lowest} to ${MAX_GRANT}, and not 0`,
    });
  if (expiresAt && Number.isNaN(expiresAt.getTime()))
    issues.push({ path: "expires_at", message: "must be a time such as 2030-01-31T00:00:00Z" });
  else if (expiresAt && expiresAt <= now)
    issues.push({ path: "expires_at", message: "must be in the future" });
  if (expiresAt && kind !== "grant")
    issues.push({ path: "expires_at", message: `is for a grant; a ${kind} never expires` });
  if (issues.length > 0) throw new AppError("invalid_request", { issues });
}

function replay(earlier: LedgerDoc, grant: Grant): LedgerDoc {
  const sameEnd = earlier.expires_at?.getTime() === grant.expiresAt?.getTime();
  if (earlier.amount !== grant.amount || earlier.kind !== grant.kind || !sameEnd)
    throw new AppError("idempotency_mismatch");
  return earlier;
}
