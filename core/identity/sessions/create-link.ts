// Stores a sign-in link before it is mailed, within quotas. The result does not reveal whether the address has an account.
import { createHash } from "node:crypto";
import { foldMailbox } from "../../../runtime/mailbox.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { isGivenUp } from "../accounts/move-email.ts";
import { countWithin, EMAIL_QUOTAS, type LinkSecrets, NETWORK_QUOTAS, newLink, type Quota } from "./rules.ts";
import { findQuotas, type LinkDoc, type QuotaDoc, replaceLinks, saveQuotas } from "./store.ts";

/**
 * From now on the only link of its address. Only digests of its token and code are stored. An empty `network` is not counted. `overQuota`:
 * nothing was stored, and an earlier link stays valid. `givenUp`: nothing was stored, because the address was recently given up for
 * another. Throws invalid_request for an invalid e-mail address.
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

/** Counts one more mail to a mailbox, requested by a network. Returns false, and counts nothing, where a quota is used up. */
export async function takeQuota(
  app: App,
  { email, network }: { email: string; network: string },
  tx: TxContext,
): Promise<boolean> {
  if (network === "") return true;
  // Every spelling of the address counts for the same mailbox.
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
 * Counts once for all of these, in the database, so that all processes count together and a restart loses nothing. Returns false, and
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
