// Every role as a separate process with traces: one job is one trace, a frozen collector changes nothing for clients, and a real Prometheus
// loads the rules, finds the series and keeps exemplars. Runs with npm test -- test/e2e/traces-apart.test.ts --mode thorough, which also
// draws artifacts/trace.svg. With OpenTelemetry's collector (otelcol) on the PATH, the trace goes through it.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { parse } from "yaml";
import { migrate } from "../../core/entry/migrate.ts";
import { openApp, type OpenedApp } from "../../core/entry/start.ts";
import { seedModels } from "../../core/studio/models/seed.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { startReceiver, type Receiver } from "../core/studio/webhooks/receiver.ts";
import { createCustomer } from "../support/app.ts";
import { type CollectedSpan, type Collector, openCollector, treeOf } from "../support/collector.ts";
import { createHttpCalls, type HttpCalls } from "../support/http-calls.ts";
import { type ServiceProcess, spawnEntry } from "../support/service.ts";
import { useFolder } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";

const ROW = 22;
const LEFT = 360;
const WIDTH = 1_000;
const TOP = 56;
const COLOURS: Readonly<Record<string, string>> = {
  "atelier-gateway": "#a83f1b",
  "atelier-mcp": "#8a6d1f",
  "atelier-core": "#1f6b45",
  "atelier-worker": "#2b5c9e",
};

/** SVG of the spans below `parentId`, by start time. */
function drawTrace(spans: readonly CollectedSpan[], parentId: string): string {
  const rows = rowsUnder(spans, parentId, 0);
  const from = Math.min(...rows.map(({ span }) => span.start));
  const total = Math.max(...rows.map(({ span }) => span.end)) - from;
  const x = (at: number) => LEFT + ((at - from) / total) * (WIDTH - LEFT - 90);
  const height = TOP + rows.length * ROW + 16;
  const services = [...new Set(rows.map(({ span }) => span.service))];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="${rows.length} spans of one job in ${services.length} processes, ${written(total)} in all">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${services.map((service, i) => `<rect x="${16 + i * 150}" y="16" width="12" height="12" rx="2" fill="${COLOURS[service]}"/><text x="${34 + i * 150}" y="27" fill="#1f1c18">${service}</text>`).join("\n")}
${[0, 0.25, 0.5, 0.75, 1].map((part) => `<path d="M${x(from + part * total).toFixed(1)} ${TOP - 8}V${height - 12}" stroke="#ddd6ca"/><text x="${x(from + part * total).toFixed(1)}" y="${TOP - 12}" text-anchor="middle" fill="#5c554b" font-size="11">${written(part * total)}</text>`).join("\n")}
${rows
  .map(({ span, depth }, i) => {
    const y = TOP + i * ROW;
    const end = Math.max(x(span.end), x(span.start) + 2);
    return `<text x="${16 + depth * 14}" y="${y + 14}" fill="#1f1c18">${escaped(span.name)}</text><rect x="${x(span.start).toFixed(1)}" y="${y + 4}" width="${(end - x(span.start)).toFixed(1)}" height="12" rx="2" fill="${COLOURS[span.service]}"/><text x="${(end + 6).toFixed(1)}" y="${y + 14}" fill="#5c554b" font-size="11">${written(span.end - span.start)}</text>`;
  })
  .join("\n")}
</svg>
`;
}

function rowsUnder(
  spans: readonly CollectedSpan[],
  parentId: string,
  depth: number,
): { span: CollectedSpan; depth: number }[] {
  return spans
    .filter((span) => span.parentId === parentId)
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .flatMap((span) => [{ span, depth }, ...rowsUnder(spans, span.spanId, depth + 1)]);
}

function written(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

const RULES = fileURLToPath(new URL("../../deploy/prometheus/rules.yaml", import.meta.url));
const PICTURE = fileURLToPath(new URL("../../artifacts/trace.svg", import.meta.url));
const CLIENT_SPAN = "b7ad6b7169203331";
const ROLES = {
  core: "core/entry/main.ts",
  worker: "core/entry/worker.ts",
  gateway: "gateway/main.ts",
  mcp: "mcp/main.ts",
};
const VECTOR = { modality: "image", model_slug: "atelier-vector", prompt: "a lighthouse at dawn" };
/** Others may run on this machine. */
const LONG_MS = 120_000;

type Role = keyof typeof ROLES;
const folder = useFolder();
let opened: OpenedApp;
let collector: Collector & { close(): Promise<void> };
let receiver: Receiver;
let rest: HttpCalls;
let tools: HttpCalls;
let key: string;
const processes = new Map<Role, ServiceProcess>();
const opsPorts = new Map<Role, number>();
const others: ChildProcess[] = [];

const hasCollector = spawnSync("otelcol", ["--help"]).status === 0;
const hasPrometheus = spawnSync("prometheus", ["--version"]).status === 0;

/** A real collector that forwards to the test's. */
async function startRealCollector(to: string): Promise<string> {
  const port = await freePort();
  const file = folder("otelcol.yaml");
  writeFileSync(
    file,
    `receivers: { otlp: { protocols: { http: { endpoint: "127.0.0.1:${port}" } } } }
exporters: { otlp_http: { endpoint: "${to}" } }
service:
  telemetry: { metrics: { level: none } }
  pipelines: { traces: { receivers: [otlp], exporters: [otlp_http] } }
`,
  );
  others.push(spawn("otelcol", ["--config", `file:${file}`], { stdio: "ignore" }));
  const url = `http://127.0.0.1:${port}`;
  await waitFor("the collector to listen", () => fetch(url).then(() => true), LONG_MS);
  return url;
}

