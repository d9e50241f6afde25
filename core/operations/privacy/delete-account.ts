// Deletes an account at its owner's wish: closes it in one transaction, then erases the rest here and, if that is cut short, in a worker.
import { closeAccount } from "../../identity/accounts/close-account.ts";
import { forgetOperatorsWords } from "../../identity/audit-trail/forget-address.ts";
import type { App } from "../../kernel/app.ts";
import { forgetCallbackSecrets } from "../../studio/webhooks/forget.ts";
import { forgetConfirmations } from "../../identity/approvals/own.ts";
import { forgetMails } from "../../kernel/mail/own.ts";
import { forgetDownloads } from "../../shop/library/list-downloads.ts";
import { forgetLicences } from "../../shop/memberships/forget-licences.ts";
import { forgetTickets } from "../tickets/read-tickets.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import { forgetCustomer } from "../../adapters/payments/forget-customer.ts";
import { endSubscriptionsOf } from "../../shop/subscriptions/own.ts";
import { forgetPerson } from "../../identity/sessions/forget-person.ts";
import { eraseAccount } from "./erase-accounts.ts";
import { insertDeletion } from "./store.ts";

/**
 * From the next request on nobody gets in: address, name, keys, sessions, licences and callback secrets are gone at once, and the
 * address is free for a new account. Jobs, files and deliveries follow, see eraseAccount. `email` is what the person typed to confirm.
 * Throws invalid_request where it is not the account's own.
 */
export async function deleteAccount(app: App, accountId: string, email: string): Promise<void> {
  const { db } = app.mongo;
  await inTx(app, async (tx) => {
    const address = await closeAccount(app, { accountId, email }, tx);
    const earlier = await forgetPerson(app, { accountId, email: address }, tx);
    await forgetLicences(app, accountId, tx);
    await endSubscriptionsOf(app, accountId, tx);
    await forgetMails(app, accountId, tx);
    await forgetDownloads(app, accountId, tx);
    await forgetCustomer(app, accountId, tx);
    await forgetTickets(app, accountId, tx);
    await forgetConfirmations(app, accountId, tx);
    await forgetCallbackSecrets(app, accountId, tx);
    for (const email of [address, ...earlier]) await forgetOperatorsWords(app, { accountId, email }, tx);
    await insertDeletion(
      db,
      { _id: accountId, deleted_at: tx.now, erased_at: null, fields_erased_at: null },
      tx,
    );
  });
  // Nobody waits: of a large account there is much to erase, and what is not done here a worker's sweep does.
  eraseAccount(app, accountId).catch((error: unknown) =>
    app.log.warn({ err: error, account_id: accountId }, "a deleted account is not erased yet"),
  );
}
