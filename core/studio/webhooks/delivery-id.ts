// Ids of deliveries.
import { withoutPrefix } from "../../../runtime/clock.ts";

/**
 * The id of a job's delivery is made of the job and a number from 1. So the primary key itself refuses to announce an end twice or to
 * repeat a delivery twice, and a job's deliveries are adjacent and in order. Number 1 is the automatic delivery.
 */
export function deliveryId(jobId: string, number: number): string {
  return `${deliveryIdPrefix(jobId)}${String(number).padStart(3, "0")}`;
}

/** The common beginning of the ids of all deliveries of a job. */
export function deliveryIdPrefix(jobId: string): string {
  return `dlv_${withoutPrefix(jobId)}_`;
}

/** The position in a list of deliveries, newest first, after those of a job or a workflow. */
export function afterDeliveriesOf(id: string): string {
  return `dlv_${withoutPrefix(id)}`;
}

/** An upper limit for ids: all jobs or workflows whose deliveries come before this one, or before this position of a list, have smaller ids. */
export function idsBefore(prefix: "job" | "wfl", position: string): string {
  return `${prefix}_${withoutPrefix(position)}`;
}

/**
 * The id by which receivers know a delivery (`x-service-delivery`, `webhook-id`, `delivery_id`): the id of the automatic one, so that a
 * receiver who drops repeats also drops a redelivery of what has arrived.
 */
export function messageId(jobId: string): string {
  return deliveryId(jobId, 1);
}

/** What a delivery reports: the end of a job or a workflow, or an event to an endpoint of the account; a test event reports nothing. */
type Announcing = {
  _id: string;
  job_id: string | null;
  workflow_id?: string;
  event_id?: string;
  endpoint_id?: string;
};

/** The id that the ids of its deliveries are made of; null for a test event. */
export function subjectOf({
  job_id,
  workflow_id,
  event_id,
  endpoint_id,
}: Omit<Announcing, "_id">): string | null {
  if (event_id !== undefined) return `${event_id}-${withoutPrefix(endpoint_id ?? "")}`;
  return job_id ?? workflow_id ?? null;
}

/** The id by which the receiver knows this delivery. A test event is not about a job, and is sent only once. */
export function messageIdOf(delivery: Announcing): string {
  const subject = subjectOf(delivery);
  return subject === null ? delivery._id : messageId(subject);
}

/** 0 for the automatic delivery, then 1, 2, … */
export function resendNumber(delivery: Announcing): number {
  const subject = subjectOf(delivery);
  return subject === null ? 0 : Number(delivery._id.slice(deliveryIdPrefix(subject).length)) - 1;
}

/** The common beginning of the ids of all deliveries of the same end. */
export function sameEnd(deliveryId: string): string {
  return deliveryId.slice(0, deliveryId.lastIndexOf("_") + 1);
}
