// Sends the demo provider's events to the public route, signed, as any provider would: until they are accepted, or tried often enough.
import type { Clock } from "../../../runtime/clock.ts";
import type { Secrets } from "../../../runtime/keys/secret.ts";
import type { Logger } from "../../../runtime/log/log.ts";
import type { Mongo } from "../../base/mongo/client.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { again, attemptsOf, remove, take } from "../../base/work/queue.ts";
import { retryAt, workDue } from "../../base/work/rules.ts";
import type { PaymentEvent } from "./provider.ts";
import { DEMO_SCHEDULE, type DemoDelivery, demoHeaders, planDelivery } from "./rules.ts";
import { type DemoEventDoc, demoEvents, insertEvent } from "./store.ts";

const TIMEOUT_MS = 10_000;
/** Longer than an attempt takes: then another process may try. */
const LEASE_MS = 30_000;
const REFUSED = 400;
const FAILED = 500;

type Sender = {
  readonly mongo: Mongo;
  readonly clock: Clock;
  readonly log: Pick<Logger, "info">;
  readonly secrets: Secrets;
  readonly baseUrl: string;
};

/** Sends one due event. Returns whether there was one. */
export async function deliverDemoEvent(app: Sender, signal: AbortSignal): Promise<boolean> {
  const queue = demoEvents(app.mongo.db);
  const [event] = await take(queue, { now: app.clock.now(), leaseMs: LEASE_MS, limit: 1 });
  if (!event) return false;
  const status = await post(app, event, signal);
  const attempt = attemptsOf(event) + 1;
  app.log.info({ event_id: event._id, status, attempt }, "demo payment event");
  const endedAt = app.clock.now();
  const times = event.times - (status !== undefined && status < REFUSED ? 1 : 0);
  const mayRetry = status === undefined || status >= FAILED;
  const next = times < event.times ? endedAt : mayRetry ? retryAt(DEMO_SCHEDULE, attempt, { endedAt }) : null;
  if (next && times > 0) await again(queue, event, next, { $set: { times } });
  else await remove(queue, event);
  return true;
}

/** The status of the answer; undefined if none came. */
async function post(
  { secrets, clock, baseUrl }: Sender,
  { body }: DemoEventDoc,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const answer = await fetch(`${baseUrl}/webhooks/payments/demo`, {
      method: "POST",
      headers: { "content-type": "application/json", ...demoHeaders(body, secrets, clock.now()) },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return undefined;
  }
}

/** Queues an event of the demo provider, in the transaction that makes it. */
export async function sendDemoEvent(
  { db }: Pick<Mongo, "db">,
  event: PaymentEvent,
  { delivery, tx }: { delivery: DemoDelivery; tx: TxContext },
): Promise<void> {
  const plan = planDelivery(delivery, event.at);
  if (!plan) return;
  const body = JSON.stringify(event);
  await insertEvent(db, { _id: event.id, body, times: plan.times, work: workDue(plan.at) }, tx);
}
