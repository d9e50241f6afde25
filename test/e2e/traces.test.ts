// The trace of a job on the whole service, from the request through core and worker to the webhook, without private data.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Claim } from "../../core/studio/jobs/local-dispatch.ts";
import { jobs } from "../../core/studio/jobs/store.ts";
import type { Limiters } from "../../core/studio/limits/limiters.ts";
import { createRuns } from "../../core/studio/runs/runs.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { openTracing } from "../../runtime/ops/open-tracing.ts";
import { receiver } from "../core/studio/webhooks/receiver.ts";
import { createCustomer } from "../support/app.ts";
import { type CollectedSpan, openCollector, treeOf } from "../support/collector.ts";
import { createScriptedProvider, SMALL_OUTPUT } from "../support/providers.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

const CLIENT_SPAN = "b7ad6b7169203331";
let service: WholeService;
let flush: () => Promise<void>;
let names = 0;

/** A client's span, in its own trace. */
const newTrace = (flags = "01") => {
  const traceId = (++names).toString(16).padStart(32, "0");
  return { traceId, traceparent: `00-${traceId}-${CLIENT_SPAN}-${flags}` };
};

const collector = sharedByTests(() => openCollector());
beforeAll(async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "50" };
  const opened = await openTracing(loadConfig(env), "test");
  if (!opened) throw new Error("traces are off");
  const { tracing } = opened;
  flush = tracing.close;
  const provider = createScriptedProvider({
    answer: ({ prompt }) => {
      if (prompt === "fails") throw new Error("broken");
      return [SMALL_OUTPUT];
    },
  });
  service = await startWholeService({ tracing, provider });
});
afterAll(async () => {
  await service.close();
  await flush();
});

/** Waits for this many spans, including the child of the client's. */
const spansOf = (traceId: string, count: number): Promise<CollectedSpan[]> =>
  waitFor(`the ${count} spans of a trace`, () => {
    const spans = collector.spans.filter((span) => span.traceId === traceId);
    return spans.length >= count && spans.some(isFirst) && spans;
  });
const isFirst = ({ parentId }: CollectedSpan) => parentId === CLIENT_SPAN;

test("one job is one trace, from its request to its webhook, and the endpoint gets its traceparent", async () => {
  const { key } = await createCustomer(service.app);
  const { traceId, traceparent } = newTrace();
  const { url, received } = await receiver();
  const { body } = await service.generate(key, { callback_url: `${url}?token=hush` }, { traceparent });
  const jobId = body.result.job_id;
  await waitFor("the callback", () => received.length > 0);
  const spans = await spansOf(traceId, 12);
  expect(treeOf(spans, CLIENT_SPAN)).toEqual([
    "atelier-test: POST /api/v1/connect/generate (server)",
    "  atelier-test: atelier.v1.Jobs/Generate (client)",
    "    atelier-test: atelier.v1.Jobs/Generate (server)",
    "      atelier-test: accept job (internal)",
    "        atelier-test: deliver webhook (consumer)",
    "          atelier-test: POST (client)",
    "        atelier-test: run job (consumer)",
    "          atelier-test: finalize job (internal)",
    "          atelier-test: generate_content test (client)",
    "          atelier-test: sign outputs (internal)",
    "          atelier-test: store outputs (internal)",
    "        atelier-test: wait in queue (internal)",
  ]);
  const named = (name: string) => spans.find((span) => span.name === name);
  expect(named("generate_content test")?.attributes).toEqual({
    "gen_ai.operation.name": "generate_content",
    "gen_ai.provider.name": "test",
    "gen_ai.request.model": "test",
    "gen_ai.output.type": "image",
  });
  expect(named("run job")?.attributes).toMatchObject({
    "atelier.job.id": jobId,
    "atelier.run.outcome": "completed",
  });
  expect(received[0]?.headers["traceparent"]).toBe(`00-${traceId}-${named("POST")?.spanId}-01`);
  // Accepted and finalized with others, in transactions with their own traces.
  for (const [name, batch] of [
    ["accept job", "commit accepted jobs"],
    ["finalize job", "commit finalized jobs"],
  ]) {
    const member = spans.find((span) => span.name === name);
    const commit = collector.spans.find((span) => member?.links.includes(span.spanId));
    expect(commit?.name).toBe(batch);
    expect(commit?.links).toContain(member?.spanId);
    expect(commit?.traceId).not.toBe(traceId);
  }
  // The worker's log lines name it too.
  expect(service.lines.map((line) => JSON.parse(line) as Record<string, unknown>)).toContainEqual(
    expect.objectContaining({ msg: "webhook attempt", job_id: jobId, trace_id: traceId }),
  );
});

