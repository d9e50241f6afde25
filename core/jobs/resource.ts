// A job as its owner is told of it.
import type { JobResource } from "../../proto/resources/job.ts";
import type { App } from "../app.ts";
import { summariseDeliveries } from "../callbacks/summary.ts";
import { signOutputUrl } from "../outputs/sign.ts";
import { creditsCharged, isEnded, toJobEvents } from "./rules.ts";
import { queuePosition } from "./store-queue.ts";
import type { JobDoc } from "./store.ts";

/** Jobs of one account, with what other collections know of them: callback state and place in the queue. */
export async function toJobs(app: App, docs: readonly JobDoc[]): Promise<JobResource[]> {
  const called = docs.filter((doc) => doc.callback_url !== null && isEnded(doc.state));
  const [first] = called;
  const summaries = first
    ? await summariseDeliveries(
        app,
        first.account_id,
        called.map(({ _id }) => _id),
      )
    : new Map();
  const now = app.clock.now();
  return Promise.all(
    docs.map(async (doc) => ({
      job_id: doc._id,
      state: doc.state,
      modality: doc.modality,
      model_slug: doc.model_slug,
      prompt: doc.prompt,
      params: doc.params,
      metadata: doc.metadata,
      source: doc.source,
      credits_reserved: doc.credits,
      credits_charged: creditsCharged(doc),
      estimated_seconds: doc.estimated_seconds,
      queue_position:
        doc.state === "reserved" ? await queuePosition(app.mongo.db, doc.account_id, doc._id) : null,
      created_at: doc.created_at.toISOString(),
      started_at: doc.started_at?.toISOString() ?? null,
      ended_at: doc.ended_at?.toISOString() ?? null,
      events: toJobEvents(doc),
      outputs: toOutputs(app, doc, now),
      error: doc.error && { ...doc.error },
      callback:
        doc.callback_url === null ? null : { url: doc.callback_url, ...(summaries.get(doc._id) ?? UNSENT) },
    })),
  );
}

const UNSENT = { status: "none" as const, attempts: 0 };

export async function toJob(app: App, doc: JobDoc): Promise<JobResource> {
  const [job] = await toJobs(app, [doc]);
  if (!job) throw new Error("toJobs answers as many as it is given");
  return job;
}

/** The job and its record of the outputs stay; the files themselves are removed when they expire. */
function toOutputs(
  app: App,
  { account_id: accountId, _id: jobId, outputs }: JobDoc,
  now: Date,
): JobResource["outputs"] {
  return outputs.map((output) => {
    const { output_id, expires_at, ...rest } = output;
    const url = signOutputUrl(app, { accountId, jobId, output, now });
    return { output_id, url, ...rest, expires_at: expires_at.toISOString() };
  });
}
