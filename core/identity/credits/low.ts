// Queues the low-credits mail, in the transaction in which the credits fell.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { queueMail } from "../../kernel/mail/queue.ts";
import type { AccountDoc } from "../accounts/store.ts";
import { lowMail, tellLow } from "./low-rules.ts";

/** The account event credits.low, a mail. Returns the changed accounts, to be written. */
export async function tellLowCredits(
  app: Pick<App, "mongo" | "baseUrl">,
  changed: readonly AccountDoc[],
  tx: TxContext,
): Promise<AccountDoc[]> {
  const written: AccountDoc[] = [];
  for (const account of changed) {
    const low = tellLow(account);
    written.push(low ?? account);
    if (!low || low.email === "") continue;
    const { _id: accountId, email: to, ledger_seq: seq } = low;
    const cause = { kind: "credits.low", ref: `${accountId}:${seq}` };
    await queueMail(app, tx, { accountId, to, ...lowMail(low, app.baseUrl), ...cause });
  }
  return written;
}
