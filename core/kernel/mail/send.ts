// Sends the mails that are due: at least once. A repeat carries the same Message-ID, so that mailboxes can recognize it.
import type { Mailer } from "../../../runtime/mail.ts";
import type { App } from "../app.ts";
import { type Attempt, decideNext, isTooOld, judgeFailure } from "./rules.ts";
import { leaseMails, type MailDoc, recordMail } from "./store.ts";

export type MailSenderOptions = {
  mailer: Mailer;
  /** 0..1, for the jitter. */
  random?: () => number;
};

const AT_ONCE = 10;
/** Outlives connecting, greeting and every silence that the mailer bears with. */
const LEASE_MS = 2 * 60_000;

/** One pass: takes some that are due and sends them side by side. Answers how many it took; when it is 0 nothing is due. */
export async function sendDueMails(
  app: App,
  { mailer, random = Math.random }: MailSenderOptions,
): Promise<number> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const lease = { owner: app.newId("lse"), until: new Date(now.getTime() + LEASE_MS) };
  const taken = await leaseMails(db, lease, now, AT_ONCE);
  const counter = app.metrics.counter(
    "mail_attempts_total",
    "Attempts at mails of the outbox; queued: it failed and there will be another, failed: there will be none.",
    ["status"],
  );
  await Promise.all(
    taken.map(async (mail) => {
      const attempt = await sendOnce(mailer, mail, now);
      const attempts = mail.attempt_count + 1;
      const next = decideNext(attempts, attempt, app.clock.now(), random());
      const recorded = await recordMail(db, mail, { attempts, error: attempt.error, next });
      counter.inc({ status: next.status });
      const { _id: mail_id, kind } = mail;
      app.log[attempt.error === null ? "info" : "warn"](
        { mail_id, kind, attempt: attempts, status: next.status, error: attempt.error, recorded },
        "mail attempt",
      );
    }),
  );
  return taken.length;
}

async function sendOnce(mailer: Mailer, mail: MailDoc, now: Date): Promise<Attempt> {
  if (isTooOld(mail.created_at, now)) return { error: "too old", isFinal: true };
  const { _id, to, subject, text } = mail;
  try {
    await mailer.send({ to, subject, text, messageId: _id });
    return { error: null, isFinal: false };
  } catch (error) {
    return judgeFailure(error);
  }
}
