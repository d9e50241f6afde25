// Measures how many mails wait to be sent.
import type { App } from "../app.ts";
import { countQueuedMails } from "./store.ts";

export async function measureMails(app: Pick<App, "mongo">): Promise<number> {
  return countQueuedMails(app.mongo.db);
}
