// Removes the address of a deleted account, and operators' own words about it, from the audit trail. What they did to it stays.
import type { App } from "../../kernel/app.ts";
import type { ClientSession } from "../../base/mongo/client.ts";
import { anonymiseTarget } from "./store.ts";

export async function forgetOperatorsWords(
  app: App,
  { accountId, email }: { accountId: string; email: string },
  session: ClientSession,
): Promise<void> {
  await anonymiseTarget(app.mongo.db, { accountId, email }, session);
}
