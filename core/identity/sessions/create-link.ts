// Keeps a sign-in link that is about to be mailed, as far as quotas allow. Nothing is said about whether the address has an account.
import { createHash } from "node:crypto";
import { foldMailbox } from "../../../runtime/mailbox.ts";
import { isGivenUp } from "../accounts/move-email.ts";
import type { App } from "../../kernel/app.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import { countWithin, EMAIL_QUOTAS, type LinkSecrets, NETWORK_QUOTAS, newLink, type Quota } from "./rules.ts";
import { findQuotas, type LinkDoc, type QuotaDoc, replaceLinks, saveQuotas } from "./store.ts";

/**
 * The only link that its address has from now on. Only digests of its token and code are kept. An empty `network` counts nothing.
 * `overQuota`: nothing was kept, and a link that was sent before stays good. `givenUp`: nothing was kept, since the address was given up
 * for another lately. Throws invalid_request for what is no e-mail address.
 */
export async function createLink(
  app: App,
  email: string,
  secrets: LinkSecrets,
  network = "",
): Promise<{ link: LinkDoc; overQuota: boolean; givenUp: boolean }> {
  const now = app.clock.now();
  const link = newLink(email, secrets, now);
  const givenUp = await isGivenUp(app, link.email);
  return inTx({ mongo: app.mongo, now }, async (tx) => {
    const overQuota = !(await takeQuota(app, { email: link.email, network }, tx));
    if (!overQuota && !givenUp) await replaceLinks(app.mongo.db, link, tx);
    return { link, overQuota, givenUp };
  });
}

/** Counts one mail more to a mailbox, asked for by a network. Answers false, and counts nothing, where a quota is used up. */
export async function takeQuota(
  app: App,
  { email, network }: { email: string; network: string },
  tx: TxContext,
): Promise<boolean> {
  if (network === "") return true;
  // Every spelling of the address fills the same mailbox.
  const mailbox = createHash("sha256").update(foldMailbox(email)).digest("hex");
  return countOnce(
    app,
    [
      { id: `email:${mailbox}`, quotas: EMAIL_QUOTAS },
      { id: `network:${network}`, quotas: NETWORK_QUOTAS },
    ],
    tx,
  );
}

type Counted = { readonly id: string; readonly quotas: readonly Quota[] };

/**
 * Counts once for all of these, in the database, so that all processes count together and a restart forgets nothing. Answers false, and
 * counts nothing, where a quota is used up.
 */
export async function countOnce(app: App, subjects: readonly Counted[], tx: TxContext): Promise<boolean> {
  const { db } = app.mongo;
  const known = await findQuotas(
    db,
    subjects.map(({ id }) => id),
    tx,
  );
  const counted: QuotaDoc[] = [];
  for (const { id, quotas } of subjects) {
    const count = countWithin(known.get(id)?.sent ?? [], quotas, tx.now);
    if (!count) return false;
    counted.push({ _id: id, sent: count.sent, expires_at: count.expiresAt });
  }
  await saveQuotas(db, counted, tx);
  return true;
}
