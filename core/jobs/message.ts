// A job as its owner is told of it.
import type { Job } from "../../proto/types/atelier/v1/Job.ts";
import type { JobEvent } from "../../proto/types/atelier/v1/JobEvent.ts";
import type { App } from "../app.ts";
import { summariseDeliveries } from "../callbacks/summary.ts";
import { signOutputUrl } from "../outputs/sign.ts";
import { creditsCharged, describeEvents, isEnded, type JobEvent as DescribedEvent } from "./rules.ts";
import { type JobDoc, queuePosition } from "./store.ts";

/** Messages of jobs of one account, with what other collections know of them: callback state and place in the queue. */
export async function describeJobs(app: App, docs: readonly JobDoc[]): Promise<Job[]> {
  const called = docs.filter((doc) => doc.callback_url !== null && isEnded(doc.state));
  const [first] = called;
  const summaries = first
    ? await summariseDeliveries(
        app,
        first.account_id,
        called.map(({ _id }) => _id),
      )
    : new Map();
  return Promise.all(
    docs.map(async (doc) => {
      const position =
        doc.state === "reserved" ? await queuePosition(app.mongo.db, doc.account_id, doc._id) : undefined;
      const summary = summaries.get(doc._id) ?? { status: "none", attempts: 0 };
      return {
        ...jobMessage(app, doc),
        ...(position !== undefined && { queue_position: position }),
        callback: doc.callback_url === null ? null : { url: doc.callback_url, ...summary },
      };
    }),
  );
}

function jobMessage(app: App, doc: JobDoc): Job {
  const now = app.clock.now();
  return {
    job_id: doc._id,
    state: doc.state,
    modality: doc.modality,
    model_slug: doc.model_slug,
    prompt: doc.prompt,
    params_json: JSON.stringify(doc.params),
    metadata: doc.metadata,
    source: doc.source,
    credits_reserved: doc.credits,
    credits_charged: creditsCharged(doc),
    estimated_seconds: doc.estimated_seconds,
    created_at: doc.created_at.toISOString(),
    ...(doc.started_at && { started_at: doc.started_at.toISOString() }),
    ...(doc.ended_at && { ended_at: doc.ended_at.toISOString() }),
    events: describeEvents(doc).map(eventMessage),
    // The job and its record of the outputs stay; the files themselves are removed when they expire.
    outputs: doc.outputs.map((output) => ({
      output_id: output.output_id,
      url: signOutputUrl(app, { accountId: doc.account_id, jobId: doc._id, output, now }),
      mime_type: output.mime_type,
      bytes: output.bytes,
      sha256: output.sha256,
      ...(output.width !== null && { width: output.width }),
      ...(output.height !== null && { height: output.height }),
      ...(output.duration_seconds !== null && { duration_seconds: output.duration_seconds }),
      expires_at: output.expires_at.toISOString(),
    })),
    error: doc.error && { ...doc.error },
    callback: null,
    version: doc.version,
  };
}

export function eventMessage(event: DescribedEvent): JobEvent {
  return {
    seq: event.seq,
    type: event.type,
    state: event.state,
    at: event.at.toISOString(),
    ...(event.ledger_entry_id && { ledger_entry_id: event.ledger_entry_id }),
    detail_json: JSON.stringify(event.detail),
  };
}
