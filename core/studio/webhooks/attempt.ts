// One attempt to deliver, in two stages: it is prepared, then sent.
import type { KeyObject } from "node:crypto";
import { type Dispatcher, request } from "undici";
import type { JobResource } from "../../../proto/resources/job.ts";
import type { WorkflowResource } from "../../../proto/resources/workflow.ts";
import type { Clock } from "../../../runtime/clock.ts";
import { describeFailure, TIMED_OUT } from "../../base/outbound/describe-failure.ts";
import { messageIdOf } from "./delivery-id.ts";
import { type AttemptOutcome, checkAnswer } from "./rules.ts";
import { type SigningSecrets, signingHeaders } from "./sign.ts";
import type { DeliveryDoc } from "./store.ts";

export type PreparedAttempt = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Exactly these bytes are signed and sent. */
  readonly body: Buffer;
};

export type SentAttempt = AttemptOutcome & { readonly durationMs: number };

/** The body of an answer is read only so that its connection can be used again, and no further than this. */
const MAX_DRAINED_BYTES = 16 * 1024;
const MAX_DRAIN_MS = 1000;

/** A job that has ended, as its owner reads it, with its signed receipt if the service signs any. */
export type EndedJob = { readonly job: JobResource; readonly receipt?: string | undefined };
type LoadEnded<Resource> = (accountId: string, id: string) => Promise<Resource>;
/** How the record of what has ended is read. */
export type EndedLoaders = { loadJob: LoadEnded<EndedJob>; loadWorkflow: LoadEnded<WorkflowResource> };
/** What has ended. A test event is not about a job. */
export type AttemptReport = EndedJob | { readonly job: null } | { readonly workflow: WorkflowResource };

/** The part of a body that says what has ended, as its owner reads it, but without `callback`, which the message itself changes. */
export function reported(told: AttemptReport): object {
  if ("workflow" in told) return { workflow: withoutCallback(told.workflow) };
  return {
    job: told.job && withoutCallback(told.job),
    ...("receipt" in told && { receipt: told.receipt }),
  };
}

/** Builds and signs the message: `report` follows what every message begins with. */
export function prepareAttempt(
  delivery: DeliveryDoc,
  report: object,
  secrets: SigningSecrets,
  at: Date,
  publishedKey?: KeyObject,
): PreparedAttempt {
  const deliveryId = messageIdOf(delivery);
  const body = Buffer.from(
    JSON.stringify({
      event: delivery.event,
      delivery_id: deliveryId,
      created_at: delivery.created_at.toISOString(),
      ...report,
    }),
  );
  return {
    url: delivery.url,
    headers: {
      "content-type": "application/json",
      "user-agent": "Atelier-Callbacks/1",
      ...signingHeaders({ deliveryId, event: delivery.event, body, at }, secrets, publishedKey),
    },
    body,
  };
}

function withoutCallback({ callback: _callback, ...record }: JobResource | WorkflowResource): object {
  return record;
}

/** Sends the message. Never takes longer than `timeoutMs`. Throws only the reason of `signal`, once that is aborted. */
export async function sendAttempt(
  agent: Dispatcher,
  { url, headers, body }: PreparedAttempt,
  { timeoutMs, signal, clock }: { timeoutMs: number; signal: AbortSignal; clock: Clock },
): Promise<SentAttempt> {
  signal.throwIfAborted();
  const startedMs = performance.now();
  const elapsedMs = () => performance.now() - startedMs;
  const call = new AbortController();
  const giveUp = () => call.abort();
  signal.addEventListener("abort", giveUp, { once: true });
  let timer = setTimeout(giveUp, timeoutMs);
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method: "POST",
      headers,
      body,
      signal: call.signal,
    });
    // The status has decided; the body does not matter to the delivery.
    clearTimeout(timer);
    timer = setTimeout(giveUp, Math.min(MAX_DRAIN_MS, timeoutMs - elapsedMs()));
    await answer.body.dump({ limit: MAX_DRAINED_BYTES, signal: call.signal }).catch(() => {});
    const retryAfter = answer.headers["retry-after"];
    const outcome = checkAnswer(
      answer.statusCode,
      Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
      clock.now(),
    );
    return { ...outcome, durationMs: Math.round(elapsedMs()) };
  } catch (error) {
    signal.throwIfAborted();
    const words = call.signal.aborted ? TIMED_OUT : describeFailure(error);
    return { httpStatus: null, error: words, durationMs: Math.round(elapsedMs()) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}
