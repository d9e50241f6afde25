// Tracing alone: continued and sampled traces, exported spans, and a collector that never delays requests.
import { expect, test } from "vitest";
import { loadConfig } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
import { tracedBatch, tracedUnder } from "../../runtime/log/tracing.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { wantsOpenMetrics, writeOpenMetrics } from "../../runtime/ops/open-metrics.ts";
import { openTracing } from "../../runtime/ops/open-tracing.ts";
import { startCollector } from "../support/collector.ts";
import { waitFor } from "../support/wait-for.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";
const parent = (flags: string, version = "00") => `${version}-${TRACE}-${SPAN}-${flags}`;

async function open(url: string, env: Record<string, string> = {}) {
  const opened = await openTracing(loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...env }), "test");
  if (!opened) throw new Error("traces are off");
  return opened;
}

test("tracing is off without a collector URL, or when disabled", async () => {
  expect(await openTracing(loadConfig({}), "test")).toBeUndefined();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_SDK_DISABLED: "true" };
  expect(await openTracing(loadConfig(env), "test")).toBeUndefined();
});

test("invalid tracing settings are refused without quoting a header", () => {
  for (const [name, value] of Object.entries({
    OTEL_EXPORTER_OTLP_HEADERS: "api-key",
    OTEL_RESOURCE_ATTRIBUTES: "=no name",
    OTEL_TRACES_SAMPLER: "jaeger_remote",
    OTEL_TRACES_SAMPLER_ARG: "2",
    OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317",
  }))
    expect(() => loadConfig({ [name]: value }), name).toThrow(new RegExp(`${name}: (?!.*api-key)`));
});

test("a span reaches the collector with its process name, the configured headers and its attributes", async () => {
  const { url, spans, headers } = await startCollector();
  const { tracing } = await open(`${url}/`, {
    OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%20secret,x-team=one",
    OTEL_RESOURCE_ATTRIBUTES: "service.namespace=shop",
  });
  const span = tracing.start("work", {
    kind: "client",
    parent: parent("01"),
    attributes: { "atelier.batch.size": 2 },
  });
  span.set({ "error.type": "x" });
  span.fail("LostLease");
  span.end();
  await tracing.close();
  expect(headers()).toMatchObject({ "api-key": "a secret", "x-team": "one" });
  expect(spans).toMatchObject([
    {
      service: "atelier-test",
      name: "work",
      kind: "client",
      traceId: TRACE,
      parentId: SPAN,
      attributes: { "atelier.batch.size": 2, "error.type": "LostLease" },
      hasFailed: true,
    },
  ]);
});

test("a client's trace is continued, or a new one started", async () => {
  const { tracing } = await open("http://127.0.0.1:1");
  const traceOf = (sent: string | undefined) => tracing.start("work", { parent: sent }).traceId;
  for (const good of [
    parent("01"),
    parent("03"),
    parent("01", "01"),
    `${parent("01", "cc")}-what comes later`,
  ])
    expect(traceOf(good), good).toBe(TRACE);
  for (const bad of [
    undefined,
    "",
    "none",
    parent("01", "ff"),
    `${parent("01")}-more`,
    parent("01").toUpperCase(),
    parent("1"),
    parent("01").replace(TRACE, "0".repeat(32)),
    parent("01").replace(SPAN, "0".repeat(16)),
    `${parent("01")}, ${parent("01")}`,
  ])
    expect(traceOf(bad), bad).not.toBe(TRACE);
  await tracing.close();
});

test.each([
  ["parentbased_always_on", "01", true],
  ["parentbased_always_on", "00", false],
  ["parentbased_always_on", undefined, true],
  ["parentbased_always_off", "01", true],
  ["parentbased_always_off", undefined, false],
  ["parentbased_traceidratio", undefined, false],
  ["always_off", "01", false],
  ["always_on", "00", true],
  ["traceidratio", "01", false],
])("the sampler %s decides flags %s as: %s", async (sampler, flags, isKept) => {
  const { url, spans } = await startCollector();
  const env = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: "0" };
  const { tracing } = await open(url, env);
  const span = tracing.start("work", { parent: flags && parent(flags) });
  await tracing.within(span, async () => tracing.start("step").end());
  span.end();
  await tracing.close();
  expect(span.isSampled).toBe(isKept);
  expect(span.traceparent.endsWith(isKept ? "-01" : "-00")).toBe(true);
  expect(spans.map(({ name }) => name)).toEqual(isKept ? ["step", "work"] : []);
});

