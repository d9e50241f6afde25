// Queues announcements of jobs and workflows that have ended, in the transaction that ends them: an outbox.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { deliveryId, subjectOf } from "./delivery-id.ts";
import { type DeliveryEvent, endpointOf } from "./rules.ts";
import { type DeliveryDoc, insertDeliveries } from "./store.ts";

/** Deliveries to endpoints are kept as long as the events. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** A job or a workflow that has just ended and has a callback address, or an event for an endpoint of the account. */
export type Announced = (
  | { jobId: string }
  | { workflowId: string }
  | { eventId: string; endpointId: string }
) & {
  accountId: string;
  url: string;
  event: DeliveryEvent;
  /** Its trace, if it has one. */
  trace?: string | undefined;
};

/** `at`: when the delivery is made; its first attempt is due immediately. */
export type Ended = Announced & { at: Date };

/** One write for all of them. Its id refuses a second automatic delivery of the same end, which undoes the transaction. */
export async function queueDeliveries(app: App, tx: TxContext, ended: readonly Ended[]): Promise<void> {
  const rows = ended.map((one) => newDelivery(one, 1));
  await insertDeliveries(app.mongo.db, rows, tx);
}

/** The row of the delivery with this number, from 1, due immediately. */
export function newDelivery(ended: Ended, number: number): DeliveryDoc {
  const { accountId, url, event, at, trace } = ended;
  const about = aboutOf(ended);
  return {
    _id: deliveryId(subjectOf(about) ?? "", number),
    account_id: accountId,
    ...about,
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

function aboutOf(
  ended: Ended,
): Pick<DeliveryDoc, "job_id" | "workflow_id" | "event_id" | "endpoint_id" | "expires_at"> {
  if ("jobId" in ended) return { job_id: ended.jobId };
  if ("workflowId" in ended) return { job_id: null, workflow_id: ended.workflowId };
  const { eventId: event_id, endpointId: endpoint_id, at } = ended;
  return { job_id: null, event_id, endpoint_id, expires_at: new Date(at.getTime() + KEPT_MS) };
}
