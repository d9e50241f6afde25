// Keeps a sign-in link that is about to be mailed, as far as quotas allow. Nothing is said about whether the address has an account.
import { createHash } from "node:crypto";
import type { App } from "../app.ts";
import { inTx } from "../mongo/in-tx.ts";
import { countMail, EMAIL_QUOTAS, NETWORK_QUOTAS, newLink } from "./rules.ts";
import { findMailQuotas, type LinkDoc, type MailQuotaDoc, replaceLinks, saveMailQuotas } from "./store.ts";

/**
 * The only link that its address has from now on. `tokenSha256` is all that is kept of the token. An empty `network` counts nothing.
 * `overQuota`: nothing was kept, and a link that was sent before stays good. Throws invalid_request for what is no e-mail address.
 */
export async function createLink(
  app: App,
  email: string,
  tokenSha256: string,
  network = "",
): Promise<{ link: LinkDoc; overQuota: boolean }> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const link = newLink(email, tokenSha256, now);
  // In the database, so that all gateways count together, and a restart forgets nothing.
  const subjects = [
    { id: `email:${createHash("sha256").update(link.email).digest("hex")}`, quotas: EMAIL_QUOTAS },
    { id: `network:${network}`, quotas: NETWORK_QUOTAS },
  ];
  return inTx(app.mongo, async (session) => {
    if (network !== "") {
      const known = await findMailQuotas(
        db,
        subjects.map(({ id }) => id),
        session,
      );
      const counted: MailQuotaDoc[] = [];
      for (const { id, quotas } of subjects) {
        const count = countMail(known.get(id)?.sent ?? [], quotas, now);
        if (!count) return { link, overQuota: true };
        counted.push({ _id: id, sent: count.sent, expires_at: count.expiresAt });
      }
      await saveMailQuotas(db, counted, session);
    }
    await replaceLinks(db, link, session);
    return { link, overQuota: false };
  });
}
