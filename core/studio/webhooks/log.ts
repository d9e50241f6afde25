// Reads the delivery log of a job and the test events of an account, and delivers a job's end again.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { inTx, type ReadContext } from "../../base/mongo/in-tx.ts";
import type { Some } from "../../base/mongo/read-some.ts";
import { type Page, type PageRequest, readPage, toPage } from "../../kernel/page.ts";
import { type Ended, newDelivery } from "./queue.ts";
import { countResend, decideResend, MAX_REDELIVERIES_A_MINUTE, MAX_REDELIVERIES_OF_JOB } from "./rules.ts";
import { findSigningSecrets } from "./secret.ts";
import {
  type DeliveryDoc,
  findDeliveriesOfJob,
  findDeliveriesOfJobs,
  findDelivery,
  findSecret,
  findTestEvents,
  findWorkflowDeliveries,
  insertDeliveries,
  makeDue,
  type OwnDeliveries,
  saveRedeliveries,
} from "./store.ts";
import { closeDead } from "./store-dead.ts";

/** The end of a job, and where it is announced. */
export type EndOfJob = Omit<Extract<Ended, { jobId: string }>, "at">;

/** The deliveries of a job or a workflow, oldest first. */
export async function listDeliveriesOf(
  app: App,
  accountId: string,
  id: string,
  tx?: ReadContext,
): Promise<DeliveryDoc[]> {
  return findDeliveriesOfJob(app.mongo.db, accountId, id, tx);
}

/** For operators: a delivery of any account. */
export async function deliveryById(
  { mongo }: Pick<App, "mongo">,
  id: string,
): Promise<DeliveryDoc | undefined> {
  return (await findDelivery(mongo.db, id)) ?? undefined;
}

/** Deliveries of these jobs of the account, newest first. */
export async function pickDeliveries(
  app: App,
  own: OwnDeliveries,
  jobIds: readonly string[],
  limit: number,
): Promise<DeliveryDoc[]> {
  return findDeliveriesOfJobs(app.mongo.db, own, jobIds, limit);
}

/** The newest first. */
export async function pickTestEvents(
  app: App,
  own: OwnDeliveries,
  bounds: { limit: number; maxRead: number },
): Promise<Some<DeliveryDoc>> {
  return findTestEvents(app.mongo.db, own, bounds);
}

/** Deliveries of the ends of workflows, the newest first. */
export async function pickWorkflowDeliveries(
  app: App,
  own: OwnDeliveries,
  bounds: { limit: number; maxRead: number },
): Promise<Some<DeliveryDoc>> {
  return findWorkflowDeliveries(app.mongo.db, own, bounds);
}

/** The newest first. Errors: invalid_request naming the parameters. */
export async function listTestEvents(
  app: App,
  accountId: string,
  page: PageRequest,
): Promise<Page<DeliveryDoc>> {
  const { limit, after: beforeId } = readPage(page);
  const bounds = { limit: limit + 1, maxRead: limit + 1 };
  const { found } = await pickTestEvents(app, { accountId, beforeId, status: undefined }, bounds);
  return toPage(found, limit, ({ _id }) => _id);
}

/**
 * Announces the job's end again. A pending delivery becomes due immediately; otherwise a new one is queued, with its own attempts and the
 * same message id. Throws rate_limited, and invalid_request if the end has been delivered too often.
 */
export async function deliverAgain(app: App, { accountId, jobId, ...end }: EndOfJob): Promise<DeliveryDoc> {
  const { db } = app.mongo;
  const now = app.clock.now();
  // The account's count of redeliveries, which is written below, is stored with its secret.
  await findSigningSecrets(app, accountId, now);
  const delivery = await inTx({ mongo: app.mongo, now }, async (tx) => {
    const counted = countResend((await findSecret(db, accountId, tx))?.redeliveries, now);
    if ("waitSeconds" in counted) throw tooMany(counted.waitSeconds);
    const earlier = await findDeliveriesOfJob(db, accountId, jobId, tx);
    const decision = decideResend(earlier);
    if (decision.kind === "exhausted")
      throw refuseResend("job_id", `has been delivered again ${MAX_REDELIVERIES_OF_JOB} times already`);
    await saveRedeliveries(db, accountId, counted, tx);
    const pending = decision.kind === "hasten" ? earlier[decision.pending] : undefined;
    if (!pending) {
      const made = newDelivery({ accountId, jobId, ...end, at: now }, earlier.length + 1);
      await insertDeliveries(db, [made], tx);
      await closeDead(
        db,
        earlier.map(({ _id }) => _id),
        now,
        tx,
      );
      return made;
    }
    // An attempt is being made at this moment.
    if (pending.lease) return pending;
    await makeDue(db, pending, now, tx);
    return { ...pending, next_attempt_at: now };
  });
  app.signals.emit("deliverable");
  return delivery;
}

function tooMany(waitSeconds: number): AppError {
  const message = `An account may ask for ${MAX_REDELIVERIES_A_MINUTE} resends a minute. Try again in ${waitSeconds} seconds.`;
  return new AppError("rate_limited", { message, retryAfterSeconds: waitSeconds });
}

export function refuseResend(path: "job_id" | "callback_url", message: string): AppError {
  return new AppError("invalid_request", {
    issues: [{ path, message }],
    hint: "GET /api/jobs/{id} shows the job's state and webhook.",
  });
}
