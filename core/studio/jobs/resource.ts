// A job as its owner sees it.
import type { Delivered, JobResource } from "../../../proto/resources/job.ts";
import type { App } from "../../kernel/app.ts";
import { signOutputUrl } from "../../kernel/outputs/sign.ts";
import { summariseDeliveries } from "../webhooks/resource.ts";
import { summarise } from "../webhooks/rules.ts";
import type { ArchivedJob } from "./archive-rules.ts";
import { isCancellable, type Stopping } from "./cancel-rules.ts";
import { creditsCharged, isBlocked, isEnded, shownState, toJobEvents } from "./rules.ts";
import { queuePositions } from "./store-queue.ts";
import type { JobDoc } from "./store.ts";

/** Jobs of one account, with what other collections know about them: callback state and position in the queue. */
export async function toJobs(app: App, docs: readonly (JobDoc | ArchivedJob)[]): Promise<JobResource[]> {
  const accountId = docs[0]?.account_id ?? "";
  const idsWhere = (holds: (doc: JobDoc | ArchivedJob) => boolean) =>
    docs.filter(holds).map(({ _id }) => _id);
  const [summaries, places] = await Promise.all([
    summariseDeliveries(
      app,
      accountId,
      idsWhere((doc) => !("deliveries" in doc) && doc.callback_url !== null && isEnded(doc.state)),
    ),
    queuePositions(
      app.mongo.db,
      accountId,
      idsWhere((doc) => doc.state === "reserved" && !isBlocked(doc)),
    ),
  ]);
  const now = app.clock.now();
  // This covers all fields: a field of jobs that is not set here does not compile.
  return docs.map((doc): Required<JobResource> => ({
    job_id: doc._id,
    workflow_id: doc.workflow_id,
    state: shownState(doc),
    modality: doc.modality,
    model_slug: doc.model_slug,
    prompt: doc.prompt,
    params: doc.params,
    metadata: doc.metadata,
    source: doc.source,
    credits_reserved: doc.credits,
    credits_charged: creditsCharged(doc),
    delivered: doc.state === "completed" ? (doc.delivered ?? asWanted(doc)) : null,
    priced_by: doc.priced_by,
    estimated_seconds: doc.estimated_seconds,
    queue_position: places.get(doc._id) ?? null,
    cancellable: isCancellable(doc, stoppingOf(app, doc)),
    created_at: doc.created_at.toISOString(),
    started_at: doc.started_at?.toISOString() ?? null,
    ended_at: doc.ended_at?.toISOString() ?? null,
    events: toJobEvents(doc),
    outputs: toOutputs(app, doc, now),
    error: doc.error && { ...doc.error },
    callback:
      doc.callback_url === null
        ? null
        : { url: doc.callback_url, ...(archivedSummary(doc) ?? summaries.get(doc._id) ?? UNSENT) },
  }));
}

function asWanted({ outputs }: JobDoc): Delivered {
  return { unit: "output", asked: outputs.length, got: outputs.length };
}

/** The deliveries of an archived job or workflow are stored with it. */
export function archivedSummary(doc: object | ArchivedJob) {
  return "deliveries" in doc && doc.deliveries.length > 0 ? summarise(doc.deliveries) : undefined;
}

/** What the provider that has the job, or will get it, can do to stop it. */
export function stoppingOf(app: App, { call, provider }: Pick<JobDoc, "call" | "provider">): Stopping {
  return app.providers.get(call?.provider ?? provider);
}

const UNSENT = { status: "none" as const, attempts: 0 };

export async function toJob(app: App, doc: JobDoc | ArchivedJob): Promise<JobResource> {
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
  return outputs.map(({ output_id, expires_at, thumbnails = [], deleted_at: deletedAt, ...rest }) => {
    const sign = (outputId: string) =>
      signOutputUrl(app, { accountId, jobId, outputId, expiresAt: expires_at, now });
    return {
      output_id,
      url: sign(output_id),
      ...rest,
      // Clients that do not know deletions see an expired file.
      expires_at: (deletedAt ?? expires_at).toISOString(),
      ...(deletedAt && { deleted_at: deletedAt.toISOString() }),
      thumbnails: (deletedAt ? [] : thumbnails).map(({ file_id, ...thumbnail }) => ({
        url: sign(file_id),
        mime_type: "image/webp",
        ...thumbnail,
      })),
    };
  });
}
