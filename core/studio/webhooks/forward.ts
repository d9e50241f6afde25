import { inTx } from "../../base/mongo/in-tx.ts";
// Queues the deliveries of events to the endpoints that want them, in one transaction with the note that this is done.
import type { App } from "../../kernel/app.ts";
import { hasWaitingEvents, takeWaitingEvents } from "../../kernel/events/forward.ts";
import { wantsEvent } from "./account-endpoint-rules.ts";
import { newDelivery } from "./queue.ts";
import { findEndpoints } from "./store-endpoints.ts";
import { insertDeliveries } from "./store.ts";

const BATCH = 200;

/** Forwards the oldest events that wait. Returns how many there were. */
export async function forwardEvents(app: App): Promise<number> {
  const { db } = app.mongo;
  if (!(await hasWaitingEvents(app))) return 0;
  const now = app.clock.now();
  return inTx({ mongo: app.mongo, now }, async (tx) => {
    const waiting = await takeWaitingEvents(app, BATCH, tx);
    const accountIds = [...new Set(waiting.map((event) => event.account_id))];
    const byAccount = Map.groupBy(await findEndpoints(db, accountIds, tx), (one) => one.account_id);
    const rows = waiting.flatMap(({ _id: eventId, account_id: accountId, event }) =>
      (byAccount.get(accountId) ?? [])
        .filter((endpoint) => !endpoint.disabled_at && wantsEvent(endpoint.events, event))
        .map(({ _id: endpointId, url }) =>
          newDelivery({ eventId, endpointId, accountId, url, event, at: now }, 1),
        ),
    );
    await insertDeliveries(db, rows, tx);
    return waiting.length;
  });
}
