// Changes the e-mail address of an account: its owner requests it, confirms it from the new mailbox, and can undo it from the old one for a
// week.
import { createHash, randomBytes } from "node:crypto";
import { AppError } from "../../../proto/codes.ts";
import { type LocalTimes, localTimes } from "../../../runtime/local-times.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { type MailWords, queueMail, redirectMails } from "../../kernel/mail/queue.ts";
import { getAccount } from "../accounts/get-account.ts";
import { belongsToAnother, freeReserved, moveEmail } from "../accounts/move-email.ts";
import { takeQuota } from "./create-link.ts";
import { endSessions } from "./revoke-session.ts";
import { isUsableLink, newChangeLink, newUndoLink, reservedUntil } from "./rules.ts";
import {
  type EmailLinkDoc,
  findEmailLink,
  findEmailLinksOf,
  insertEmailLink,
  replaceChangeLink,
  saveEmailLinksUsed,
} from "./store-email-links.ts";
import { deletePasskeysOf } from "./store-passkeys.ts";
import { deleteLinksTo } from "./store.ts";

const TOKEN_BYTES = 32;
const CHANGED = "account.email_changed";
const RESTORED = "account.email_restored";
/** These mails are for the mailbox that they are addressed to, also after a further change. */
const FOR_MAILBOX = [CHANGED, RESTORED];

export type StartedChange = {
  readonly link: EmailLinkDoc;
  /** Nothing was stored, because a quota of mails is used up, or because another account has the address. */
  readonly refused: "over quota" | "taken" | undefined;
};

/** Nothing changes before the link is used. Throws invalid_request. */
export async function startEmailChange(
  app: App,
  accountId: string,
  { email, tokenSha256, network }: { email: string; tokenSha256: string; network: string },
): Promise<StartedChange> {
  const now = app.clock.now();
  const account = await getAccount(app, accountId);
  const link = newChangeLink({ accountId, from: account.email, to: email, tokenSha256 }, now);
  const isTaken = await belongsToAnother(app, { accountId, email: link.to });
  return inTx({ mongo: app.mongo, now }, async (tx) => {
    if (!(await takeQuota(app, { email: link.to, network }, tx))) return { link, refused: "over quota" };
    if (isTaken) return { link, refused: "taken" };
    await replaceChangeLink(app.mongo.db, link, tx);
    return { link, refused: undefined };
  });
}

/** As long as it can be used. Throws invalid_link: unknown, used, expired and replaced look the same. */
export async function findUsableEmailLink(app: App, tokenSha256: string): Promise<EmailLinkDoc> {
  const link = await findEmailLink(app.mongo.db, tokenSha256);
  if (!isUsableLink(link, app.clock.now())) throw new AppError("invalid_link");
  return link;
}

/**
 * Uses a link up, in one transaction with its effects. A change keeps sessions, and mails the former address a link to undo it. An undo
 * revokes all sessions, and reverts all later changes. Throws invalid_link, and invalid_request where another account has the address by
 * now.
 */
export async function useEmailLink(app: App, tokenSha256: string): Promise<EmailLinkDoc> {
  const { db } = app.mongo;
  const undoToken = randomBytes(TOKEN_BYTES).toString("base64url");
  return inTx(app, async (tx) => {
    const link = await findEmailLink(db, tokenSha256, tx);
    if (!isUsableLink(link, tx.now)) throw new AppError("invalid_link");
    if (link.kind === "change") await change(app, { link, undoToken }, tx);
    else await undo(app, link, tx);
    return link;
  });
}

