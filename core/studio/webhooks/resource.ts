// A delivery as its owner sees it.
import type { DeliveryResource } from "../../../proto/resources/callback.ts";
import { shownFields } from "../../base/documents/fields.ts";
import { messageIdOf, resendNumber } from "./delivery-id.ts";
import { DELIVERY_FIELDS, type DeliveryDoc } from "./store.ts";

export function toDelivery(doc: DeliveryDoc): DeliveryResource {
  // During an attempt no next one is planned: the stored date is then the end of its lease.
  const planned = doc.lease ? null : doc.next_attempt_at;
  return {
    delivery_id: messageIdOf(doc),
    redelivery: resendNumber(doc),
    job_id: doc.job_id,
    ...(doc.workflow_id !== undefined && { workflow_id: doc.workflow_id }),
    ...(doc.event_id !== undefined && { event_id: doc.event_id }),
    ...(doc.endpoint_id !== undefined && { endpoint_id: doc.endpoint_id }),
    event: doc.event,
    url: doc.url,
    status: doc.status,
    created_at: doc.created_at.toISOString(),
    next_attempt_at: planned?.toISOString() ?? null,
    attempts: doc.attempts.map(({ at, ...attempt }) => ({ ...attempt, at: at.toISOString() })),
  };
}

/** For the export of its account. */
export function exportedDelivery(delivery: DeliveryDoc): object {
  return { delivery_id: delivery._id, ...shownFields(delivery, DELIVERY_FIELDS) };
}
