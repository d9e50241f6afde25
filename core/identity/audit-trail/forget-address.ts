// Removes the address of a deleted account, and operators' own words about it, from the audit trail. What they did to it stays.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { anonymiseTarget } from "./store.ts";

export async function forgetOperatorsWords(
  app: App,
  { accountId, email }: { accountId: string; email: string },
  tx: TxContext,
): Promise<void> {
  await anonymiseTarget(app.mongo.db, { accountId, email }, tx);
}
