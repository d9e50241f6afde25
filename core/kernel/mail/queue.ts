// Mails about a change, written in the very transaction that makes it: an outbox. A worker sends them, see send.ts.
import type { App } from "../app.ts";
import type { ClientSession } from "../../base/mongo/client.ts";
import { workDue } from "../../base/work/rules.ts";
import { insertMail } from "./store.ts";

export type NewMail = {
  accountId: string;
  to: string;
  subject: string;
  text: string;
  /** What it tells, for example `order.receipt`; with `ref`, the id of what it is about, it names the cause. */
  kind: string;
  ref: string;
  /** When the change is made; the mail is due from then on. */
  at: Date;
};

/** One mail for each kind and ref, however often the transaction or its cause is repeated. */
export async function queueMail(
  app: Pick<App, "mongo">,
  session: ClientSession,
  { accountId, to, subject, text, kind, ref, at }: NewMail,
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
      last_error: null,
      expires_at: null,
      work: workDue(at),
    },
    session,
  );
}
