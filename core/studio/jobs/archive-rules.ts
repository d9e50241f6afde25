// Jobs in the form of a segment: counted facts, and separately the texts of and for their owners. This file is pure.
import { joinFields, splitFields } from "../../base/documents/fields.ts";
import type { SegmentRow } from "../../kernel/archive/segment-file.ts";
import type { DeliveryDoc } from "../webhooks/store.ts";
import { JOB_FIELDS } from "./fields.ts";
import type { JobFilter } from "./store-list.ts";
import type { EventDoc, JobDoc } from "./store.ts";

/** A job with what was archived along with it. */
export type ArchivedJob = JobDoc & { readonly deliveries: readonly DeliveryDoc[] };

type JobWords = {
  /** What the job's classes do not count. */
  readonly job: Partial<JobDoc>;
  /** Details of its events, in order. Segments from before release 1.0.0 have them here alone, and later ones with the job. */
  readonly details?: readonly (EventDoc["detail"] | null)[];
  readonly deliveries: readonly DeliveryDoc[];
};

export function splitJob(job: JobDoc, deliveries: readonly DeliveryDoc[]): SegmentRow {
  const { counted, rest } = splitFields(job, JOB_FIELDS);
  const words: JobWords = { job: rest, deliveries };
  return { facts: counted, words };
}

export function joinJob({ facts, words }: SegmentRow): ArchivedJob {
  const { job = {}, details = [], deliveries = [] } = (words ?? {}) as Partial<JobWords>;
  const events = details.map((detail) => detail && { detail });
  return { ...(joinFields(facts, { events, ...job }, JOB_FIELDS) as JobDoc), deliveries };
}

/** Whether a job matches, as the query of the live jobs decides it. */
export function fitsJobFilter(job: JobDoc, filter: JobFilter): boolean {
  const { beforeId, states, modality, model, since, until, metadata = {}, words = [] } = filter;
  const prompt = job.prompt.toLowerCase();
  return (
    (beforeId === undefined || job._id < beforeId) &&
    (states === undefined || states.includes(job.state)) &&
    (modality === undefined || job.modality === modality) &&
    (model === undefined || job.model_slug === model) &&
    (since === undefined || job.created_at >= since) &&
    (until === undefined || job.created_at < until) &&
    Object.entries(metadata).every(([name, value]) => job.metadata[name] === value) &&
    words.every((word) => prompt.includes(word.toLowerCase()))
  );
}
