// Keeps a sign-in link that is about to be mailed, as far as quotas allow. Nothing is said about whether the address has an account.
import { createHash } from "node:crypto";
import { isGivenUp } from "../accounts/move-email.ts";
import type { App } from "../app.ts";
import type { ClientSession } from "../mongo/client.ts";
import { inTx } from "../mongo/in-tx.ts";
import { countMail, EMAIL_QUOTAS, NETWORK_QUOTAS, newLink } from "./rules.ts";
import { findMailQuotas, type LinkDoc, type MailQuotaDoc, replaceLinks, saveMailQuotas } from "./store.ts";

/**
 * The only link that its address has from now on. `tokenSha256` is all that is kept of the token. An empty `network` counts nothing.
 * `overQuota`: nothing was kept, and a link that was sent before stays good. `givenUp`: nothing was kept, since the address was given up
 * for another lately. Throws invalid_request for what is no e-mail address.
 */
export async function createLink(
  app: App,
  email: string,
  tokenSha256: string,
  network = "",
): Promise<{ link: LinkDoc; overQuota: boolean; givenUp: boolean }> {
  const now = app.clock.now();
  const link = newLink(email, tokenSha256, now);
  const givenUp = await isGivenUp(app, link.email);
  return inTx(app.mongo, async (session) => {
    const overQuota = !(await takeQuota(app, { email: link.email, network }, now, session));
    if (!overQuota && !givenUp) await replaceLinks(app.mongo.db, link, session);
    return { link, overQuota, givenUp };
  });
}

/** Counts one mail more to an address, asked for by a network. Answers false, and counts nothing, where a quota is used up. */
export async function takeQuota(
  app: App,
  { email, network }: { email: string; network: string },
  now: Date,
  session: ClientSession,
): Promise<boolean> {
  if (network === "") return true;
  const { db } = app.mongo;
  // In the database, so that all gateways count together, and a restart forgets nothing.
  const subjects = [
    { id: `email:${createHash("sha256").update(email).digest("hex")}`, quotas: EMAIL_QUOTAS },
    { id: `network:${network}`, quotas: NETWORK_QUOTAS },
  ];
  const known = await findMailQuotas(
    db,
    subjects.map(({ id }) => id),
    session,
  );
  const counted: MailQuotaDoc[] = [];
  for (const { id, quotas } of subjects) {
    const count = countMail(known.get(id)?.sent ?? [], quotas, now);
    if (!count) return false;
    counted.push({ _id: id, sent: count.sent, expires_at: count.expiresAt });
  }
  await saveMailQuotas(db, counted, session);
  return true;
}
