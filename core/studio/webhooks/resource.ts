// A delivery as its owner sees it.
import type { DeliveryResource } from "../../../proto/resources/callback.ts";
import { shownFields } from "../../base/documents/fields.ts";
import type { App } from "../../kernel/app.ts";
import { messageIdOf, resendNumber, subjectOf } from "./delivery-id.ts";
import { type CallbackSummary, summarise } from "./rules.ts";
import { DELIVERY_FIELDS, type DeliveryDoc, findDeliveryInfo } from "./store.ts";

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

/** By the id of the job or the workflow; those without deliveries are left out. */
export async function summariseDeliveries(
  app: App,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, CallbackSummary>> {
  if (ids.length === 0) return new Map();
  const found = await findDeliveryInfo(app.mongo.db, accountId, ids);
  const bySubject = Map.groupBy(found, (facts) => subjectOf(facts) ?? "");
  return new Map([...bySubject].map(([id, facts]) => [id, summarise(facts)]));
}
