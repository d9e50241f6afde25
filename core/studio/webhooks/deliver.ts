// The deliverer: takes due deliveries and makes an attempt at each. It runs in every worker; leases keep several of them apart. Delivery is
// at least once: a receiver drops repeats by delivery_id.
import { createService, waitAtMost } from "../../../runtime/service.ts";
import { isPassing } from "../../base/mongo/errors.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import { addressPolicy } from "../../base/outbound/address.ts";
import { createCheckedAgent, createResolver, type Resolve } from "../../base/outbound/dial.ts";
import type { App } from "../../kernel/app.ts";
import { hasWaitingEvents, takeWaitingEvents } from "../../kernel/events/forward.ts";
import { wantsEvent } from "./account-endpoint-rules.ts";
import { type DeliverOptions, deliverOnce, LEASE_MARGIN_MS } from "./deliver-once.ts";
import { type Endpoints, createEndpoints } from "./endpoints.ts";
import { newDelivery } from "./queue.ts";
import { findEndpoints } from "./store-endpoints.ts";
import { type DeliveryDoc, findDueEndpoints, insertDeliveries, leaseDeliveries } from "./store.ts";

const BATCH = 200;

export type DelivererOptions = Pick<DeliverOptions, "loadJob" | "loadWorkflow"> & {
  /** The most attempts in flight altogether. */
  maxInFlight?: number;
  /** The most attempts in flight to one receiver (scheme, host and port). */
  maxInFlightPerEndpoint?: number;
  /** The time limit of a whole attempt: name, connection, request, answer. */
  attemptTimeoutMs?: number;
  /** How often to look for due deliveries if no one calls wake(). */
  pollMs?: number;
  resolve?: Resolve;
  /** A random number in 0..1, for the jitter. */
  random?: () => number;
};

export type Deliverer = {
  start(): void;
  /** Lets attempts in flight finish for as long as a drain may last, then gives their deliveries back. */
  stop(): Promise<void>;
  /** Announces that something is due now, so that the deliverer looks immediately. */
  wake(): void;
};

const MAX_IN_FLIGHT = 64;
const MAX_IN_FLIGHT_PER_ENDPOINT = 4;
const ATTEMPT_TIMEOUT_MS = 10_000;
const POLL_MS = 1000;
const CONNECT_TIMEOUT_MS = 4000;

export function createDeliverer(app: App, options: DelivererOptions): Deliverer {
  const {
    loadJob,
    loadWorkflow,
    attemptTimeoutMs = ATTEMPT_TIMEOUT_MS,
    pollMs = POLL_MS,
    random = Math.random,
  } = options;
  const { maxInFlight = MAX_IN_FLIGHT, maxInFlightPerEndpoint = MAX_IN_FLIGHT_PER_ENDPOINT } = options;
  const policy = addressPolicy(app.config);
  const agent = createCheckedAgent({
    policy,
    resolve: options.resolve ?? createResolver(policy),
    connections: maxInFlightPerEndpoint,
    connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, attemptTimeoutMs),
  });
  const receivers = createEndpoints({ total: maxInFlight, perEndpoint: maxInFlightPerEndpoint });
  const attempts = new Set<Promise<void>>();
  const lastMoment = new AbortController();
  const delivering: DeliverOptions = {
    agent,
    loadJob,
    loadWorkflow,
    timeoutMs: attemptTimeoutMs,
    signal: lastMoment.signal,
    random,
    attempted: app.metrics.counter(
      "callback_attempts_total",
      "Attempts to deliver webhooks; pending: it failed and another one follows, failed: it was the last.",
      ["status"],
    ),
    waited: app.metrics.duration(
      "callback_wait",
      "Time from the end of a job, which queues its webhook, to the first attempt.",
      [],
    ),
  };

  const service = createService({ log: app.log, isOutage: isPassing });
  const wake = service.loop("take webhooks that are due", async () => {
    const leaseMs = attemptTimeoutMs + LEASE_MARGIN_MS;
    const forwarded = await forwardEvents(app);
    const taken = await takeDue(app, receivers, { leaseMs, rowsEach: maxInFlightPerEndpoint });
    for (const delivery of taken) launch(delivery);
    // There may be more that this pass did not look at.
    return taken.length + forwarded > 0 ? 0 : pollMs;
  });

  function launch(delivery: DeliveryDoc): void {
    const attempt = deliverOnce(app, delivery, delivering)
      .catch((error: unknown) => {
        // Nothing is lost: the lease expires and the delivery is due again.
        app.log.warn({ err: error, delivery_id: delivery._id }, "a webhook attempt could not be recorded");
        return undefined;
      })
      .then((sent) => {
        receivers.ended(delivery.host, sent?.durationMs);
        attempts.delete(attempt);
        wake();
      });
    attempts.add(attempt);
  }

  return {
    start: service.start,
    wake,
    stop: async () => {
      await service.stop();
      await waitAtMost(app.config.drainMs, Promise.all(attempts));
      lastMoment.abort();
      await Promise.all(attempts);
      await agent.destroy();
    },
  };
}

