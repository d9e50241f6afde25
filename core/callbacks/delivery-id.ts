// Ids of deliveries.
import { withoutPrefix } from "../../runtime/clock.ts";

/**
 * The id of a job's delivery is made of the job and a number from 1, so that the primary key itself refuses to announce an end
 * twice or to repeat a delivery twice, and the deliveries of a job stand together in their order. Number 1 is the automatic one.
 */
export function deliveryId(jobId: string, number: number): string {
  return `${deliveryIdPrefix(jobId)}${String(number).padStart(3, "0")}`;
}

/** What the ids of all deliveries of a job begin with. */
export function deliveryIdPrefix(jobId: string): string {
  return `dlv_${withoutPrefix(jobId)}_`;
}

/** Where a list of deliveries, newest first, goes on behind all of a job. */
export function afterDeliveriesOf(jobId: string): string {
  return `dlv_${withoutPrefix(jobId)}`;
}

/** Of the jobs with deliveries before this one, or before that place of a list: an id that all of theirs are below. */
export function jobsBefore(position: string): string {
  return `job_${withoutPrefix(position)}`;
}

/**
 * What receivers know a delivery by (`x-service-delivery`, `webhook-id`, `delivery_id`): that of the automatic one, so that somebody
 * who drops repeats drops a redelivery of what has arrived.
 */
export function messageId(jobId: string): string {
  return deliveryId(jobId, 1);
}

/** What the receiver of this delivery knows it by: a test event has no job, and is sent once. */
export function messageIdOf({ _id, job_id }: { _id: string; job_id: string | null }): string {
  return job_id === null ? _id : messageId(job_id);
}

/** 0 for the automatic delivery, then 1, 2, … */
export function redeliveryNumber({ _id, job_id }: { _id: string; job_id: string | null }): number {
  return job_id === null ? 0 : Number(_id.slice(deliveryIdPrefix(job_id).length)) - 1;
}