test("a batch has its own trace, linked both ways with its members' sampled ones", async () => {
  const { url, spans } = await startCollector();
  const { tracing } = await open(url, { OTEL_TRACES_SAMPLER: "parentbased_always_off" });
  const members = [tracing.start("one", { parent: parent("01") }), tracing.start("two"), undefined];
  await tracedBatch(tracing, "commit", members, async () => {});
  for (const member of members) member?.end();
  await tracedBatch(tracing, "commit nothing kept", [members[1]], async () => {});
  await tracing.close();
  const [batch, one] = spans.toSorted((a, b) => a.name.localeCompare(b.name));
  expect(spans.map(({ name }) => name).toSorted()).toEqual(["commit", "one"]);
  expect(batch?.traceId).not.toBe(TRACE);
  expect([batch?.links, one?.links]).toEqual([[one?.spanId], [batch?.spanId]]);
});

test("log lines and exemplars carry their own trace id only", async () => {
  const { tracing, observe } = await open("http://127.0.0.1:1");
  const lines: Record<string, unknown>[] = [];
  const log = createLog("info", "test", { write: (line) => void lines.push(JSON.parse(line)) }, tracing);
  const metrics = createMetrics(tracing);
  observe({ log, metrics });
  const took = metrics.duration("job_accept", 'How "long".', ["route"]);
  took.observe({ route: "/quick" }, 0.002);
  await tracedUnder(tracing, parent("01"), ["work", {}], async (span) => {
    log.child({ request_id: "r" }).info("inside");
    took.observe({ route: '/a"b' }, 0.3);
    expect(lines).toMatchObject([{ trace_id: TRACE, span_id: span?.spanId, msg: "inside" }]);
  });
  // Work of no trace runs outside the trace that started it.
  await tracedUnder(tracing, parent("01"), ["outer", {}], () =>
    tracedUnder(tracing, undefined, ["inner", {}], async () => log.info("outside")),
  );
  expect(lines.at(-1)).not.toHaveProperty("trace_id");

  expect(wantsOpenMetrics("application/openmetrics-text;version=1.0.0;q=0.5,text/plain")).toBe(true);
  expect(wantsOpenMetrics("text/plain")).toBe(false);
  const text = await writeOpenMetrics(metrics.registry);
  expect(text).toMatch(
    new RegExp(
      String.raw`^atelier_job_accept_seconds_bucket\{le="0.5",route="/a\\"b"\} 1 # \{trace_id="${TRACE}",span_id="[0-9a-f]{16}"\} 0\.3 \d+(\.\d+)?$`,
      "m",
    ),
  );
  expect(text.match(/ # \{/g)).toHaveLength(1);
  expect(text).toContain("# TYPE atelier_trace_spans counter\n");
  expect(text).toMatch(/^atelier_trace_spans_total\{outcome="made"\} 2$/m);
  expect(text.endsWith("\n# EOF\n")).toBe(true);
  // The older format, as before.
  expect(await metrics.registry.metrics()).toContain("# TYPE atelier_trace_spans_total counter\n");
  await tracing.close();
});

test("a hanging or missing collector loses only spans, and is logged once", async () => {
  const collector = await startCollector();
  collector.freeze();
  const { tracing, observe } = await open(collector.url, { OTEL_EXPORTER_OTLP_TIMEOUT: "300" });
  const lines: string[] = [];
  const log = createLog("info", "test", {
    write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg),
  });
  const metrics = createMetrics(tracing);
  observe({ log, metrics });
  for (let i = 0; i < 10_000; i++) tracing.start("work").end();
  await waitFor("that to be told", () => lines.length > 0);
  // While one batch was in flight 2,048 spans waited, and the rest was dropped.
  collector.thaw();
  await waitFor("what waited to arrive", () => collector.spans.length > 0);
  await tracing.close();
  expect(collector.spans.length).toBeLessThanOrEqual(2_048);
  expect(lines).toEqual([
    "could not send traces; spans made until this ends are lost",
    "can send traces again",
  ]);

  const away = await open("http://127.0.0.1:1");
  away.tracing.start("work").end();
  await away.tracing.close();
});
