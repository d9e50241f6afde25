// Ids of deliveries.
import { withoutPrefix } from "../../runtime/clock.ts";

/**
 * The id of a job's delivery is made of the job and a number from 1. So the primary key itself refuses to announce an end twice or to
 * repeat a delivery twice, and a job's deliveries stand together in order. Number 1 is the automatic delivery.
 */
export function deliveryId(jobId: string, number: number): string {
  return `${deliveryIdPrefix(jobId)}${String(number).padStart(3, "0")}`;
}

/** What the ids of all deliveries of a job begin with. */
export function deliveryIdPrefix(jobId: string): string {
  return `dlv_${withoutPrefix(jobId)}_`;
}

/** Where a list of deliveries, newest first, goes on after those of a job. */
export function afterDeliveriesOf(jobId: string): string {
  return `dlv_${withoutPrefix(jobId)}`;
}

/** An upper bound for job ids: all jobs whose deliveries come before this one, or before this place of a list, have smaller ids. */
export function jobsBefore(position: string): string {
  return `job_${withoutPrefix(position)}`;
}

/**
 * The id by which receivers know a delivery (`x-service-delivery`, `webhook-id`, `delivery_id`): the id of the automatic one, so that a
 * receiver who drops repeats also drops a redelivery of what has arrived.
 */
export function messageId(jobId: string): string {
  return deliveryId(jobId, 1);
}

/** The id by which the receiver knows this delivery. A test event has no job, and is sent only once. */
export function messageIdOf({ _id, job_id }: { _id: string; job_id: string | null }): string {
  return job_id === null ? _id : messageId(job_id);
}

/** 0 for the automatic delivery, then 1, 2, … */
export function redeliveryNumber({ _id, job_id }: { _id: string; job_id: string | null }): number {
  return job_id === null ? 0 : Number(_id.slice(deliveryIdPrefix(job_id).length)) - 1;
}
