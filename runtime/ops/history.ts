// The data of the operator's page: a few of this process's numbers, read at fixed intervals. The history is bounded, in memory, and ends
// with the process; Prometheus keeps longer ones.
import type { Registry } from "prom-client";
import { type Buckets, readBuckets, since, type Timing, TIMINGS } from "./timings.ts";

export const SAMPLE_EVERY_MS = 10_000;
/** The history covers a quarter of an hour. */
export const KEPT_SAMPLES = 90;
export const KEPT_MINUTES = (KEPT_SAMPLES * SAMPLE_EVERY_MS) / 60_000;

export type Measure = {
  /** The metric's name, without `atelier_`. */
  readonly metric: string;
  readonly title: string;
  /** A level is shown as it is; of a count, the page shows the growth. */
  readonly kind: "level" | "count";
  /** If given, only series with these label values are read. */
  readonly only?: Readonly<Record<string, RegExp>>;
  /** The label that splits the value into its parts. */
  readonly by?: string;
  readonly unit?: "s" | "cents";
  /** Any value but 0 needs attention. */
  readonly isTrouble?: true;
};

/** The numbers by their subjects, in the order in which the page shows them. */
export const MEASURES: Readonly<Record<string, readonly Measure[]>> = {
  Jobs: [
    { metric: "jobs_waiting", title: "Jobs waiting", kind: "level" },
    { metric: "jobs_running", title: "Jobs running", kind: "level" },
    { metric: "jobs_oldest_waiting_seconds", title: "Longest wait in the queue", kind: "level", unit: "s" },
    { metric: "jobs_ended_total", title: "Jobs ended", kind: "count", by: "state" },
    { metric: "jobs_rescued_total", title: "Leases recovered", kind: "count", isTrouble: true },
  ],
  Providers: [
    { metric: "provider_calls_total", title: "Calls of providers", kind: "count", by: "end" },
    { metric: "provider_fallbacks_total", title: "Calls of fallbacks", kind: "count", by: "provider" },
    { metric: "provider_breakers", title: "Models that fail", kind: "level", by: "model", isTrouble: true },
    {
      metric: "provider_jobs_waiting",
      title: "Jobs that wait for a provider",
      kind: "level",
      by: "provider",
    },
  ],
  Sales: [
    { metric: "order_events_total", title: "Orders", kind: "count", by: "event" },
    {
      metric: "order_cents_total",
      title: "Revenue",
      kind: "count",
      unit: "cents",
      only: { what: /^revenue$/ },
    },
    {
      metric: "order_cents_total",
      title: "Refunds",
      kind: "count",
      unit: "cents",
      only: { what: /^refunds$/ },
    },
    { metric: "payments_to_give_back", title: "Refunds pending", kind: "level", isTrouble: true },
    { metric: "payments_unclaimed", title: "Payments of no order", kind: "level", isTrouble: true },
    { metric: "downloads_total", title: "Downloads of products' files", kind: "count" },
  ],
  "Webhooks, mail and support": [
    {
      metric: "callback_attempts_total",
      title: "Attempts to deliver webhooks",
      kind: "count",
      by: "status",
    },
    {
      metric: "callback_attempts_total",
      title: "Failed webhooks",
      kind: "count",
      only: { status: /^failed$/ },
      isTrouble: true,
    },
    { metric: "mails_queued", title: "Mails to send", kind: "level" },
    { metric: "tickets_open", title: "Tickets that wait for support", kind: "level" },
  ],
  Requests: [
    { metric: "rate_refusals_total", title: "Refused by a rate", kind: "count", by: "limit" },
    { metric: "http_requests_total", title: "Answers over HTTP", kind: "count", by: "status" },
    {
      metric: "http_requests_total",
      title: "Answers that say we failed",
      kind: "count",
      only: { status: /^5/ },
      isTrouble: true,
    },
  ],
  Catalog: [
    { metric: "catalog_version", title: "Version of the catalog", kind: "level" },
    { metric: "catalog_products", title: "Public products", kind: "level" },
  ],
};

export type Reading = {
  readonly value: number;
  /** The parts of the value by the label of the measure, largest first. */
  readonly parts: readonly (readonly [label: string, value: number])[];
};

export type OperatorHistory = {
  /** Reads all measures now. Measures that this process does not have are left out. */
  read(): Promise<Map<Measure, Reading>>;
  /** Reads all measures now and keeps the result. */
  sample(): Promise<void>;
  /** Returns the kept values of a measure, oldest first; undefined where it could not be read. */
  series(measure: Measure): readonly (number | undefined)[];
  /** How long things took, over the whole time kept and between samples. Only what this process measures is included. */
  timings(): Promise<Map<Timing, { readonly recent: Buckets; readonly steps: readonly Buckets[] }>>;
};

export function createOperatorHistory(registry: Registry): OperatorHistory {
  const samples: Map<Measure, Reading>[] = [];
  const timed: Map<Timing, Buckets>[] = [];

  async function read(): Promise<Map<Measure, Reading>> {
    const readings = await Promise.all(
      Object.values(MEASURES)
        .flat()
        .map(async (measure) => [measure, await readMeasure(registry, measure)] as const),
    );
    return new Map(readings.filter((entry): entry is readonly [Measure, Reading] => entry[1] !== undefined));
  }

  async function readTimings(): Promise<Map<Timing, Buckets>> {
    const found = new Map<Timing, Buckets>();
    for (const timing of TIMINGS) {
      const buckets = await readBuckets(registry, timing);
      if (buckets) found.set(timing, buckets);
    }
    return found;
  }

  return {
    read,
    sample: async () => {
      samples.push(await read());
      timed.push(await readTimings());
      for (const kept of [samples, timed]) if (kept.length > KEPT_SAMPLES) kept.shift();
    },
    series: (measure) => samples.map((sample) => sample.get(measure)?.value),
    timings: async () => {
      const now = await readTimings();
      return new Map(
        [...now].map(([timing, buckets]) => {
          const kept = [...timed.map((sample) => sample.get(timing) ?? []), buckets];
          // A process that started within that time has counted from nothing.
          if (timed.length < KEPT_SAMPLES) kept.unshift([]);
          const steps = kept.slice(1).map((each, i) => since(each, kept[i]));
          return [timing, { recent: since(buckets, kept[0]), steps }] as const;
        }),
      );
    },
  };
}

async function readMeasure(registry: Registry, measure: Measure): Promise<Reading | undefined> {
  const { metric, kind, only = {}, by } = measure;
  const found = registry.getSingleMetric(`atelier_${metric}`);
  if (!found) return undefined;
  const { values } = await found.get();
  // A gauge that could not be read has no value. A counter without any value has not counted yet.
  if (values.length === 0 && kind === "level") return undefined;
  const wanted = values.filter(({ labels }) =>
    Object.entries(only).every(([label, pattern]) => pattern.test(labelOf(labels, label))),
  );
  const parts = new Map<string, number>();
  let total = 0;
  for (const { labels, value } of wanted) {
    total += value;
    if (by !== undefined) parts.set(labelOf(labels, by), (parts.get(labelOf(labels, by)) ?? 0) + value);
  }
  return { value: total, parts: [...parts].sort(([, a], [, b]) => b - a) };
}

function labelOf(labels: Partial<Record<string, string | number>>, name: string): string {
  return String(labels[name] ?? "");
}
