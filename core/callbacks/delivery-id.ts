// Ids of deliveries.
import { withoutPrefix } from "../../runtime/clock.ts";

/** More deliveries than this of one job are somebody's endless loop. */
export const MAX_DELIVERIES_OF_JOB = 100;

/**
 * The id of a job's delivery is made of the job and a number from 1, so that the primary key itself refuses to announce an end
 * twice or to repeat a delivery twice, and the deliveries of a job stand together in their order.
 */
export function deliveryId(jobId: string, number: number): string {
  return `${deliveryIdPrefix(jobId)}${String(number).padStart(3, "0")}`;
}

/** What the ids of all deliveries of a job begin with. */
export function deliveryIdPrefix(jobId: string): string {
  return `dlv_${withoutPrefix(jobId)}_`;
}
