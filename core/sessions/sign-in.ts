// Looks at a sign-in link, or uses it up and opens a session.
import { AppError } from "../../proto/codes.ts";
import { findOrCreateAccount } from "../accounts/find-or-create-account.ts";
import type { AccountDoc } from "../accounts/store.ts";
import type { App } from "../app.ts";
import { inTx } from "../mongo/in-tx.ts";
import { firstName, isUsableLink, newSession } from "./rules.ts";
import { findLink, insertSession, type LinkDoc, saveLinkUse, type SessionDoc } from "./store.ts";

/** The link, as long as it can be used. Throws invalid_link: unknown, used, expired and replaced look the same. */
export async function findUsableLink(app: App, tokenSha256: string): Promise<LinkDoc> {
  const link = await findLink(app.mongo.db, tokenSha256);
  if (!isUsableLink(link, app.clock.now())) throw new AppError("invalid_link");
  return link;
}

/**
 * A session with an id of its own, and whose it is; an address without an account gets one. Throws invalid_link (unknown, used and
 * expired look the same) and account_suspended, which leaves the link as it is.
 */
export async function signIn(
  app: App,
  tokenSha256: string,
  userAgent: string,
): Promise<{ session: SessionDoc; account: AccountDoc }> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const link = await findUsableLink(app, tokenSha256);
  const account = await findOrCreateAccount(app, link.email, firstName("", link.email));
  if (account.status === "suspended") throw new AppError("account_suspended");

  const opened = newSession(app.newId("ses"), account._id, userAgent, now);
  await inTx(app.mongo, async (session) => {
    // Read again: of two who use one link at the same moment, the later conflicts or sees it used.
    if (!isUsableLink(await findLink(db, tokenSha256, session), now)) throw new AppError("invalid_link");
    await saveLinkUse(db, tokenSha256, now, session);
    await insertSession(db, opened, session);
  });
  return { session: opened, account };
}
