// Queues announcements of jobs and workflows that have ended, in the transaction that ends them: an outbox.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { deliveryId } from "./delivery-id.ts";
import { type EndEvent, endpointOf } from "./rules.ts";
import { type DeliveryDoc, insertDeliveries } from "./store.ts";

/** A job or a workflow that has just ended and has a callback address. */
export type Ended = ({ jobId: string } | { workflowId: string }) & {
  accountId: string;
  url: string;
  event: EndEvent;
  /** When the delivery is made; its first attempt is due immediately. */
  at: Date;
  /** Its trace, if it has one. */
  trace?: string | undefined;
};

/** One write for all of them. Its id refuses a second automatic delivery of the same end, which undoes the transaction. */
export async function queueDeliveries(app: App, tx: TxContext, ended: readonly Ended[]): Promise<void> {
  const rows = ended.map((one) => newDelivery(one, 1));
  await insertDeliveries(app.mongo.db, rows, tx);
}

/** The row of the delivery of an end with this number, from 1, due immediately. */
export function newDelivery(ended: Ended, number: number): DeliveryDoc {
  const { accountId, url, event, at, trace } = ended;
  return {
    _id: deliveryId("jobId" in ended ? ended.jobId : ended.workflowId, number),
    account_id: accountId,
    ...("jobId" in ended ? { job_id: ended.jobId } : { job_id: null, workflow_id: ended.workflowId }),
    event,
    url,
    host: endpointOf(url),
    status: "pending",
    created_at: at,
    next_attempt_at: at,
    attempt_count: 0,
    attempts: [],
    ...(trace !== undefined && { trace }),
    lease: null,
  };
}
