// Plain POSTs are served before fastify's routes. Every row is sent, byte for byte, to two servers that differ only in that: the responses,
// logs, metrics and spans of both must be the same.
import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createRateLimits } from "../../edge/http/rate-limit.ts";
import { createHttpServer } from "../../edge/http/server.ts";
import { mcpRoutes } from "../../mcp/app.ts";
import { AppError } from "../../proto/codes.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { generateApiKey } from "../../runtime/keys/api-key.ts";
import { createLog } from "../../runtime/log/log.ts";
import type { Span, Tracing } from "../../runtime/log/tracing.ts";
import { createMetrics, observeHttp } from "../../runtime/ops/metrics.ts";
import { untilAborted } from "../support/fake-core.ts";
import { waitFor } from "../support/wait-for.ts";
import { type CoreInMemory, createCoreInMemory } from "./core-in-memory.ts";
import { asCurrent, callTool, INITIALIZE, request } from "./messages.ts";

type Side = {
  app: FastifyInstance;
  core: CoreInMemory;
  port: number;
  /** Requests that fastify's hooks have seen. */
  routed(): number;
  logs: object[];
  spans: object[];
  counted(): Promise<object[]>;
};
type Sides = { past: Side; routed: Side; key: string; badScope: string };

const BASE = { ATELIER_LOG_LEVEL: "info", ATELIER_TRUST_PROXY: "1" };

/** Two servers with the same keys; the second serves no path before its routes. */
async function startSides(env: Record<string, string> = {}): Promise<Sides> {
  const keys = new Map<string, AppError | undefined>();
  const past = await startSide(env, keys);
  const routed = await startSide(env, keys);
  routed.app.plainPosts.clear();
  const key = past.core.addKey();
  const badScope = past.core.addKey(new AppError("insufficient_scope"));
  // A test that holds the key check up, or lets it fail, does so on both sides.
  routed.core.standing["accounts.Authenticate"] = past.core.client.accounts.Authenticate;
  return { past, routed, key, badScope };
}

async function startSide(
  env: Record<string, string>,
  keys: Map<string, AppError | undefined>,
): Promise<Side> {
  const core = createCoreInMemory(keys);
  const config = loadConfig({ ...BASE, ...env });
  const logs: object[] = [];
  const spans: object[] = [];
  const tracing = recordSpans(spans);
  const log = createLog(
    "info",
    "test",
    { write: (line) => void logs.push(JSON.parse(line) as object) },
    tracing,
  );
  const metrics = createMetrics(tracing);
  const app = createHttpServer({ config, log, tracing });
  let routed = 0;
  app.addHook("onRequest", (_request, _reply, done) => {
    routed += 1;
    done();
  });
  observeHttp(app, metrics);
  await app.register(mcpRoutes, {
    core: core.client,
    config,
    limits: createRateLimits(config, metrics),
    baseUrl: "http://atelier.test",
    generationBaseUrl: "http://generate.atelier.test",
    tracing,
  });
  const port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
  // The line with the port.
  logs.length = 0;
  return {
    app,
    core,
    port,
    routed: () => routed,
    logs,
    spans,
    counted: async () => {
      const all = await metrics.registry.getMetricsAsJSON();
      return all.flatMap(({ name, values }) =>
        (values as { value: number; labels: object; metricName?: string }[])
          .filter(({ metricName = name }) => /_total$|_count$/.test(metricName))
          .map(({ value, labels, metricName = name }) => ({ name: metricName, labels, value })),
      );
    },
  };
}

