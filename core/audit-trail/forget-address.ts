// Lets the audit trail keep what operators did to a deleted account, without the address and their own words.
import type { App } from "../app.ts";
import type { ClientSession } from "../mongo/client.ts";
import { anonymiseTarget } from "./store.ts";

export async function forgetOperatorsWords(
  app: App,
  { accountId, email }: { accountId: string; email: string },
  session: ClientSession,
): Promise<void> {
  await anonymiseTarget(app.mongo.db, { accountId, email }, session);
}
