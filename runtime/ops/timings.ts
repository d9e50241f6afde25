// Percentiles of durations for the operator's page, read from the buckets of Prometheus histograms. Everything but the reading is pure.
import type { Registry } from "prom-client";

export type Timing = {
  /** The metric's name, without `atelier_` and `_seconds`. */
  readonly metric: string;
  readonly title: string;
};

export const TIMINGS: readonly Timing[] = [
  { metric: "job_accept", title: "Accepting a job" },
  { metric: "job_queue", title: "Waiting in the queue" },
  { metric: "job_claim", title: "Claiming jobs" },
  { metric: "provider_call", title: "Calling a provider" },
  { metric: "http_request_duration", title: "Answering over HTTP" },
];

export const PERCENTILES = [50, 95, 99] as const;

/** How many took at most so long, shortest bound first. The last bound is infinite, so its count is the total. */
export type Buckets = readonly (readonly [boundSeconds: number, count: number])[];

/** Returns the buckets of all labels together, or undefined if this process does not measure it. */
export async function readBuckets(registry: Registry, { metric }: Timing): Promise<Buckets | undefined> {
  const name = `atelier_${metric}_seconds`;
  const found = registry.getSingleMetric(name);
  if (!found) return undefined;
  const counts = new Map<number, number>();
  const { values } = (await found.get()) as { values: readonly BucketValue[] };
  for (const { labels, value, metricName } of values) {
    if (metricName !== `${name}_bucket` || labels.le === undefined) continue;
    const bound = Number(String(labels.le).replace("+Inf", "Infinity"));
    counts.set(bound, (counts.get(bound) ?? 0) + value);
  }
  return [...counts].sort(([a], [b]) => a - b);
}

type BucketValue = { labels: { le?: string | number }; value: number; metricName?: string };

/** Returns what was counted since an earlier reading. */
export function since(now: Buckets, earlier: Buckets | undefined): Buckets {
  const before = new Map(earlier ?? []);
  return now.map(([bound, count]) => [bound, count - (before.get(bound) ?? 0)] as const);
}

export function countOf(buckets: Buckets): number {
  return buckets.at(-1)?.[1] ?? 0;
}

/**
 * Returns the time in seconds within which this percentage was done, assuming that each bucket is filled evenly. Returns undefined if
 * nothing was measured, and Infinity above the last finite bound.
 */
export function percentile(buckets: Buckets, percent: number): number | undefined {
  const total = countOf(buckets);
  if (total === 0) return undefined;
  const rank = (percent / 100) * total;
  let [below, countBelow] = [0, 0];
  for (const [bound, count] of buckets) {
    if (count >= rank) {
      if (bound === Infinity) return Infinity;
      return below + (bound - below) * ((rank - countBelow) / (count - countBelow));
    }
    [below, countBelow] = [bound, count];
  }
  return undefined;
}
