// Who is signed in, read from the database for every request, so that signing out takes effect on the next one at every instance.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { getAccount } from "../accounts/get-account.ts";
import type { AccountDoc } from "../accounts/store.ts";
import { firstName, isFresh, isLiveSession, minuteOf } from "./rules.ts";
import { findOrOpenAccount } from "./sign-in.ts";
import { findSession, saveSessionUse } from "./store.ts";

/** `fresh`: signed in no longer than a day ago. */
export type Identified = { readonly account: AccountDoc; readonly fresh: boolean };

/**
 * The holder of a live session. Throws not_signed_in (the same for unknown, ended, expired, idle and foreign sessions) and
 * account_suspended.
 */
export async function checkSession(app: App, accountId: string, sessionId: string): Promise<Identified> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const session = await findSession(db, accountId, sessionId);
  if (!isLiveSession(session, app.config, now)) throw new AppError("not_signed_in");
  const minute = minuteOf(now);
  if (session.last_seen_at < minute) await saveSessionUse(db, accountId, sessionId, minute);
  const account = inGoodStanding(await getAccount(app, accountId));
  return { account, fresh: isFresh(session.created_at, now) };
}

/**
 * The owner of an address that another issuer has verified; an account is created when there is none. `signedInAt` is the issuer's time,
 * undefined where it gave none. Throws invalid_request, account_suspended, rate_limited.
 */
export async function identifyByEmail(
  app: App,
  { email, name, signedInAt }: { email: string; name: string; signedInAt?: Date },
  address = "",
): Promise<Identified> {
  const account = inGoodStanding(
    await findOrOpenAccount(app, { email, name: firstName(name, email) }, address),
  );
  return { account, fresh: signedInAt !== undefined && isFresh(signedInAt, app.clock.now()) };
}

function inGoodStanding(account: AccountDoc): AccountDoc {
  if (account.status === "suspended") throw new AppError("account_suspended");
  return account;
}