beforeAll(async () => {
  if (!inject("isThorough")) return;
  collector = await openCollector();
  receiver = await startReceiver();
  const [grpc, restPort, toolsPort] = [await freePort(), await freePort(), await freePort()];
  const env = {
    MONGODB_URI: inject("mongodUri"),
    ATELIER_MONGO_DATABASE: `test_${randomBytes(6).toString("hex")}`,
    ATELIER_DATA_DIR: folder(),
    ATELIER_GRPC_PORT: String(grpc),
    ATELIER_CORE_ADDRESS: `127.0.0.1:${grpc}`,
    ATELIER_RATE_LIMITS: "off",
    ATELIER_DEMO_PRODUCTS: "0",
    OTEL_EXPORTER_OTLP_ENDPOINT: hasCollector ? await startRealCollector(collector.url) : collector.url,
    OTEL_BSP_SCHEDULE_DELAY: "200",
    OTEL_EXPORTER_OTLP_TIMEOUT: "2000",
  };
  const log = createLog("error", "test");
  opened = await openApp({
    config: loadConfig(env),
    log,
    metrics: createMetrics(),
    mongodbUri: env.MONGODB_URI,
  });
  await migrate(opened.app);
  await seedModels(opened.app);
  ({ key } = await createCustomer(opened.app));
  const ports = { core: "0", worker: "0", gateway: String(restPort), mcp: String(toolsPort) };
  for (const role of ["core", "worker", "gateway", "mcp"] as const) {
    const opsPort = await freePort();
    opsPorts.set(role, opsPort);
    const own = { ...env, ATELIER_HTTP_PORT: ports[role], ATELIER_OPS_PORT: String(opsPort) };
    processes.set(role, spawnEntry(ROLES[role], own));
  }
  for (const [role, port] of opsPorts)
    await waitFor(
      `${role} to be ready: ${processes.get(role)?.stderr()}`,
      async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok,
      LONG_MS,
    );
  rest = createHttpCalls(`http://127.0.0.1:${restPort}`);
  tools = createHttpCalls(`http://127.0.0.1:${toolsPort}`);
}, 2 * LONG_MS);

afterAll(async () => {
  if (!inject("isThorough")) return;
  for (const { child } of processes.values()) child.kill("SIGKILL");
  for (const child of others) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  await opened.app.mongo.db.dropDatabase();
  await opened.close();
  await receiver.close();
  await collector.close();
});