/** Spans as they end, with their parent. */
function recordSpans(ended: object[]): Tracing {
  const under = new AsyncLocalStorage<Span | undefined>();
  let count = 0;
  return {
    start: (name, { parent, ...options } = {}) => {
      const id = String(++count).padStart(16, "0");
      const noted: Record<string, unknown> = { ...options.attributes };
      let isOver = false;
      return {
        traceId: id.repeat(2),
        spanId: id,
        traceparent: `00-${id.repeat(2)}-${id}-01`,
        isSampled: true,
        set: (attributes) => void (isOver || Object.assign(noted, attributes)),
        link: () => {},
        fail: (type) => void (isOver || (noted["failed"] = type)),
        end: () => {
          if (!isOver) ended.push({ name, parent, ...noted });
          isOver = true;
        },
      };
    },
    current: () => under.getStore(),
    within: (span, work) => under.run(span, work),
    close: async () => {},
  };
}

/** The response on a new connection until the server closes it. */
async function exchange(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1"))).on("error", () => {});
  socket.write(bytes);
  await once(socket, "close");
  return text;
}

/** Without the differences between two runs: the date, the server's ids, and the seconds until a window ends. */
function alike<T>(value: T): T {
  const text = JSON.stringify(value)
    .replaceAll(/date: [^\\]*GMT/gi, "date: now")
    .replaceAll(/req_[0-9A-Z]{26}/g, "req_own")
    .replaceAll(/;t=\d+/g, ";t=1")
    .replaceAll(
      /(retry-after: |Retry in |Try again in |Seconds to wait: |"retry_after_seconds":|\\"retry_after_seconds\\":)\d+( seconds?)?/gi,
      "$1 soon",
    )
    .replaceAll(/"time":\d+/g, '"time":0')
    .replaceAll(/"stack":"(?:[^"\\]|\\.)*"/g, '"stack":"own"')
    .replaceAll(/views-[0-9a-f-]{36}/g, "views-own");
  return JSON.parse(text) as T;
}

type Row = {
  name: string;
  /** Whether it is served before the routes. */
  plain: boolean;
  bytes: (sides: Sides) => string | Buffer;
  status: number;
};

/** `headers` replace those of a plain POST; null leaves one out. */
function post(
  { key }: { key: string },
  body: unknown,
  headers: Record<string, string | null> = {},
  line = "POST /api/mcp HTTP/1.1",
): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const all = {
    host: "generate.atelier.test",
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "application/json",
    connection: "close",
    "content-length": String(Buffer.byteLength(text)),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return [line, ...lines, "", text].join("\r\n");
}

const LIST = request("tools/list");
const current = asCurrent(callTool("list_models"));
const chunked = (body: object) =>
  `${JSON.stringify(body).length.toString(16)}\r\n${JSON.stringify(body)}\r\n0\r\n\r\n`;

function plain(name: string, status: number, bytes: Row["bytes"]): Row {
  return { name, plain: true, status, bytes };
}
function routed(name: string, status: number, bytes: Row["bytes"]): Row {
  return { name, plain: false, status, bytes };
}

