// Checks a sign-in link, or uses it up and opens a session; opens the person's account within the limits on new ones.
import { AppError } from "../../../proto/codes.ts";
import { addressSubject, networkSubject } from "../../../runtime/networks.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { findOrCreateAccount } from "../accounts/create-account.ts";
import type { NewAccount } from "../accounts/rules.ts";
import type { AccountDoc } from "../accounts/store.ts";
import { openAccount } from "../credits/open-account.ts";
import { countOnce } from "./create-link.ts";
import {
  accountQuotas,
  type BrowserInfo,
  firstName,
  isNewBrowser,
  isRightCode,
  isUsableLink,
  newSession,
} from "./rules.ts";
import {
  findLink,
  findRecentSessions,
  insertSession,
  type LinkDoc,
  saveLinkUse,
  saveWrongCode,
  type SessionDoc,
} from "./store.ts";

/** The number of earlier sessions that are compared to tell whether a browser is new. */
const MAX_EARLIER = 200;

/** Returns the link if it can be used. Throws invalid_link: unknown, used, expired and replaced look the same. */
export async function findUsableLink(app: App, tokenSha256: string): Promise<LinkDoc> {
  const link = await findLink(app.mongo.db, tokenSha256);
  if (!isUsableLink(link, app.clock.now())) throw new AppError("invalid_link");
  return link;
}

/**
 * Checks the code that was typed instead of opening the link, before anything else is done with the link. Throws invalid_link if it is
 * wrong or was tried too often, or the link cannot be used: all look the same.
 */
export async function tryCode(app: App, tokenSha256: string, codeDigest: string): Promise<void> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const isRight = await inTx({ mongo: app.mongo, now }, async (tx) => {
    const link = await findLink(db, tokenSha256, tx);
    if (!isUsableLink(link, now)) return false;
    if (isRightCode(link, codeDigest)) return true;
    await saveWrongCode(db, tokenSha256, tx);
    return false;
  });
  if (!isRight) throw new AppError("invalid_link");
}

export type SignedIn = {
  readonly session: SessionDoc;
  readonly account: AccountDoc;
  /** The account existed before, and no one signed in to it recently with such a browser in this network. */
  readonly newBrowser: boolean;
};

/**
 * Returns a new session and its account; an address without an account gets one. Throws invalid_link (unknown, used and expired look the
 * same), and account_suspended and rate_limited, which leave the link unchanged. `address` is the client's; an empty one is not counted.
 */
export async function signIn(
  app: App,
  tokenSha256: string,
  browser: BrowserInfo,
  address = "",
): Promise<SignedIn> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const link = await findUsableLink(app, tokenSha256);
  const wanted = { email: link.email, name: firstName("", link.email) };
  const account = await findOrOpenAccount(app, wanted, address);
  if (account.status === "suspended") throw new AppError("account_suspended");

  return openSession(app, { account, browser, now }, async (tx) => {
    // It is read again: if two requests use one link at the same moment, the later one conflicts or sees that it was used.
    if (!isUsableLink(await findLink(db, tokenSha256, tx), tx.now)) throw new AppError("invalid_link");
    await saveLinkUse(db, tokenSha256, tx.now, tx);
  });
}

/** A session of the account that begins `now`: an account made since then is new. In one transaction with `use`, which uses up what the person signs in with, or throws. */
export async function openSession(
  app: App,
  { account, browser, now }: { account: AccountDoc; browser: BrowserInfo; now: Date },
  use: (tx: TxContext) => Promise<void>,
): Promise<SignedIn> {
  const { db } = app.mongo;
  const opened = newSession(
    { sessionId: app.newId("ses"), accountId: account._id, browser },
    app.config,
    now,
  );
  const earlier = await inTx({ mongo: app.mongo, now }, async (tx) => {
    await use(tx);
    const before = await findRecentSessions(db, account._id, MAX_EARLIER, tx);
    await insertSession(db, opened, tx);
    return before;
  });
  const isNewAccount = account.created_at >= now;
  return { session: opened, account, newBrowser: !isNewAccount && isNewBrowser(opened, earlier) };
}

const RETRY_SECONDS = 3_600;

/** `address`: of the client; empty is not counted. Throws invalid_request, and rate_limited above the limit of new accounts. */
export async function findOrOpenAccount(
  app: App,
  wanted: Pick<NewAccount, "email" | "name">,
  address: string,
): Promise<AccountDoc> {
  const { rateLimits, holdWelcomeCredits: hold, newAccountsPerAddress, newAccountsPerNetwork } = app.config;
  const subjects = [
    { id: `accounts:address:${addressSubject(address)}`, quotas: accountQuotas(newAccountsPerAddress) },
    { id: `accounts:network:${networkSubject(address)}`, quotas: accountQuotas(newAccountsPerNetwork) },
  ];
  const open = (_app: App, account: NewAccount) =>
    openAccount(app, account, {
      hold,
      admit: async (tx) => {
        if (!rateLimits || address === "" || (await countOnce(app, subjects, tx))) return;
        throw new AppError("rate_limited", {
          message: "Too many new accounts were made from this network today.",
          hint: "Sign in with an address that has an account, or try again tomorrow.",
          retryAfterSeconds: RETRY_SECONDS,
        });
      },
    });
  return findOrCreateAccount(app, open, wanted);
}