type TakeOptions = {
  leaseMs: number;
  /** The number of rows to look at for each receiver. */
  rowsEach: number;
};

/**
 * Runs one pass. Capacity is reserved for every delivery that it returns. An empty result means that nothing is due for which there is
 * capacity.
 */
async function takeDue(
  app: App,
  receivers: Endpoints,
  { leaseMs, rowsEach }: TakeOptions,
): Promise<DeliveryDoc[]> {
  const chosen = await chooseDue(app, receivers, rowsEach);
  if (chosen.size === 0) return [];
  let taken: DeliveryDoc[] = [];
  try {
    const now = app.clock.now();
    const lease = { owner: app.newId("lse"), until: new Date(now.getTime() + leaseMs) };
    taken = await leaseDeliveries(app.mongo.db, [...chosen.keys()], lease, now);
  } finally {
    for (const delivery of taken) chosen.delete(delivery._id);
    // Another deliverer was faster with these.
    for (const host of chosen.values()) receivers.ended(host);
  }
  return taken;
}

/** Ids of rows to take, with their receivers, for which capacity is reserved: receiver by receiver, until it is used up. */
async function chooseDue(app: App, receivers: Endpoints, rowsEach: number): Promise<Map<string, string>> {
  const chosen = new Map<string, string>();
  const room = receivers.free();
  if (room === 0) return chosen;
  const query = { now: app.clock.now(), hosts: receivers.wanted(), maxHosts: room, rowsEach };
  const afterHost = receivers.last();
  const due = await findDueEndpoints(app.mongo.db, { ...query, afterHost });
  if (due.length < room && afterHost !== "") {
    // The end of the list was reached: it continues from the beginning.
    const known = new Set(due.map(({ host }) => host));
    const others = await findDueEndpoints(app.mongo.db, { ...query, afterHost: "" });
    due.push(...others.filter(({ host }) => !known.has(host)));
  }
  for (const { host, ids } of due) {
    for (const id of ids.slice(0, receivers.freeFor(host))) {
      chosen.set(id, host);
      receivers.started(host);
    }
  }
  return chosen;
}

/** Forwards the oldest events that wait. Returns how many there were. */
export async function forwardEvents(app: App): Promise<number> {
  const { db } = app.mongo;
  if (!(await hasWaitingEvents(app))) return 0;
  const now = app.clock.now();
  return inTx({ mongo: app.mongo, now }, async (tx) => {
    const waiting = await takeWaitingEvents(app, BATCH, tx);
    const accountIds = [...new Set(waiting.map((event) => event.account_id))];
    const byAccount = Map.groupBy(await findEndpoints(db, accountIds, tx), (one) => one.account_id);
    const rows = waiting.flatMap(({ _id: eventId, account_id: accountId, event }) =>
      (byAccount.get(accountId) ?? [])
        .filter((endpoint) => !endpoint.disabled_at && wantsEvent(endpoint.events, event))
        .map(({ _id: endpointId, url }) =>
          newDelivery({ eventId, endpointId, accountId, url, event, at: now }, 1),
        ),
    );
    await insertDeliveries(db, rows, tx);
    return waiting.length;
  });
}