const ROWS: Row[] = [
  plain("tools/list", 200, (to) => post(to, LIST)),
  plain("tools/list as events", 200, (to) => post(to, LIST, { accept: "text/event-stream" })),
  plain("a current message, which the library checks first", 200, (to) =>
    post(to, current.body, current.headers),
  ),
  plain("a current message that was seen before", 200, (to) => post(to, current.body, current.headers)),
  plain("server/discover", 200, (to) => {
    const { body, headers } = asCurrent(request("server/discover"));
    return post(to, body, headers);
  }),
  plain("ping", 200, (to) => post(to, request("ping"))),
  plain("ping as events", 200, (to) => post(to, request("ping"), { accept: "text/event-stream" })),
  plain("initialize", 200, (to) => post(to, INITIALIZE)),
  plain("a notification", 202, (to) => post(to, { jsonrpc: "2.0", method: "notifications/initialized" })),
  plain("a tool call", 200, (to) => post(to, callTool("list_models"))),
  plain("a tool call as events", 200, (to) =>
    post(to, callTool("list_models"), { accept: "text/event-stream" }),
  ),
  plain("a failed tool call", 200, (to) => post(to, callTool("get_job", { job_id: "job_x" }))),
  plain("an unknown tool", 200, (to) => post(to, callTool("no_such"))),
  plain("an unknown method", 200, (to) => post(to, request("no/such"))),
  plain("an unknown version", 400, (to) => post(to, LIST, { "mcp-protocol-version": "2019-01-01" })),
  plain("the catalog's endpoint", 200, (to) => post(to, LIST, {}, "POST /mcp HTTP/1.1")),
  plain("no key", 401, (to) => post(to, LIST, { authorization: null })),
  plain("a key of the wrong kind", 401, (to) => post(to, LIST, {}, "POST /api/member/mcp HTTP/1.1")),
  plain("an unknown key", 401, ({ key }) => post({ key: `${key.slice(0, -3)}abc` }, LIST)),
  plain("a key without the scope", 403, ({ badScope }) => post({ key: badScope }, LIST)),
  plain("two keys", 400, (to) => post(to, LIST, { "x-api-key": "other" })),
  plain("malformed JSON", 400, (to) => post(to, "{")),
  plain("a body that is not UTF-8", 400, (to) =>
    Buffer.concat([Buffer.from(post(to, "", { "content-length": "2" })), Buffer.from([0xc3, 0x28])]),
  ),
  plain("a batch", 400, (to) => post(to, [LIST, LIST])),
  plain("an allowed origin", 200, (to) => post(to, LIST, { origin: "http://atelier.test" })),
  plain("a foreign origin", 403, (to) => post(to, LIST, { origin: "http://evil.test" })),
  plain("the client's own request id", 200, (to) => post(to, LIST, { "x-request-id": "mine-1" })),
  plain("an id that is not ASCII", 200, (to) => post(to, { ...LIST, id: "ä☃" })),
  plain("TLS at the proxy", 200, (to) => post(to, LIST, { "x-forwarded-proto": "http, https" })),
  // The log has the address of an invalid key.
  ...["203.0.113.9, 203.0.113.7", "203.0.113.9,  203.0.113.7 , ,", " , ", "2001:db8::1"].map((addresses) =>
    plain(`the addresses "${addresses}" of a proxy`, 401, ({ key }) =>
      post({ key: `${key.slice(0, -3)}abd` }, LIST, { "x-forwarded-for": addresses }),
    ),
  ),
  plain("HTTP/1.0", 200, (to) => post(to, LIST, {}, "POST /api/mcp HTTP/1.0")),
  plain("Expect: 100-continue", 100, (to) => post(to, LIST, { expect: "100-continue" })),
  plain("a media type with a charset", 200, (to) =>
    post(to, LIST, { "content-type": "application/json; charset=UTF-8" }),
  ),
  routed("another expectation", 417, (to) => post(to, LIST, { expect: "200-ok" })),
  routed(
    "a chunked body",
    200,
    (to) => post(to, "", { "content-length": null, "transfer-encoding": "chunked" }) + chunked(LIST),
  ),
  routed("a body that is too large", 413, (to) => post(to, "x".repeat(70_000))),
  routed("an empty body", 400, (to) => post(to, "")),
  routed("another media type", 415, (to) => post(to, LIST, { "content-type": "text/plain" })),
  routed("no media type", 415, (to) => post(to, LIST, { "content-type": null })),
  routed("a compressed body", 415, (to) => post(to, LIST, { "content-encoding": "gzip" })),
  routed("a query", 200, (to) => post(to, LIST, {}, "POST /api/mcp?a=b HTTP/1.1")),
  routed("a whole URL", 200, (to) =>
    post(to, LIST, {}, "POST http://generate.atelier.test/api/mcp HTTP/1.1"),
  ),
  routed("no Host", 400, (to) => post(to, LIST, { host: null })),
  routed("a bad Host", 400, (to) => post(to, LIST, { host: "a b" })),
  routed("two Hosts", 400, (to) => post(to, LIST, { host: "a\r\nhost: b" })),
  routed("GET", 405, (to) => post(to, "", {}, "GET /api/mcp HTTP/1.1")),
  routed("HEAD", 405, (to) => post(to, "", {}, "HEAD /api/mcp HTTP/1.1")),
  routed("a preflight", 204, (to) =>
    post(to, "", { origin: "http://atelier.test" }, "OPTIONS /api/mcp HTTP/1.1"),
  ),
  routed("bytes that are not HTTP", 400, () => "POST\r\n\r\n"),
];

