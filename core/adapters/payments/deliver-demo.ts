// Sends the demo provider's events to the public route, signed, as any provider would: until they are taken, or tried often enough.
import type { Clock } from "../../../runtime/clock.ts";
import type { Secrets } from "../../../runtime/keys/secret.ts";
import type { Logger } from "../../../runtime/log/log.ts";
import type { Mongo } from "../../base/mongo/client.ts";
import { demoHeaders, nextDemoAttempt } from "./rules.ts";
import { deleteEvent, type DemoEventDoc, saveEvent, takeEvent } from "./store.ts";

const TIMEOUT_MS = 10_000;
/** Outlives an attempt: then another process may try. */
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

/** One event that is due. Answers whether there was one. */
export async function deliverDemoEvent(app: Sender, signal: AbortSignal): Promise<boolean> {
  const { db } = app.mongo;
  const now = app.clock.now();
  const event = await takeEvent(db, now, new Date(now.getTime() + LEASE_MS));
  if (!event) return false;
  const status = await post(app, event, signal);
  app.log.info({ event_id: event._id, status, attempt: event.attempts }, "demo payment event");
  const isTaken = status !== undefined && status < REFUSED;
  if (isTaken && event.times > 1) {
    await saveEvent(db, event._id, { times: event.times - 1, attempts: 0, next_at: app.clock.now() });
    return true;
  }
  const next =
    status === undefined || status >= FAILED ? nextDemoAttempt(event.attempts, app.clock.now()) : null;
  if (next) await saveEvent(db, event._id, { times: event.times, attempts: event.attempts, next_at: next });
  else await deleteEvent(db, event._id);
  return true;
}

/** The status of the answer; undefined where none came. */
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
