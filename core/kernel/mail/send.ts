// Sends the mails that are due, at least once. A repeat carries the same Message-ID, so that mail programs recognize it.
import type { Mailer } from "../../../runtime/mail.ts";
import { again, attemptsOf, take } from "../../base/work/queue.ts";
import type { App } from "../app.ts";
import { type MailAttempt, decideNext, isTooOld, classifyFailure } from "./rules.ts";
import { type MailDoc, mails } from "./store.ts";

export type MailSenderOptions = {
  mailer: Mailer;
  /** A random number in 0..1, for the jitter. */
  random?: () => number;
};

const PER_BATCH = 10;
/** Longer than connecting, the greeting and every silence that the mailer tolerates. */
const LEASE_MS = 2 * 60_000;

/** Runs one pass: takes some due mails and sends them side by side. Returns how many it took; 0 means that none is due. */
export async function sendDueMails(
  app: App,
  { mailer, random = Math.random }: MailSenderOptions,
): Promise<number> {
  const queue = mails(app.mongo.db);
  const now = app.clock.now();
  const taken = await take(queue, { now, leaseMs: LEASE_MS, limit: PER_BATCH });
  const counter = app.metrics.counter(
    "mail_attempts_total",
    "Attempts at mails of the outbox; queued: it failed and there will be another, failed: there will be none.",
    ["status"],
  );
  await Promise.all(
    taken.map(async (mail) => {
      const attempt = await sendOnce(mailer, mail, now);
      const attempts = attemptsOf(mail) + 1;
      const { status, dueAt, expiresAt } = decideNext(attempts, attempt, app.clock.now(), random());
      const ended = { status, expires_at: expiresAt, last_error: attempt.error };
      const recorded = await again(queue, mail, dueAt, { $set: ended });
      counter.inc({ status });
      const { _id: mail_id, kind } = mail;
      app.log[attempt.error === null ? "info" : "warn"](
        { mail_id, kind, attempt: attempts, status, error: attempt.error, recorded },
        "mail attempt",
      );
    }),
  );
  return taken.length;
}

async function sendOnce(mailer: Mailer, mail: MailDoc, now: Date): Promise<MailAttempt> {
  if (isTooOld(mail, now)) return { error: "too old", isFinal: true };
  const { _id, to, subject, text } = mail;
  try {
    await mailer.send({ to, subject, text, messageId: _id });
    return { error: null, isFinal: false };
  } catch (error) {
    return classifyFailure(error);
  }
}