/** Sends the same to both. Returns the response of the one that serves plain POSTs before its routes. */
async function compare({ past, routed: through }: Sides, bytes: string | Buffer): Promise<string> {
  const [one, other] = await Promise.all([past, through].map(({ port }) => exchange(port, bytes)));
  expect(alike(one)).toEqual(alike(other));
  return one ?? "";
}

async function compareNotes({ past, routed: through }: Sides): Promise<void> {
  await waitFor("both to have noted the same", async () => {
    expect(alike(past.logs)).toEqual(alike(through.logs));
    expect(alike(past.spans)).toEqual(alike(through.spans));
    expect(await past.counted()).toEqual(await through.counted());
    return true;
  });
}

describe("a plain POST and the same one through the routes have the same response, logs, metrics and spans", () => {
  let sides: Sides;
  beforeAll(async () => {
    sides = await startSides();
  });
  afterAll(() => closeBoth(sides));

  test.each(ROWS)("$name", async ({ plain: isPlain, bytes, status }) => {
    const before = [sides.past.routed(), sides.routed.routed()];
    const response = await compare(sides, bytes(sides));
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    if (isPlain) expect([sides.past.routed(), sides.routed.routed() - 1]).toEqual(before);
    else expect(sides.past.routed() - (before[0] ?? 0)).toBe(sides.routed.routed() - (before[1] ?? 0));
    await compareNotes(sides);
  });

  test("pipelined requests", async () => {
    const open = { connection: "keep-alive" };
    const all = [LIST, callTool("list_models"), "{", request("ping")].map((body) => post(sides, body, open));
    const response = await compare(sides, [...all, post(sides, LIST)].join(""));
    expect(response.match(/HTTP\/1.1 \d+/g)).toEqual(
      [200, 200, 400, 200, 200].map((code) => `HTTP/1.1 ${code}`),
    );
    await compareNotes(sides);
  });

  test.each([
    ["a bug of core", () => new Error("a bug"), 500],
    ["an outage of core", () => new AppError("service_unavailable"), 503],
  ] as const)("%s", async (_name, failure, status) => {
    sides.past.core.fail("accounts.Authenticate", failure);
    onTestFinished(() => sides.past.core.reset());
    expect(await compare(sides, post(sides, LIST))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    await compareNotes(sides);
  });

  test("a body in chunks", async () => {
    const bytes = post(sides, LIST);
    const [one, other] = await Promise.all(
      [sides.past, sides.routed].map(async ({ port }) => {
        const socket = connect(port, "127.0.0.1");
        const closed = once(socket, "close");
        let text = "";
        socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
        for (let i = 0; i < bytes.length; i += 60) {
          socket.write(bytes.slice(i, i + 60));
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
        await closed;
        return text;
      }),
    );
    expect(alike(one)).toEqual(alike(other));
    expect(one).toMatch(/^HTTP\/1.1 200 /);
    await compareNotes(sides);
  });
});

describe("a used-up limit refuses a plain POST like one through the routes", () => {
  async function limited(env: Record<string, string>, bytes: (sides: Sides) => string): Promise<string[]> {
    const sides = await startSides(env);
    onTestFinished(() => closeBoth(sides));
    const statuses: string[] = [];
    for (let i = 0; i < 4; i++) {
      const response = await compare(sides, bytes(sides));
      statuses.push(response.slice(9, 12));
    }
    await compareNotes(sides);
    expect(sides.past.routed()).toBe(0);
    return statuses;
  }

  test("the requests of a key", async () => {
    const statuses = await limited({ ATELIER_RATE_API: "2" }, (to) => post(to, LIST));
    expect(statuses).toEqual(["200", "200", "429", "429"]);
  });

  test("the requests of an address", async () => {
    const from = { authorization: null, "x-forwarded-for": "198.51.100.1, 203.0.113.7" };
    const statuses = await limited({ ATELIER_RATE_CATALOG: "2" }, (to) =>
      post(to, LIST, from, "POST /mcp HTTP/1.1"),
    );
    expect(statuses).toEqual(["200", "200", "429", "429"]);
  });

  test("invalid keys of an address", async () => {
    const statuses = await limited({ ATELIER_RATE_FAILED_KEYS: "2" }, () =>
      post({ key: generateApiKey("gen") }, LIST),
    );
    expect(statuses).toEqual(["401", "401", "429", "429"]);
  });
});

describe("a disconnect is noticed on both paths", () => {
  let sides: Sides;
  beforeEach(async () => {
    sides = await startSides();
  });
  afterEach(() => closeBoth(sides));

  test("while core checks the key", async () => {
    const { core } = sides.past;
    core.answer("accounts.Authenticate", (_request, { signal }) => untilAborted(signal));
    const sockets = sendBoth(sides, post(sides, LIST));
    await waitFor("both to ask core", () => core.calls.length === 2);
    for (const socket of sockets) socket.destroy();
    await waitFor("both calls to be cancelled", () =>
      core.calls.every(({ options }) => options.signal?.aborted),
    );
    await compareNotes(sides);
    expect(sides.past.logs).toEqual([]);
  });

  test("in the middle of the body", async () => {
    const sockets = sendBoth(sides, post(sides, LIST).slice(0, -5));
    const { core } = sides.past;
    await waitFor("both keys to be checked", () => core.calls.length === 2);
    for (const socket of sockets) socket.destroy();
    await waitFor("both to have ended", () => sides.past.spans.length + sides.routed.spans.length === 2);
    await compareNotes(sides);
    expect(sides.past.logs).toEqual([]);
    expect(sides.past.spans).toMatchObject([{ "error.type": "client_gone" }]);
  });
});

test("a draining server finishes a plain POST and closes later connections on both paths", async () => {
  const sides = await startSides();
  const { core } = sides.past;
  const open = { connection: "keep-alive" };
  const late = Promise.withResolvers<object>();
  core.say("accounts.Authenticate", late.promise);
  const texts = ["", ""];
  const sockets = sendBoth(sides, post(sides, LIST, open));
  for (const [i, socket] of sockets.entries())
    socket.on("data", (chunk: Buffer) => (texts[i] += chunk.toString("latin1")));
  await waitFor("both to ask core", () => core.calls.length === 2);
  const closing = closeBoth(sides);
  await waitFor(
    "both to drain",
    () => !sides.past.app.server.listening && !sides.routed.app.server.listening,
  );
  // Sent after the first, while the server drains.
  for (const socket of sockets) socket.write(post(sides, LIST, open));
  late.resolve({});
  await closing;
  await waitFor("both connections to end", () => sockets.every(({ closed }) => closed));
  expect(alike(texts[0])).toEqual(alike(texts[1]));
  expect(texts[0]?.match(/HTTP\/1.1 200/g)?.length).toBeGreaterThan(0);
  expect(texts[0]).toContain("Connection: close");
  await compareNotes(sides);
});

function sendBoth({ past, routed: through }: Sides, bytes: string): Socket[] {
  return [past, through].map(({ port }) => {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    onTestFinished(() => void socket.destroy());
    socket.write(bytes);
    return socket;
  });
}

async function closeBoth({ past, routed: through }: Sides): Promise<void> {
  await Promise.all([past.app.close(), through.app.close()]);
}
