// Deletes an account at its owner's request: closes it in one transaction, then erases the rest here and, if that is interrupted, in a
// worker: everything in each document except what its classes count, files, uploads, deliveries, Idempotency-Keys, and their archives.
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import { closeAccount } from "../../identity/accounts/close-account.ts";
import { forgetPerson } from "../../identity/sessions/forget-person.ts";
import type { App } from "../../kernel/app.ts";
import type { DeletedAccount } from "../../kernel/owned.ts";
import { type DeletionDoc, findUnerased, insertDeletion, saveErased } from "./store.ts";

/** A request that was accepted before the deletion, or its transaction, writes no later than this after it. */
const LATE_WRITES_MS = 120_000;

/**
 * Erases every account that is not erased yet. Safe in several workers at the same time, and safe to repeat. Returns how many are done. An
 * error with one account is thrown after the others were tried.
 */
export async function eraseDeletedAccounts(app: App): Promise<number> {
  let erased = 0;
  const wrong: unknown[] = [];
  for (const deletion of await findUnerased(app.mongo.db))
    try {
      if (await eraseAccount(app, deletion)) erased += 1;
    } catch (error) {
      wrong.push(error);
    }
  if (wrong.length > 0) throw wrong[0];
  return erased;
}

/**
 * Workflows and waiting jobs are cancelled and release their credits; running ones end by themselves and are erased by the next sweep.
 * Returns whether nothing is left and nothing can follow. What the audit counts stays: entries of the ledger, and of each job its state,
 * price and steps.
 */
export async function eraseAccount(
  app: App,
  { _id: accountId, deleted_at: deletedAt }: Pick<DeletionDoc, "_id" | "deleted_at">,
): Promise<boolean> {
  const now = app.clock.now();
  // Requests that had checked the account before it closed may have written since.
  await inTx(app, (tx) => eraseClosing(app, { accountId, emails: [] }, tx));
  // The highest slice comes first: workflows are cancelled before their jobs are erased, and what was archived in between is erased last.
  const erasures = app.owned.map((owned) => owned.erase ?? {}).toReversed();
  let running = 0;
  for (const { afterClosing, endWork } of erasures) {
    await afterClosing?.(app, accountId);
    running += (await endWork?.(app, accountId)) ?? 0;
  }
  if (running > 0) return false;
  for (const { onceIdle } of erasures) if (onceIdle && !(await onceIdle(app, accountId))) return false;
  const isLast = now.getTime() >= deletedAt.getTime() + LATE_WRITES_MS;
  await saveErased(app.mongo.db, accountId, { at: now, isLast });
  return isLast;
}

async function eraseClosing(app: App, deleted: DeletedAccount, tx: TxContext): Promise<void> {
  for (const { erase } of app.owned.toReversed()) await erase?.closing?.(app, deleted, tx);
}

/**
 * From the next request on no one has access: address, name, keys, sessions, licences and callback secrets are gone immediately, and the
 * address is free for a new account. Jobs, files and deliveries follow, see eraseAccount. `email` is what the person typed to confirm.
 * Throws invalid_request if it is not the account's own.
 */
export async function deleteAccount(app: App, accountId: string, email: string): Promise<void> {
  const { db } = app.mongo;
  const deletion = await inTx(app, async (tx) => {
    const address = await closeAccount(app, { accountId, email }, tx);
    const earlier = await forgetPerson(app, { accountId, email: address }, tx);
    await eraseClosing(app, { accountId, emails: [address, ...earlier] }, tx);
    const doc = { _id: accountId, deleted_at: tx.now, erased_at: null, fields_erased_at: null };
    await insertDeletion(db, doc, tx);
    return doc;
  });
  // No one waits: a large account takes long to erase, and a worker's sweep does what is not done here.
  eraseAccount(app, deletion).catch((error: unknown) =>
    app.log.warn({ err: error, account_id: accountId }, "a deleted account is not erased yet"),
  );
}
