// Mails about a change, written in the very transaction that makes it: an outbox. A worker sends them, see send.ts.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { workDue } from "../../base/work/rules.ts";
import type { App } from "../app.ts";
import { insertMail } from "./store.ts";

export type MailWords = {
  subject: string;
  text: string;
  /** The kind of mail, for example `order.receipt`. Together with `ref`, the id of its subject, it names the cause. */
  kind: string;
};

export type NewMail = MailWords & {
  accountId: string;
  to: string;
  ref: string;
  /** When it is sent first, where that is later than now. */
  at?: Date;
  /** When there is nothing left to say: it is not sent from then on. */
  notAfter?: Date;
};

/** Queues a mail that is due now, or at `at`: one for each kind and ref, however often the transaction or its cause is repeated. */
export async function queueMail(
  app: Pick<App, "mongo">,
  tx: TxContext,
  { accountId, to, subject, text, kind, ref, at = tx.now, notAfter }: NewMail,
): Promise<void> {
  await insertMail(
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
