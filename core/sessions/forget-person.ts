// Removes what signing in has left of a person.
import type { App } from "../app.ts";
import type { ClientSession } from "../mongo/client.ts";
import { deleteLinksTo, deleteSessionsOf } from "./store.ts";

/** Quotas of mails stay their day: they are hashes, and deleting an account must not be a way around them. */
export async function forgetPerson(
  app: App,
  { accountId, email }: { accountId: string; email: string },
  session: ClientSession,
): Promise<void> {
  await deleteSessionsOf(app.mongo.db, accountId, session);
  await deleteLinksTo(app.mongo.db, email, session);
}