test("a tool call is a child of the span in its message", async () => {
  const { key } = await createCustomer(service.app);
  const [http, message] = [newTrace(), newTrace()];
  const params = {
    name: "connect_generate",
    arguments: { modality: "image", model_slug: "picture", prompt: "a secret garden" },
    _meta: { traceparent: message.traceparent },
  };
  const answer = await service.call<{ result: unknown }>("/api/mcp", {
    key,
    method: "POST",
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    headers: { traceparent: http.traceparent },
  });
  expect(answer.body.result).toBeDefined();
  const request = (await spansOf(http.traceId, 1)).find(isFirst);
  expect(request).toMatchObject({ name: "POST /api/mcp", kind: "server" });
  const tool = (await spansOf(message.traceId, 1)).find(isFirst);
  expect(tool).toMatchObject({ kind: "server", links: [request?.spanId] });
  expect(tool?.attributes).toMatchObject({ "mcp.method.name": "tools/call" });
});

test("an unsampled client trace is not recorded, nor passed to the endpoint or stored in the job", async () => {
  const { key } = await createCustomer(service.app);
  const { traceId, traceparent } = newTrace("00");
  const { url, received } = await receiver();
  const { body } = await service.generate(key, { callback_url: url }, { traceparent });
  await waitFor("the callback", () => received.length > 0);
  expect(received[0]?.headers).not.toHaveProperty("traceparent");
  expect(await jobs(service.app.mongo.db).findOne({ _id: body.result.job_id })).not.toHaveProperty("trace");
  // A later trace has arrived.
  const later = newTrace();
  await service.call("/api/health", { headers: { traceparent: later.traceparent } });
  await spansOf(later.traceId, 1);
  expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
});

test("no span contains a prompt, an account or a key", async () => {
  const { key } = await createCustomer(service.app);
  const { traceId, traceparent } = newTrace();
  const prompt = "a very private wish of person@example.com";
  const { url, received } = await receiver();
  await service.generate(key, { prompt, callback_url: `${url}/hook/hush?token=hush` }, { traceparent });
  await waitFor("the callback", () => received.length > 0);
  const bad = newTrace();
  await service.generate(`${key}x`, { prompt, params: { count: 99 } }, { traceparent: bad.traceparent });
  await service.call(`/sign-in/confirm?token=hush&key=${key}`, { headers: { traceparent: bad.traceparent } });
  await spansOf(traceId, 11);
  await spansOf(bad.traceId, 2);
  const told = JSON.stringify(collector.spans);
  for (const secret of [prompt, "private", "person@", key, key.slice(4, 20), "hush"])
    expect(told).not.toContain(secret);
});

/** The value of a series, 0 without a sample. */
async function valueOf(series: string): Promise<number> {
  const line = (await service.app.metrics.registry.metrics())
    .split("\n")
    .find((one) => one.startsWith(`${series} `));
  return Number(line?.split(" ")[1] ?? 0);
}

test("SLO metrics count failures by reason, credits by outcome, and the wait of webhooks", async () => {
  const { key } = await createCustomer(service.app);
  const { url } = await receiver();
  const series = [
    'atelier_jobs_ended_total{state="completed"}',
    'atelier_jobs_ended_total{state="failed",code="provider_failed"}',
    'atelier_job_credits_total{what="spent"}',
    'atelier_job_credits_total{what="refunded"}',
    "atelier_callback_wait_seconds_count",
    "atelier_job_queue_seconds_count",
  ];
  const before = await Promise.all(series.map(valueOf));
  for (const body of [{ callback_url: url }, { prompt: "fails" }]) {
    await service.make(key, body);
  }
  const grown = async () =>
    (await Promise.all(series.map(valueOf))).map((value, i) => value - (before[i] ?? 0));
  await waitFor("both to be counted", async () => (await grown()).every((by) => by > 0));
  expect(await grown()).toEqual([1, 1, 10, 10, 1, 2]);
});

test("a resumed job is counted in the queue once", async () => {
  const { key } = await createCustomer(service.app);
  const { job_id } = await service.make(key);
  const job = await jobs(service.app.mongo.db).findOne({ _id: job_id });
  if (!job) throw new Error("the job is not there");
  const settle = Object.assign(async () => {}, { oldestWaitingMs: () => 0 });
  const gates = { leave: async () => {} } as unknown as Limiters;
  const runs = createRuns(service.app, {
    limiters: gates,
    settle,
    isFull: () => false,
    onFreeSlot: () => {},
  });
  const started = "atelier_job_queue_seconds_count";
  const before = await valueOf(started);
  const claim: Claim = {
    job,
    worker: "w",
    epoch: 1,
    version: 1,
    startedAt: job.created_at,
    lastEventAt: job.created_at,
  };
  await runs.start({ ...claim, job: { ...job, started_at: null } }, { kind: "cancel" });
  expect(await valueOf(started)).toBe(before + 1);
  await runs.start(claim, { kind: "cancel" });
  expect(await valueOf(started)).toBe(before + 1);
});