const newTrace = () => {
  const traceId = randomBytes(16).toString("hex");
  return { traceId, traceparent: `00-${traceId}-${CLIENT_SPAN}-01` };
};
const spansOf = (traceId: string, names: readonly string[]): Promise<CollectedSpan[]> =>
  waitFor(
    `spans: ${names.join(", ")}`,
    () => {
      const spans = collector.spans.filter((span) => span.traceId === traceId);
      return names.every((name) => spans.some((span) => span.name === name)) && spans;
    },
    LONG_MS,
  );

const OF_JOB = [
  "        atelier-worker: claim job (internal)",
  "        atelier-worker: deliver callback (consumer)",
  "          atelier-worker: POST (client)",
  "        atelier-worker: run job (consumer)",
  "          atelier-worker: generate_content vector (client)",
  "          atelier-worker: finalize job (internal)",
  "          atelier-worker: store outputs (internal)",
  "        atelier-worker: wait in queue (internal)",
];

test.runIf(inject("isThorough"))(
  "one job is one trace over gateway, core and worker, up to its webhook",
  async () => {
    const { traceId, traceparent } = newTrace();
    const { status } = await rest.generate(key, { ...VECTOR, callback_url: receiver.url }, { traceparent });
    expect(status).toBe(202);
    const spans = await spansOf(traceId, [
      "POST",
      "finalize job",
      "deliver webhook",
      "POST /api/v1/connect/generate",
    ]);
    expect(treeOf(spans, CLIENT_SPAN)).toEqual([
      "atelier-gateway: POST /api/v1/connect/generate (server)",
      "  atelier-gateway: atelier.v1.Jobs/Generate (client)",
      "    atelier-core: atelier.v1.Jobs/Generate (server)",
      "      atelier-core: accept job (internal)",
      ...OF_JOB,
    ]);
    expect(receiver.received.at(-1)?.headers["traceparent"]).toContain(traceId);
    mkdirSync(join(PICTURE, ".."), { recursive: true });
    writeFileSync(PICTURE, drawTrace(spans, CLIENT_SPAN));
  },
  2 * LONG_MS,
);

