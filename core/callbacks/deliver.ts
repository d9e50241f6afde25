// The deliverer: takes deliveries that are due, makes an attempt at each, and records what came of it. Runs in every worker;
// leases keep several of them apart. Delivery is at least once: a receiver drops repeats by delivery_id.
import type { JobResource } from "../../proto/resources/job.ts";
import { createBell } from "../../runtime/process/bell.ts";
import type { App } from "../app.ts";
import { addressPolicy, checkCallbackUrl } from "../outbound/address.ts";
import {
  type PreparedAttempt,
  prepareAttempt,
  REFUSED_ADDRESS,
  type SentAttempt,
  sendAttempt,
} from "./attempt.ts";
import { isDatabaseAway } from "../mongo/errors.ts";
import { untilBack } from "../mongo/until-back.ts";
import { createCheckedAgent, createResolver, type Resolve } from "../outbound/dial.ts";
import { createReceivers } from "./receivers.ts";
import { decideNext } from "./rules.ts";
import { findSigningSecrets } from "./secret.ts";
import {
  type DeliveryDoc,
  findDueReceivers,
  giveBackDeliveries,
  leaseDeliveries,
  recordAttempt,
} from "./store.ts";

export type DelivererOptions = {
  /** The job's record as its owner reads it. */
  loadJob: (accountId: string, jobId: string) => Promise<JobResource>;
  /** Attempts in flight altogether. */
  maxInFlight?: number;
  /** Attempts in flight to one receiver (scheme, host and port). */
  maxInFlightPerReceiver?: number;
  /** For the whole of an attempt: name, connection, request, answer. */
  attemptTimeoutMs?: number;
  /** How often to look for due deliveries when nobody calls wake(). */
  pollMs?: number;
  resolve?: Resolve;
  /** 0..1, for the jitter. */
  random?: () => number;
};

export type Deliverer = {
  start(): void;
  /** Lets attempts in flight finish for as long as a drain may last, then gives their deliveries back. */
  stop(): Promise<void>;
  /** Something is due now: look at once. */
  wake(): void;
};

const MAX_IN_FLIGHT = 64;
const MAX_IN_FLIGHT_PER_RECEIVER = 4;
const ATTEMPT_TIMEOUT_MS = 10_000;
const POLL_MS = 1000;
/** A lease outlives the attempt by this, for loading the job before and recording after. */
const LEASE_MARGIN_MS = 20_000;
const CONNECT_TIMEOUT_MS = 4000;

