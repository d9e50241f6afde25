// From now on the events of an account are recorded: it has an endpoint, or asked for its events.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { startRecording } from "../../kernel/events/forward.ts";
import { accountNotFound } from "./get-account.ts";
import { saveEventsOn } from "./store-in-tx.ts";

/** Safe to repeat. Throws not_found for a deleted account. */
export async function switchEventsOn(
  app: Pick<App, "mongo">,
  accountId: string,
  tx: TxContext,
): Promise<void> {
  if (!(await saveEventsOn(app.mongo.db, accountId, tx))) throw accountNotFound();
  await startRecording(app, accountId, tx);
}
