// Changes the name of an account.
import type { App } from "../../kernel/app.ts";
import { checkName } from "./rules.ts";
import { saveName } from "./store.ts";

/** Returns the name as it is stored. Throws invalid_request. */
export async function changeName(app: App, accountId: string, wanted: string): Promise<string> {
  const name = checkName(wanted);
  await saveName(app.mongo.db, accountId, name);
  return name;
}