export function createDeliverer(app: App, options: DelivererOptions): Deliverer {
  const { loadJob, attemptTimeoutMs = ATTEMPT_TIMEOUT_MS, pollMs = POLL_MS, random = Math.random } = options;
  const { maxInFlight = MAX_IN_FLIGHT, maxInFlightPerReceiver = MAX_IN_FLIGHT_PER_RECEIVER } = options;
  const { db } = app.mongo;
  const policy = addressPolicy(app.config);
  const attempted = app.metrics.counter(
    "callback_attempts_total",
    "Attempts at callbacks; pending: it failed and there will be another, failed: there will be none.",
    ["status"],
  );
  const agent = createCheckedAgent({
    policy,
    resolve: options.resolve ?? createResolver(policy),
    connections: maxInFlightPerReceiver,
    connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, attemptTimeoutMs),
  });
  const receivers = createReceivers({ total: maxInFlight, perReceiver: maxInFlightPerReceiver });
  const attempts = new Set<Promise<void>>();
  const bell = createBell();
  const abort = new AbortController();
  let stopping = false;
  let running: Promise<void> | undefined;
  /** Receivers are served in turn: the next pass starts after the one where the last pass ended. */
  let lastHost = "";

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        while (!stopping && (await takeDue()));
      } catch (error) {
        app.log.warn({ err: error }, "callbacks could not be taken; trying again");
      }
      // An attempt that ends makes room for more and rings as well.
      if (!stopping) await bell.wait(pollMs);
    }
  }

  /** One pass. Answers whether it took anything: if so there may be more that it had no eye for. */
  async function takeDue(): Promise<boolean> {
    const chosen = await chooseDue();
    if (chosen.size === 0) return false;
    let taken: DeliveryDoc[] = [];
    try {
      const now = app.clock.now();
      const until = new Date(now.getTime() + attemptTimeoutMs + LEASE_MARGIN_MS);
      taken = await leaseDeliveries(db, [...chosen.keys()], { owner: app.newId("lse"), until }, now);
    } finally {
      for (const delivery of taken) chosen.delete(delivery._id);
      // Another deliverer was faster with these.
      for (const host of chosen.values()) receivers.ended(host);
    }
    for (const delivery of taken) launch(delivery);
    return taken.length > 0;
  }

  /** Ids of rows to take, with their receivers, for which room is set aside: receiver by receiver, until it is used up. */
  async function chooseDue(): Promise<Map<string, string>> {
    const chosen = new Map<string, string>();
    const room = receivers.free();
    if (room === 0) return chosen;
    const query = {
      now: app.clock.now(),
      hosts: receivers.wanted(),
      maxHosts: room,
      rowsEach: maxInFlightPerReceiver,
    };
    const due = await findDueReceivers(db, { ...query, afterHost: lastHost });
    if (due.length < room && lastHost !== "") {
      // The end of the list was reached: go on from its beginning.
      const known = new Set(due.map(({ host }) => host));
      due.push(
        ...(await findDueReceivers(db, { ...query, afterHost: "" })).filter(({ host }) => !known.has(host)),
      );
    }
    for (const { host, ids } of due) {
      for (const id of ids.slice(0, receivers.freeFor(host))) {
        chosen.set(id, host);
        receivers.started(host);
        lastHost = host;
      }
    }
    return chosen;
  }

  function launch(delivery: DeliveryDoc): void {
    let durationMs: number | undefined;
    const attempt = deliverOnce(delivery)
      .then((sent) => {
        durationMs = sent?.durationMs;
      })
      .catch((error: unknown) => {
        // Nothing is lost: the lease runs out and the delivery is due again.
        app.log.warn({ err: error, delivery_id: delivery._id }, "a callback attempt could not be recorded");
      })
      .finally(() => {
        receivers.ended(delivery.host, durationMs);
        attempts.delete(attempt);
        bell.ring();
      });
    attempts.add(attempt);
  }

  /** undefined when the deliverer stopped before the attempt was over; the delivery is due again then. */
  async function deliverOnce(delivery: DeliveryDoc): Promise<SentAttempt | undefined> {
    const at = app.clock.now();
    const prepared = await prepare(delivery, at);
    let sent: SentAttempt;
    try {
      sent =
        typeof prepared === "string"
          ? { httpStatus: null, error: prepared, durationMs: 0 }
          : await sendAttempt(agent, prepared, {
              timeoutMs: attemptTimeoutMs,
              signal: abort.signal,
              clock: app.clock,
            });
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      await giveBackDeliveries(db, [delivery], app.clock.now());
      return undefined;
    }
    await record(delivery, at, sent);
    return sent;
  }

  /** The message, or in plain words why there is none. That counts as a failed attempt, so that no delivery is tried for ever. */
  async function prepare(delivery: DeliveryDoc, at: Date): Promise<PreparedAttempt | string> {
    // Settings may have become stricter since the URL was accepted.
    if (checkCallbackUrl(app.config, delivery.url)) return REFUSED_ADDRESS;
    try {
      const job = await loadJob(delivery.account_id, delivery.job_id);
      // The account was deleted while the job ran; its rows are about to go.
      if (job.callback === null) return "address removed";
      const secrets = await findSigningSecrets(app, delivery.account_id, at);
      return prepareAttempt(delivery, job, secrets, at);
    } catch (error) {
      // No fault of the receiver's: the delivery is due again when its lease is over.
      if (isDatabaseAway(error)) throw error;
      app.log.error(
        { err: error, delivery_id: delivery._id, job_id: delivery.job_id },
        "a callback could not be prepared",
      );
      return "job record not available";
    }
  }

  async function record(delivery: DeliveryDoc, at: Date, sent: SentAttempt): Promise<void> {
    const { httpStatus, durationMs, error } = sent;
    const attempt = {
      number: delivery.attempt_count + 1,
      at,
      http_status: httpStatus,
      duration_ms: durationMs,
      error,
    };
    const next = decideNext(attempt.number, sent, app.clock.now(), random());
    // What is not recorded is sent again: kept until the database takes it, or until another deliverer may have the delivery.
    const leaseEnds = AbortSignal.timeout(LEASE_MARGIN_MS / 2);
    const recorded = await untilBack(() => recordAttempt(db, delivery, attempt, next), leaseEnds);
    attempted.inc({ status: next.status });
    const { _id: delivery_id, job_id } = delivery;
    app.log.info(
      { delivery_id, job_id, attempt: attempt.number, status: next.status, error, recorded },
      "callback attempt",
    );
  }

  return {
    start: () => {
      running ??= run();
    },
    wake: bell.ring,
    stop: async () => {
      stopping = true;
      bell.ring();
      await running;
      const drain = setTimeout(() => abort.abort(), app.config.drainMs);
      await Promise.all(attempts);
      clearTimeout(drain);
      await agent.destroy();
    },
  };
}
