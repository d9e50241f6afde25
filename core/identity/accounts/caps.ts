// Mails to owners whose key nears one of its limits, queued in the transaction that counts the spending.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { queueMail } from "../../kernel/mail/queue.ts";
import { capMail, type CapNotice } from "./cap-rules.ts";
import type { Identity } from "./rules.ts";

export type KeyNotice = Pick<Identity, "account" | "key"> & { readonly notice: CapNotice };

/** The account event key.limit: a mail, once for each key, limit, period and share. */
export async function tellCaps(
  app: Pick<App, "mongo" | "baseUrl">,
  notices: readonly KeyNotice[],
  tx: TxContext,
): Promise<void> {
  for (const { account, key, notice } of notices) {
    if (account.email === "" || !key) continue;
    const { period, name, limit, percent } = notice;
    const ref = `${key.key_id}:${period}:${name}:${limit}:${percent}`;
    const mail = { to: account.email, ...capMail(key.name, notice, app.baseUrl) };
    await queueMail(app, tx, { accountId: account._id, kind: "key.limit", ref, ...mail });
  }
}
