// Reads the delivery log of a job and the test events of an account, and delivers a job's end again.
import { AppError } from "../../../proto/codes.ts";
import { inTx, type ReadContext } from "../../base/mongo/in-tx.ts";
import type { Some } from "../../base/mongo/read-some.ts";
import type { App } from "../../kernel/app.ts";
import { type Page, pageById, type PageRequest } from "../../kernel/page.ts";
import { subjectOf } from "./delivery-id.ts";
import { type Announced, newDelivery } from "./queue.ts";
import { countResend, decideResend, MAX_REDELIVERIES_A_MINUTE, MAX_REDELIVERIES_OF_JOB } from "./rules.ts";
import { findSigningSecrets } from "./secret.ts";
import { closeDead } from "./store-dead.ts";
import {
  type DeliveryDoc,
  findDeliveriesApart,
  findDeliveriesOfJob,
  findDeliveriesOfJobs,
  findDelivery,
  findSecret,
  insertDeliveries,
  makeDue,
  type OwnDeliveries,
  saveRedeliveries,
} from "./store.ts";

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

/** Test events, ends of workflows or deliveries to endpoints; the newest first. */
export async function pickDeliveriesApart(
  app: App,
  kind: "tests_newest" | "workflows_newest" | "events_newest",
  own: OwnDeliveries,
  bounds: { limit: number; maxRead: number },
): Promise<Some<DeliveryDoc>> {
  return findDeliveriesApart(app.mongo.db, kind, own, bounds);
}

/** Test events or deliveries to endpoints, the newest first. Errors: invalid_request naming the parameters. */
export async function listDeliveriesApart(
  app: App,
  kind: "tests_newest" | "events_newest",
  accountId: string,
  page: PageRequest,
): Promise<Page<DeliveryDoc>> {
  return pageById(page, async (beforeId, limit) => {
    const own = { accountId, beforeId, status: undefined };
    return (await findDeliveriesApart(app.mongo.db, kind, own, { limit, maxRead: limit })).found;
  });
}

/**
 * Announces an end or an event again. A pending delivery becomes due immediately; otherwise a new one is queued, with its own attempts and the
 * same message id. Throws rate_limited, and invalid_request if the end has been delivered too often.
 */
export async function deliverAgain(app: App, ended: Announced): Promise<DeliveryDoc> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const { account_id: accountId, ...of } = newDelivery({ ...ended, at: now }, 1);
  const subject = subjectOf(of) ?? "";
  // The account's count of redeliveries, which is written below, is stored with its secret.
  await findSigningSecrets(app, accountId, now);
  const delivery = await inTx({ mongo: app.mongo, now }, async (tx) => {
    const counted = countResend((await findSecret(db, accountId, tx))?.redeliveries, now);
    if ("waitSeconds" in counted) throw tooMany(counted.waitSeconds);
    const earlier = await findDeliveriesOfJob(db, accountId, subject, tx);
    const decision = decideResend(earlier);
    if (decision.kind === "exhausted")
      throw refuseResend("job_id", `has been delivered again ${MAX_REDELIVERIES_OF_JOB} times already`);
    await saveRedeliveries(db, accountId, counted, tx);
    const pending = decision.kind === "hasten" ? earlier[decision.pending] : undefined;
    if (!pending) {
      const made = newDelivery({ ...ended, at: now }, earlier.length + 1);
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
