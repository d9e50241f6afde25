// Queues announcements of ended jobs, in the very transaction that ends them: an outbox.
import type { App } from "../app.ts";
import type { ClientSession } from "../mongo/client.ts";
import { deliveryId } from "./delivery-id.ts";
import { type EndEvent, receiverOf } from "./rules.ts";
import { type DeliveryDoc, insertDeliveries } from "./store.ts";

/** A job that has just ended and has a callback address. */
export type EndedJob = {
  accountId: string;
  jobId: string;
  url: string;
  event: EndEvent;
  /** When the delivery is made; its first attempt is due at once. */
  at: Date;
  /** The trace of the job, if it has one. */
  trace?: string | undefined;
};

/** One write for all of them. A second automatic delivery of the same end is refused by its id and undoes the transaction. */
export async function queueDeliveries(
  app: App,
  session: ClientSession,
  ended: readonly EndedJob[],
): Promise<void> {
  const rows = ended.map((job) => newDelivery(job, 1));
  await insertDeliveries(app.mongo.db, rows, session);
}

/** The row of a job's delivery with this number, from 1, due at once. */
export function newDelivery(
  { accountId, jobId, url, event, at, trace }: EndedJob,
  number: number,
): DeliveryDoc {
  return {
    _id: deliveryId(jobId, number),
    account_id: accountId,
    job_id: jobId,
    event,
    url,
    host: receiverOf(url),
    status: "pending",
    created_at: at,
    next_attempt_at: at,
    attempt_count: 0,
    attempts: [],
    ...(trace !== undefined && { trace }),
    lease: null,
  };
}
