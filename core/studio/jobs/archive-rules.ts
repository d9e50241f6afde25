// Jobs as a segment keeps them: what is counted, and what their owners wrote, were given and were told apart from it. Pure.
import { generateRequestSchema } from "../../../proto/resources/job.ts";
import type { SegmentRow } from "../../kernel/archive/segment-file.ts";
import type { DeliveryDoc } from "../webhooks/store.ts";
import type { Stored } from "../../base/mongo/bson.ts";
import type { JobFilter } from "./store-list.ts";
import type { EventDoc, JobDoc } from "./store.ts";

/** A job with what was archived along with it. */
export type ArchivedJob = JobDoc & { readonly deliveries: readonly DeliveryDoc[] };

/** Of what was asked for, only which model it was stays when an account is deleted. */
export const ASKED_WORDS: readonly string[] = Object.keys(
  generateRequestSchema.omit({ modality: true, model_slug: true }).shape,
);

const WORDS: ReadonlySet<string> = new Set([
  ...ASKED_WORDS,
  "counted_on",
  "call",
  "inputs",
  "outputs",
  "error",
]);

/** As a job has them whose account was deleted. */
const WITHOUT_WORDS = {
  prompt: "",
  params: {},
  metadata: {},
  callback_url: null,
  outputs: [],
  error: null,
};

type JobWords = {
  readonly job: Partial<JobDoc>;
  /** Of its events, in order. */
  readonly details: readonly (EventDoc["detail"] | null)[];
  readonly deliveries: readonly DeliveryDoc[];
};

export function splitJob(job: JobDoc, deliveries: readonly DeliveryDoc[]): SegmentRow {
  const fields = Object.entries(job);
  const words: JobWords = {
    job: Object.fromEntries(fields.filter(([name]) => WORDS.has(name))),
    details: job.events.map(({ detail }) => detail ?? null),
    deliveries,
  };
  const facts: Stored = {
    ...Object.fromEntries(fields.filter(([name]) => !WORDS.has(name))),
    events: job.events.map(({ type, state, at }) => ({ type, state, at })),
  };
  return { facts, words };
}

export function joinJob({ facts, words }: SegmentRow): ArchivedJob {
  const { job = {}, details = [], deliveries = [] } = (words ?? {}) as Partial<JobWords>;
  const counted = facts as unknown as JobDoc;
  return {
    ...WITHOUT_WORDS,
    ...counted,
    ...job,
    events: counted.events.map((event, i) => ({ ...event, ...(details[i] && { detail: details[i] }) })),
    deliveries,
  };
}

/** Whether a job is one of those asked for, as the query of the live jobs decides it. */
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
