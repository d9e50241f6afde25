// Deletes an account at its owner's request: closes it in one transaction, then erases the rest here and, if that is interrupted, in a
// worker: everything in each document except what its classes count, files, uploads, deliveries, Idempotency-Keys, and their archives.
import { inTx } from "../../base/mongo/in-tx.ts";
import { closeAccount } from "../../identity/accounts/close-account.ts";
import { forgetPerson } from "../../identity/sessions/forget-person.ts";
import type { App } from "../../kernel/app.ts";
import { findUnerased, insertDeletion, saveErased } from "./store.ts";

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

/**
 * From the next request on no one has access: address, name, keys, sessions, licences and callback secrets are gone immediately, and the
 * address is free for a new account. Jobs, files and deliveries follow, see eraseAccount. `email` is what the person typed to confirm.
 * Throws invalid_request if it is not the account's own.
 */
export async function deleteAccount(app: App, accountId: string, email: string): Promise<void> {
  const { db } = app.mongo;
  await inTx(app, async (tx) => {
    const address = await closeAccount(app, { accountId, email }, tx);
    const earlier = await forgetPerson(app, { accountId, email: address }, tx);
    const deleted = { accountId, emails: [address, ...earlier] };
    for (const { erase } of app.owned.toReversed()) await erase?.closing?.(app, deleted, tx);
    await insertDeletion(
      db,
      { _id: accountId, deleted_at: tx.now, erased_at: null, fields_erased_at: null },
      tx,
    );
  });
  // No one waits: a large account takes long to erase, and a worker's sweep does what is not done here.
  eraseAccount(app, accountId).catch((error: unknown) =>
    app.log.warn({ err: error, account_id: accountId }, "a deleted account is not erased yet"),
  );
}
