// Whether a request repeats the one that made a job, and if not, which fields differ. This file is pure.
import { hash } from "node:crypto";
import type { Issue } from "../../../proto/codes.ts";
import { generateRequestSchema, type JobRequest } from "../../../proto/resources/job.ts";
import { sorted } from "../../../proto/resources/ledger-chain.js";
import type { Asked, JobDoc } from "./store.ts";

/** The request with a value for every field that all jobs have. */
export function fillRequest({ callback_url, params, metadata, ...request }: JobRequest): Asked {
  return { ...request, callback_url: callback_url ?? null, params: params ?? {}, metadata: metadata ?? {} };
}

/**
 * Two requests have the same digest exactly if they are equal up to the order of names. Digests are stored for as long as their account
 * exists, so the first six fields keep their order permanently, and later fields follow only if they are set.
 */
export function hashRequest(request: JobRequest): string {
  const { modality, model_slug, prompt, callback_url, params, metadata, ...later } = fillRequest(request);
  const said = Object.entries(later).filter(([, value]) => !isNothing(value));
  return digestOf([modality, model_slug, prompt, callback_url, params, metadata, ...said.sort(byName)]);
}

/** The same for values that differ only in the order of names. */
export function digestOf(value: unknown): string {
  return hash("sha256", canonical(value), "hex");
}

/**
 * The fields in which a request with another digest differs from the one that made the job. A job's params include defaults, so `filled`
 * are the request's params with the defaults of the job's model, or undefined if they do not fit it. A drawn seed was not requested. If
 * everything else is equal, one request spells out a default that the other leaves out.
 */
export function differences(
  job: JobDoc,
  request: JobRequest,
  filled: Record<string, unknown> | undefined,
): Issue[] {
  const before: Record<string, unknown> = job.seed_drawn ? { ...job, params: withoutSeed(job.params) } : job;
  const now: Record<string, unknown> = { ...fillRequest(request), params: filled };
  const differing = Object.keys(generateRequestSchema.shape).filter(
    (name) => canonical(before[name]) !== canonical(now[name]),
  );
  const names = differing.length > 0 ? differing : ["params"];
  return names.map((path) => ({ path, message: "differs from the first request" }));
}

function withoutSeed({ seed: _drawn, ...asked }: Record<string, unknown>): Record<string, unknown> {
  return asked;
}

/** An empty list or record counts as left out. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function canonical(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "";
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
