// Mails that were given up: an operator lists those of the last week, and can have one sent again.
import { AppError, invalidField } from "../../../proto/codes.ts";
import type { App } from "../app.ts";
import { isTooOld, KEPT_MS } from "./rules.ts";
import { countFailedMails, findFailedMails, findMail, type MailDoc, saveQueuedAgain } from "./store.ts";

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
