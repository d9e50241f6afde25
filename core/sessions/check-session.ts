// Who is signed in, read from the database for every request, so that signing out bites on the next one at every instance.
import { AppError } from "../../proto/codes.ts";
import { findOrCreateAccount } from "../accounts/find-or-create-account.ts";
import { getAccount } from "../accounts/get-account.ts";
import type { AccountDoc } from "../accounts/store.ts";
import type { App } from "../app.ts";
import { firstName, isLiveSession, minuteOf } from "./rules.ts";
import { findSession, saveSessionUse } from "./store.ts";

/** The account of a live session. Throws not_signed_in (unknown, revoked, expired and another's look the same), account_suspended. */
export async function checkSession(app: App, accountId: string, sessionId: string): Promise<AccountDoc> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const session = await findSession(db, accountId, sessionId);
  if (!isLiveSession(session, now)) throw new AppError("not_signed_in");
  const minute = minuteOf(now);
  if (session.last_seen_at < minute) await saveSessionUse(db, accountId, sessionId, minute);
  return inGoodStanding(await getAccount(app, accountId));
}

/** The account of an address that an issuer of sessions has verified, made when there is none. Throws invalid_request, account_suspended. */
export async function identifyByEmail(app: App, email: string, name: string): Promise<AccountDoc> {
  return inGoodStanding(await findOrCreateAccount(app, email, firstName(name, email)));
}

function inGoodStanding(account: AccountDoc): AccountDoc {
  if (account.status === "suspended") throw new AppError("account_suspended");
  return account;
}
