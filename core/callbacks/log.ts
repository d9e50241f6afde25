// The delivery log of a job, and delivering its end once more.
import { AppError } from "../../proto/codes.ts";
import type { App } from "../app.ts";
import { findOwnJob } from "../jobs/get.ts";
import { isDuplicateKey } from "../mongo/in-tx.ts";
import { deliveryId, MAX_DELIVERIES_OF_JOB } from "./delivery-id.ts";
import { type DeliveryEvent, receiverOf } from "./rules.ts";
import { type DeliveryDoc, findDeliveriesOfJob, insertDeliveries } from "./store.ts";

/** Oldest first. Throws job_not_found. */
export async function listDeliveries(app: App, accountId: string, jobId: string): Promise<DeliveryDoc[]> {
  await findOwnJob(app, accountId, jobId);
  return findDeliveriesOfJob(app.mongo.db, accountId, jobId);
}

/**
 * Queues a new delivery of the job's end, with attempts and a log of its own. Throws job_not_found, and invalid_request when the
 * job has not ended, has no callback_url, or has been delivered too often.
 */
export async function redeliver(app: App, accountId: string, jobId: string): Promise<DeliveryDoc> {
  const { db } = app.mongo;
  const job = await findOwnJob(app, accountId, jobId);
  if (!job.callback_url) throw refused("This job was created without a callback_url.");
  const event = endEvent(job.state);
  if (!event) throw refused("This job has not ended; its callback is sent when it does.");
  const earlier = await findDeliveriesOfJob(db, accountId, jobId);
  if (earlier.length >= MAX_DELIVERIES_OF_JOB) {
    throw refused(`This job has been delivered ${MAX_DELIVERIES_OF_JOB} times already.`);
  }
  const now = app.clock.now();
  const delivery: DeliveryDoc = {
    _id: deliveryId(jobId, earlier.length + 1),
    account_id: accountId,
    job_id: jobId,
    event,
    url: job.callback_url,
    host: receiverOf(job.callback_url),
    status: "pending",
    created_at: now,
    next_attempt_at: now,
    attempt_count: 0,
    attempts: [],
    lease: null,
  };
  try {
    await insertDeliveries(db, [delivery]);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Somebody asked for the same at the same moment: one delivery answers both.
    const made = (await findDeliveriesOfJob(db, accountId, jobId)).find(({ _id }) => _id === delivery._id);
    if (!made) throw error;
    return made;
  }
  app.signals.emit("deliverable");
  return delivery;
}

function endEvent(state: string): DeliveryEvent | undefined {
  return state === "completed" || state === "failed" || state === "cancelled" ? `job.${state}` : undefined;
}

function refused(message: string): AppError {
  return new AppError("invalid_request", {
    message,
    hint: "GET /api/jobs/{id} shows the job's state and callback.",
  });
}
