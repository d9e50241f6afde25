// Queues the low-credits mail, in the transaction in which the credits fell.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { recordEvents } from "../../kernel/events/record.ts";
import { queueMail } from "../../kernel/mail/queue.ts";
import type { AccountDoc } from "../accounts/store.ts";
import { lowMail, tellLow } from "./low-rules.ts";

/** The account event credits.low, and a mail. Returns the changed accounts, to be written. */
export async function tellLowCredits(
  app: Pick<App, "mongo" | "baseUrl">,
  changed: readonly AccountDoc[],
  tx: TxContext,
): Promise<AccountDoc[]> {
  const written: AccountDoc[] = [];
  for (const account of changed) {
    const low = tellLow(account);
    written.push(low ?? account);
    if (!low) continue;
    const { _id: accountId, email: to, ledger_seq: seq } = low;
    const data = { credits_available: low.balance - low.held, below: low.low?.below ?? 0 };
    if (low.events_on) await recordEvents(app, tx, [{ accountId, event: "credits.low", data }]);
    if (to === "") continue;
    const cause = { kind: "credits.low", ref: `${accountId}:${seq}` };
    await queueMail(app, tx, { accountId, to, ...lowMail(low, app.baseUrl), ...cause });
  }
  return written;
}
