// Mails about a change, written in the very transaction that makes it: an outbox. A worker sends them, see send.ts;
// those that it gave up wait for an operator.
import { AppError, invalidField } from "../../../proto/codes.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { workDue } from "../../base/work/rules.ts";
import type { App } from "../app.ts";
import { isTooOld, KEPT_MS } from "./rules.ts";
import {
  countFailedMails,
  findFailedMails,
  findMail,
  insertMail,
  type MailDoc,
  saveQueuedAgain,
  saveRecipient,
} from "./store.ts";

export type MailWords = {
  subject: string;
  text: string;
  /** The kind of mail, for example `order.receipt`. Together with `ref`, the id of its subject, it names the cause. */
  kind: string;
};

type NewMail = MailWords & {
  accountId: string;
  to: string;
  ref: string;
  /** When it is sent first, where that is later than now. */
  at?: Date;
  /** When there is nothing left to say: it is not sent from then on. */
  notAfter?: Date;
};

/**
 * Queues a mail that is due now, or at `at`: one for each kind and ref, however often the transaction or its cause is repeated. Returns
 * whether it is the first.
 */
export async function queueMail(
  app: Pick<App, "mongo">,
  tx: TxContext,
  { accountId, to, subject, text, kind, ref, at = tx.now, notAfter }: NewMail,
): Promise<boolean> {
  return insertMail(
    app.mongo.db,
    {
      _id: `${ref}:${kind}`,
      account_id: accountId,
      to,
      subject,
      text,
      kind,
      ref,
      status: "queued",
      created_at: at,
      ...(notAfter && { not_after: notAfter }),
      last_error: null,
      expires_at: null,
      work: workDue(at),
    },
    tx,
  );
}

/** Sends what waits for an account's former address, or may be resent, to its new one, except mails of these kinds. */
export async function redirectMails(
  app: Pick<App, "mongo">,
  tx: TxContext,
  moved: { accountId: string; from: string; to: string; except: readonly string[] },
): Promise<void> {
  await saveRecipient(app.mongo.db, moved, tx);
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

type MailApp = Pick<App, "mongo" | "clock">;

/** The mail that was given up last comes first. */
export async function listFailedMails({ mongo, clock }: MailApp, limit: number): Promise<MailDoc[]> {
  return findFailedMails(mongo.db, expiringSince(clock.now()), limit);
}

export async function measureFailedMails({ mongo, clock }: MailApp): Promise<number> {
  return countFailedMails(mongo.db, expiringSince(clock.now()));
}

/** Mails that ended in the last week expire after this time. */
function expiringSince(now: Date): Date {
  return new Date(now.getTime() + KEPT_MS - WEEK_MS);
}

/**
 * Queues the mail again with all its attempts. Throws not_found, and invalid_request if it was not given up or is too old to be relevant.
 */
export async function sendAgain({ mongo, clock }: MailApp, mailId: string): Promise<MailDoc> {
  const mail = await findMail(mongo.db, mailId);
  if (!mail)
    throw new AppError("not_found", { message: "There is no such mail.", hint: "Use an id of mail list." });
  const now = clock.now();
  const message = isTooOld(mail, now)
    ? "is of a mail that is a week old or has nothing left to say, and is not sent any more"
    : "is of a mail that was not given up";
  const queued = isTooOld(mail, now) ? null : await saveQueuedAgain(mongo.db, mailId, now);
  if (!queued) throw invalidField("mail_id", message);
  return queued;
}
