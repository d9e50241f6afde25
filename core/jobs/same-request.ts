// Whether a request repeats the one that made a job, and in which fields it does not. Pure.
import { createHash } from "node:crypto";
import type { Issue } from "../../proto/codes.ts";
import type { JobDoc } from "./store.ts";

/** What a generation request asks for. */
export type Asked = {
  readonly modality: string;
  readonly modelSlug: string;
  readonly prompt: string;
  readonly callbackUrl: string | null;
  readonly params: Record<string, unknown>;
  readonly metadata: Record<string, string>;
};

/** The same for two requests exactly when they ask for the same; the order of names does not matter. */
export function hashRequest({ modality, modelSlug, prompt, callbackUrl, params, metadata }: Asked): string {
  return createHash("sha256")
    .update(canonical([modality, modelSlug, prompt, callbackUrl, params, metadata]))
    .digest("hex");
}

/**
 * The fields in which a request of another digest differs from the one that made the job. A job has its params with defaults filled in,
 * so `filled` are those of the request with the defaults of the job's model, undefined where they do not fit it. Where all else is equal,
 * one request spells out a default that the other leaves out.
 */
export function differences(job: JobDoc, asked: Asked, filled: Record<string, unknown> | undefined): Issue[] {
  const pairs: [string, unknown, unknown][] = [
    ["modality", job.modality, asked.modality],
    ["model_slug", job.model_slug, asked.modelSlug],
    ["prompt", job.prompt, asked.prompt],
    ["params", job.params, filled],
    ["metadata", job.metadata, asked.metadata],
    ["callback_url", job.callback_url, asked.callbackUrl],
  ];
  const differing = pairs.filter(([, before, now]) => canonical(before) !== canonical(now));
  const names = differing.length > 0 ? differing.map(([name]) => name) : ["params"];
  return names.map((path) => ({ path, message: "differs from the first request" }));
}

function canonical(value: unknown): string {
  return JSON.stringify(value, sortNames) ?? "";
}

function sortNames(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
