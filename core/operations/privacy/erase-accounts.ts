// Erases what is left of deleted accounts: everything in each document except what its classes count, files, uploads, deliveries,
// Idempotency-Keys, and the same in their archives.
import type { App } from "../../kernel/app.ts";
import { findUnerased, saveErased } from "./store.ts";

/**
 * Erases every account that is not erased yet. Safe in several workers at the same time, and safe to repeat. Returns how many are done. An
 * error with one account is thrown after the others were tried.
 */
export async function eraseDeletedAccounts(app: App): Promise<number> {
  let erased = 0;
  const wrong: unknown[] = [];
  for (const accountId of await findUnerased(app.mongo.db))
    try {
      if (await eraseAccount(app, accountId)) erased += 1;
    } catch (error) {
      wrong.push(error);
    }
  if (wrong.length > 0) throw wrong[0];
  return erased;
}

/**
 * Workflows and waiting jobs are cancelled and release their credits; running ones end by themselves and are erased by the next sweep.
 * Returns whether nothing is left. What the audit counts stays: entries of the ledger, and of each job its state, price and steps.
 */
export async function eraseAccount(app: App, accountId: string): Promise<boolean> {
  // The highest slice comes first: workflows are cancelled before their jobs are erased, and what was archived in between is erased last.
  const erasures = app.owned.map((owned) => owned.erase ?? {}).toReversed();
  let running = 0;
  for (const { afterClosing } of erasures) running += (await afterClosing?.(app, accountId)) ?? 0;
  if (running > 0) return false;
  for (const { onceIdle } of erasures) if (onceIdle && !(await onceIdle(app, accountId))) return false;
  await saveErased(app.mongo.db, accountId, app.clock.now());
  return true;
}
