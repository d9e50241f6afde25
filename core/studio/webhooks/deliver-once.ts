// Makes one attempt at a delivery under a lease: prepares it, sends it, and records the result.
import type { Dispatcher } from "undici";
import type { WorkflowResource } from "../../../proto/resources/workflow.ts";
import { tracedStep, tracedUnder } from "../../../runtime/log/tracing.ts";
import type { Duration } from "../../../runtime/ops/metrics.ts";
import { isDatabaseAway } from "../../base/mongo/errors.ts";
import { untilBack } from "../../base/mongo/until-back.ts";
import { checkCallbackUrl } from "../../base/outbound/address.ts";
import { REFUSED_ADDRESS } from "../../base/outbound/describe-failure.ts";
import type { App } from "../../kernel/app.ts";
import { noteAttempt } from "./account-endpoints.ts";
import {
  type EndedJob,
  type EndedLoaders,
  type PreparedAttempt,
  prepareAttempt,
  reported,
  type SentAttempt,
  sendAttempt,
} from "./attempt.ts";
import { subjectOf } from "./delivery-id.ts";
import { prepareEvent } from "./event-message.ts";
import { decideNext } from "./rules.ts";
import { findSigningSecrets } from "./secret.ts";
import { type DeliveryDoc, releaseDeliveries, recordAttempt } from "./store.ts";

export type DeliverOptions = EndedLoaders & {
  agent: Dispatcher;
  /** The time limit of a whole attempt: name, connection, request, answer. */
  timeoutMs: number;
  /** Aborted when no attempt may last any longer. */
  signal: AbortSignal;
  /** A random number in 0..1, for the jitter. */
  random: () => number;
  /** Counts attempts by the delivery's status afterwards. */
  attempted: { inc(labels: { status: string }): void };
  /** How long the first attempt has waited. */
  waited: Duration<never>;
};

/** How much longer a lease lasts than the attempt, to load the job before it and record the result after it. */
export const LEASE_MARGIN_MS = 20_000;

/** Undefined if the signal was aborted before the attempt was over; then the delivery is due again. */
export function deliverOnce(
  app: App,
  delivery: DeliveryDoc,
  options: DeliverOptions,
): Promise<SentAttempt | undefined> {
  const { _id, job_id: jobId, workflow_id: workflowId } = delivery;
  const subject =
    workflowId === undefined ? { "atelier.job.id": jobId ?? "" } : { "atelier.workflow.id": workflowId };
  const attributes = { ...subject, "atelier.delivery.id": _id };
  const span = ["deliver webhook", { kind: "consumer", attributes }] as const;
  return tracedUnder(app.tracing, delivery.trace, span, () => attemptDelivery(app, delivery, options));
}

async function attemptDelivery(
  app: App,
  delivery: DeliveryDoc,
  options: DeliverOptions,
): Promise<SentAttempt | undefined> {
  const { signal, waited } = options;
  const at = app.clock.now();
  if (delivery.attempt_count === 0) waited.observe({}, (at.getTime() - delivery.created_at.getTime()) / 1000);
  const prepared = await prepare(app, delivery, at, options);
  let sent: SentAttempt;
  try {
    sent =
      typeof prepared === "string"
        ? { httpStatus: null, error: prepared, durationMs: 0 }
        : await send(app, delivery, prepared, options);
  } catch (error) {
    if (!signal.aborted) throw error;
    await releaseDeliveries(app.mongo.db, [delivery], app.clock.now());
    return undefined;
  }
  await record(app, delivery, { at, sent }, options);
  return sent;
}

/** The receiver is told which span sends it, so that a trace can continue there. */
function send(
  { tracing, clock }: App,
  { attempt_count: earlier }: DeliveryDoc,
  prepared: PreparedAttempt,
  { agent, timeoutMs, signal }: DeliverOptions,
): Promise<SentAttempt> {
  const { hostname, port, protocol } = new URL(prepared.url);
  const attributes = {
    "http.request.method": "POST",
    // The rest of the address may be a secret.
    "server.address": hostname,
    "server.port": Number(port || (protocol === "https:" ? 443 : 80)),
    ...(earlier > 0 && { "http.request.resend_count": earlier }),
  };
  return tracedStep(tracing, "POST", { kind: "client", attributes }, async (span) => {
    const headers = span ? { ...prepared.headers, traceparent: span.traceparent } : prepared.headers;
    const sent = await sendAttempt(agent, { ...prepared, headers }, { timeoutMs, signal, clock });
    if (sent.httpStatus !== null) span?.set({ "http.response.status_code": sent.httpStatus });
    if (sent.error !== null) span?.fail(sent.httpStatus === null ? "no_answer" : String(sent.httpStatus));
    return sent;
  });
}

/** The message, or the reason in plain words why there is none. That counts as a failed attempt, so that no delivery is tried for ever. */
async function prepare(
  app: App,
  delivery: DeliveryDoc,
  at: Date,
  options: DeliverOptions,
): Promise<PreparedAttempt | string> {
  // Settings may have become stricter since the URL was accepted.
  if (checkCallbackUrl(app.config, delivery.url)) return REFUSED_ADDRESS;
  try {
    if (delivery.event_id !== undefined) return await prepareEvent(app, delivery, at, options);
    const told = await load(delivery, options);
    // A test event is never queued.
    if (!told) return "no job";
    const { callback } = "workflow" in told ? told.workflow : told.job;
    // The account was deleted while the job ran; its rows are about to be removed.
    if (callback === null) return "address removed";
    const secrets = await findSigningSecrets(app, delivery.account_id, at);
    return prepareAttempt(delivery, reported(told), secrets, at);
  } catch (error) {
    // The receiver is not at fault: the delivery is due again when its lease is over.
    if (isDatabaseAway(error)) throw error;
    app.log.error(
      { err: error, delivery_id: delivery._id, job_id: subjectOf(delivery) },
      "a webhook could not be prepared",
    );
    return "job record not available";
  }
}

/** Undefined if it is not about a job or workflow. */
async function load(
  { account_id: accountId, job_id: jobId, workflow_id: workflowId }: DeliveryDoc,
  { loadJob, loadWorkflow }: DeliverOptions,
): Promise<EndedJob | { workflow: WorkflowResource } | undefined> {
  if (workflowId !== undefined) return { workflow: await loadWorkflow(accountId, workflowId) };
  return jobId === null ? undefined : loadJob(accountId, jobId);
}

async function record(
  app: App,
  delivery: DeliveryDoc,
  { at, sent }: { at: Date; sent: SentAttempt },
  { random, attempted }: DeliverOptions,
): Promise<void> {
  const { httpStatus, durationMs, error } = sent;
  const attempt = {
    number: delivery.attempt_count + 1,
    at,
    http_status: httpStatus,
    duration_ms: durationMs,
    error,
  };
  const next = decideNext(attempt.number, sent, app.clock.now(), random());
  // An unrecorded attempt is repeated, so the result is kept until the database takes it, or until another deliverer may have the delivery.
  const leaseEnds = AbortSignal.timeout(LEASE_MARGIN_MS / 2);
  const recorded = await untilBack(() => recordAttempt(app.mongo.db, delivery, attempt, next), leaseEnds);
  attempted.inc({ status: next.status });
  const { account_id: accountId, endpoint_id: endpointId } = delivery;
  if (endpointId !== undefined) await noteAttempt(app, { accountId, endpointId }, error === null);
  const { _id: delivery_id } = delivery;
  const job_id = subjectOf(delivery);
  app.log.info(
    { delivery_id, job_id, attempt: attempt.number, status: next.status, error, recorded },
    "webhook attempt",
  );
}