async function change(
  app: App,
  { link, undoToken }: { link: EmailLinkDoc; undoToken: string },
  tx: TxContext,
): Promise<void> {
  const { db } = app.mongo;
  const { account_id: accountId, from, to } = link;
  const tokenSha256 = createHash("sha256").update(undoToken).digest("hex");
  const undoLink = newUndoLink({ accountId, from, to, tokenSha256 }, tx.now);
  const before = await moveEmail(app, { accountId, to, reservedUntil: reservedUntil(undoLink) }, tx);
  // The account's address has changed since the request.
  if (before !== from) throw new AppError("invalid_link");
  await saveEmailLinksUsed(db, [link], tx.now, tx);
  await insertEmailLink(db, undoLink, tx);
  await deleteLinksTo(db, from, tx);
  await redirectMails(app, tx, { accountId, from, to, except: FOR_MAILBOX });
  const times = localTimes((await getAccount(app, accountId)).time_zone);
  const about = { from, to, until: undoLink.expires_at, token: undoToken };
  const mail = changedMail(about, { baseUrl: app.baseUrl, times });
  await queueMail(app, tx, { ...mail, accountId, to: from, ref: undoLink._id });
}

async function undo(app: App, link: EmailLinkDoc, tx: TxContext): Promise<void> {
  const { db } = app.mongo;
  const { account_id: accountId, to } = link;
  const since = (await findEmailLinksOf(db, accountId, tx)).filter(
    ({ created_at }) => created_at >= link.created_at,
  );
  const before = await moveEmail(app, { accountId, to, reservedUntil: undefined }, tx);
  await saveEmailLinksUsed(db, since, tx.now, tx);
  // Addresses that the account had in between are free.
  const between = since.flatMap((other) => (other.kind === "undo" && other.to !== to ? [other.to] : []));
  await freeReserved(app, { accountId, emails: between }, tx);
  await deleteLinksTo(db, before, tx);
  await redirectMails(app, tx, { accountId, from: before, to, except: FOR_MAILBOX });
  await endSessions(app, accountId, tx);
  // The person who changed the address may have added a passkey.
  await deletePasskeysOf(db, accountId, tx);
  await queueMail(app, tx, { ...restoredMail(to, app.baseUrl), accountId, to, ref: link._id });
}

export type EmailChange = {
  /** Waits for its link to be used. */
  readonly wanted: EmailLinkDoc | undefined;
  /** Can be undone. */
  readonly done: EmailLinkDoc | undefined;
};

/** The newest of each. */
export async function describeEmailChange(app: App, accountId: string): Promise<EmailChange> {
  const now = app.clock.now();
  const good = (await findEmailLinksOf(app.mongo.db, accountId)).filter((link) => isUsableLink(link, now));
  return {
    wanted: good.find(({ kind }) => kind === "change"),
    done: good.find(({ kind }) => kind === "undo"),
  };
}

/** The account's former addresses, the last one first, with the end of their reservation. */
export async function listEarlierAddresses(
  app: App,
  accountId: string,
): Promise<{ email: string; until: Date }[]> {
  const links = await findEmailLinksOf(app.mongo.db, accountId);
  return links.flatMap(({ kind, to, created_at }) =>
    kind === "undo" ? [{ email: to, until: created_at }] : [],
  );
}

/** To the former address. */
function changedMail(
  { from, to, until, token }: { from: string; to: string; until: Date; token: string },
  { baseUrl, times }: { baseUrl: string; times: LocalTimes },
): MailWords {
  return {
    kind: CHANGED,
    subject: "Your Atelier account has another email address",
    text: `Your account had the address ${from}. From now on it has this one:

  ${to}

If you did that, there is nothing to do, and this is the last mail about your account to this address.

If you did not, take your account back before ${times.time(until)}:

Take your account back: ${baseUrl}/email/undo?token=${token}

It brings the address back and signs everybody out.
`,
  };
}

/** To the restored address. */
function restoredMail(email: string, baseUrl: string): MailWords {
  return {
    kind: RESTORED,
    subject: "Your Atelier account has its email address back",
    text: `Your account has the address ${email} again, and everybody was signed out.

Sign in and look whether there are keys that you did not make.

Your keys: ${baseUrl}/account/keys
`,
  };
}
