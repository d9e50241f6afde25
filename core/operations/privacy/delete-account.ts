// Deletes an account at its owner's request: closes it in one transaction, then erases the rest here and, if that is interrupted, in a
// worker.
import { inTx } from "../../base/mongo/in-tx.ts";
import { closeAccount } from "../../identity/accounts/close-account.ts";
import { forgetPerson } from "../../identity/sessions/forget-person.ts";
import type { App } from "../../kernel/app.ts";
import { eraseAccount } from "./erase-accounts.ts";
import { insertDeletion } from "./store.ts";

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
