// Removes the licences of an account that is deleted.
import type { App } from "../../kernel/app.ts";
import type { ClientSession } from "../../base/mongo/client.ts";
import { deleteLicences } from "./store.ts";

export async function forgetLicences(app: App, accountId: string, session: ClientSession): Promise<void> {
  await deleteLicences(app.mongo.db, accountId, session);
}