test.runIf(inject("isThorough"))(
  "one job of an assistant is one trace too",
  async () => {
    const { traceId, traceparent } = newTrace();
    const params = { name: "connect_generate", arguments: VECTOR, _meta: { traceparent } };
    await tools.rpc(key, { jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const spans = await spansOf(traceId, ["finalize job", "tools/call connect_generate"]);
    expect(treeOf(spans, CLIENT_SPAN)).toEqual(
      expect.arrayContaining([
        "atelier-mcp: tools/call connect_generate (server)",
        "  atelier-mcp: atelier.v1.Jobs/Generate (client)",
        "    atelier-core: atelier.v1.Jobs/Generate (server)",
        "      atelier-core: accept job (internal)",
        "        atelier-worker: run job (consumer)",
      ]),
    );
  },
  2 * LONG_MS,
);

/** Series that need what this installation lacks: payments, fallbacks, failures. */
const NEEDS_MORE =
  /fallback|breaker|under_way|jobs_waiting|polls|webhook|order_|payment_(events|provider)|subscriptions|downloads|mail_attempts|rate_refusals|open_refusals|rescued|leases_lost|status=~"5|status="failed"|state="failed"|outcome="failed"|ALERTS|clock_skew|member/;

test.runIf(inject("isThorough") && hasPrometheus)(
  "Prometheus loads the rules, finds all queried metrics, and keeps exemplars",
  async () => {
    const port = await freePort();
    const targets = [...opsPorts].map(
      ([role, ops]) => `{ targets: ["127.0.0.1:${ops}"], labels: { role: ${role} } }`,
    );
    writeFileSync(
      folder("prometheus.yaml"),
      `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: ["${RULES}"]
scrape_configs: [{ job_name: atelier, static_configs: [${targets.join(", ")}] }]
`,
    );
    others.push(
      spawn(
        "prometheus",
        [
          `--config.file=${folder("prometheus.yaml")}`,
          `--storage.tsdb.path=${folder("prometheus")}`,
          `--web.listen-address=127.0.0.1:${port}`,
          "--enable-feature=exemplar-storage",
        ],
        { stdio: "ignore" },
      ),
    );
    const ask = async <T>(path: string, query = ""): Promise<T> => {
      const url = `http://127.0.0.1:${port}/api/v1/${path}${query && `?${query}`}`;
      return ((await (await fetch(url)).json()) as { data: T }).data;
    };
    type Series = { result: unknown[] };
    const count = async (query: string) =>
      (await ask<Series>("query", new URLSearchParams({ query }).toString())).result.length;
    await waitFor(
      "all four to be scraped",
      async () => (await count('up{job="atelier"} == 1')) === 4,
      LONG_MS,
    );
    await rest.generate(key, { ...VECTOR, callback_url: receiver.url });
    type Groups = { groups: { rules: { name: string; health: string; lastError?: string }[] }[] };
    await waitFor(
      "every rule to be well",
      async () =>
        (await ask<Groups>("rules")).groups
          .flatMap(({ rules }) => rules)
          .every(({ health }) => health === "ok"),
      LONG_MS,
    );

    const selectors = asked().filter((selector) => !NEEDS_MORE.test(selector));
    expect(selectors.length).toBeGreaterThan(30);
    await waitFor(
      "a scrape after the job",
      async () =>
        (await count("atelier_jobs_ended_total")) > 0 && (await count("atelier:promise_allowed")) === 5,
      LONG_MS,
    );
    // Rates need two scrapes, and rules an evaluation afterwards.
    let missing = selectors;
    await waitFor(
      "every series",
      async () => {
        const counts = await Promise.all(missing.map(count));
        missing = missing.filter((_, i) => counts[i] === 0);
        return missing.length === 0;
      },
      LONG_MS / 4,
    ).catch(() => {});
    expect(missing).toEqual([]);

    const since = `start=${Date.now() / 1000 - 3600}&end=${Date.now() / 1000 + 60}`;
    for (const metric of [
      "atelier_job_accept_seconds_bucket",
      "atelier_http_request_duration_seconds_bucket",
    ]) {
      const found = await ask<{ exemplars: { labels: { trace_id: string } }[] }[]>(
        "query_exemplars",
        `query=${metric}&${since}`,
      );
      const ids = found.flatMap(({ exemplars }) => exemplars.map(({ labels }) => labels.trace_id));
      expect(ids.length, metric).toBeGreaterThan(0);
      expect(
        collector.spans.some(({ traceId }) => ids.includes(traceId)),
        metric,
      ).toBe(true);
    }
  },
  3 * LONG_MS,
);

/** The series selectors of all rules and dashboards. */
function asked(): string[] {
  const { groups } = parse(readFileSync(RULES, "utf8")) as { groups: { rules: { expr: string }[] }[] };
  const boards = ["overview", "jobs", "money", "http"].flatMap((name) => {
    const url = new URL(`../../deploy/grafana/dashboards/${name}.json`, import.meta.url);
    const { panels } = JSON.parse(readFileSync(url, "utf8")) as { panels: { targets: { expr: string }[] }[] };
    return panels.flatMap(({ targets }) => targets);
  });
  const queries = [...groups.flatMap(({ rules }) => rules), ...boards].map(({ expr }) => expr);
  const found = queries.flatMap((expr) =>
    [...expr.matchAll(/\b(?:atelier_|atelier:|process_|nodejs_)[a-z0-9_:]+(?:\{[^}]*\})?/g)].map(
      ([selector]) => selector,
    ),
  );
  return [...new Set(found)].filter((selector) => !/promise_(broken|counted)/.test(selector));
}

test.runIf(inject("isThorough"))(
  "a frozen collector fails no request, and every process still stops cleanly",
  async () => {
    collector.freeze();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => rest.generate(key, VECTOR, { traceparent: newTrace().traceparent })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const [last] = answers;
    await waitFor(
      "its jobs to end",
      async () =>
        (await rest.call<{ result: { state: string } }>(`/api/jobs/${last?.body.result.job_id}`, { key }))
          .body.result.state === "completed",
      LONG_MS,
    );
    const ends = [...processes.values()].map((process) => process.stop());
    expect(await Promise.all(ends)).toEqual([0, 0, 0, 0]);
  },
  2 * LONG_MS,
);
