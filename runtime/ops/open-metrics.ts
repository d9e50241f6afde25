// Writes the metrics of a process as OpenMetrics text, which can carry exemplars. prom-client's own writer of that format renames the
// registry's counters permanently, so a process could not answer in both formats.
import type { Registry } from "prom-client";

export const OPEN_METRICS_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

type Labels = Readonly<Record<string, string | number | undefined>>;
type Sample = {
  labels: Labels;
  value: number;
  metricName?: string;
  exemplar?: { labelSet: Labels; value: number; timestamp?: number } | null;
};

/** Returns whether the client prefers it to the older text format. Prometheus does. */
export function wantsOpenMetrics(accept: string | undefined): boolean {
  return accept?.includes("application/openmetrics-text") ?? false;
}

export async function writeOpenMetrics(registry: Registry): Promise<string> {
  const families = await registry.getMetricsAsJSON();
  const lines = families.flatMap(({ name, help, type, values }) => {
    const kind = String(type);
    // The family of a counter is named without the suffix that its samples have.
    const family = kind === "counter" ? name.replace(/_total$/, "") : name;
    return [
      `# TYPE ${family} ${kind}`,
      `# HELP ${family} ${escaped(help)}`,
      ...(values as readonly Sample[]).map((sample) =>
        write(sample, kind === "counter" ? `${family}_total` : name),
      ),
    ];
  });
  return `${lines.join("\n")}\n# EOF\n`;
}

function write({ metricName, labels, value, exemplar }: Sample, name: string): string {
  const line = `${metricName ?? name}${inBraces(labels)} ${numberOf(value)}`;
  if (!exemplar) return line;
  const at = exemplar.timestamp === undefined ? "" : ` ${exemplar.timestamp}`;
  return `${line} # ${inBraces(exemplar.labelSet) || "{}"} ${numberOf(exemplar.value)}${at}`;
}

function inBraces(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(String(value)).replaceAll('"', '\\"')}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function numberOf(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
