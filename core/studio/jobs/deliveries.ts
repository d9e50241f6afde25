// How a job's end was announced: the log of its deliveries, and announcing it again.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { deliverAgain, listDeliveriesOf, refuseResend } from "../webhooks/log.ts";
import type { EndEvent } from "../webhooks/rules.ts";
import type { DeliveryDoc } from "../webhooks/store.ts";
import { findOwnJob } from "./get.ts";

/** Oldest first. Throws job_not_found. */
export async function listDeliveries(app: App, accountId: string, jobId: string): Promise<DeliveryDoc[]> {
  const job = await findOwnJob(app, accountId, jobId);
  return "deliveries" in job ? [...job.deliveries] : listDeliveriesOf(app, accountId, jobId);
}

/**
 * Announces the job's end again. Throws job_not_found, job_not_ended, rate_limited, and invalid_request if the job has no callback_url, has
 * been delivered too often, or is archived.
 */
export async function redeliver(app: App, accountId: string, jobId: string): Promise<DeliveryDoc> {
  const job = await findOwnJob(app, accountId, jobId);
  const { callback_url: url, state, trace } = job;
  if (!url) throw refuseResend("callback_url", "was not given when the job was created");
  if ("deliveries" in job)
    throw refuseResend("job_id", "names an archived job, which ended too long ago to be delivered again");
  const event = endEvent(state);
  if (!event) throw new AppError("job_not_ended");
  return deliverAgain(app, { accountId, jobId, url, event, trace });
}

function endEvent(state: string): EndEvent | undefined {
  return state === "completed" || state === "failed" || state === "cancelled" ? `job.${state}` : undefined;
}
