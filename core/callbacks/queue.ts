// Queues the announcement of jobs that end, in the very transaction that ends them: an outbox.
import type { App } from "../app.ts";
import type { ClientSession } from "../mongo/client.ts";
import { deliveryId } from "./delivery-id.ts";
import { type DeliveryEvent, receiverOf } from "./rules.ts";
import { insertDeliveries } from "./store.ts";

/** A job that has just ended and whose owner gave a callback address. */
export type EndedJob = {
  accountId: string;
  jobId: string;
  url: string;
  event: DeliveryEvent;
  /** When the job ended; the first attempt is due then. */
  at: Date;
};

/** One write for all of them. A second automatic delivery of the same end is refused by its id and undoes the transaction. */
export async function queueDeliveries(
  app: App,
  session: ClientSession,
  ended: readonly EndedJob[],
): Promise<void> {
  const rows = ended.map(({ accountId, jobId, url, event, at }) => ({
    _id: deliveryId(jobId, 1),
    account_id: accountId,
    job_id: jobId,
    event,
    url,
    host: receiverOf(url),
    status: "pending" as const,
    created_at: at,
    next_attempt_at: at,
    attempt_count: 0,
    attempts: [],
    lease: null,
  }));
  await insertDeliveries(app.mongo.db, rows, session);
}
