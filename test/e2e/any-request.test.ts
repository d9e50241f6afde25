// Thousands of random requests over all routes and methods: no 5xx, and a clear refusal for each.
import { Agent, type IncomingHttpHeaders } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ERROR_TABLE, isErrorCode } from "../../proto/codes.ts";
import { generateApiKey } from "../../runtime/keys/api-key.ts";
import { sendRaw } from "../gateway/send-raw.ts";
import { createCustomer, makeKey } from "../support/app.ts";
import { type Contract, createContract, type OpenApiDocument } from "../support/contract.ts";
import { GENERATE, PICTURE } from "../support/http-calls.ts";
import { sharedByTests } from "../support/shared.ts";
import { drawn } from "../support/thorough.ts";
import { startWholeService } from "../support/whole-service.ts";

const AT_ONCE = 40;
const ROUNDS = drawn(400);
const SEED = 3;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND"];

type Sent = { method: string; path: string; headers: Record<string, string>; body: Buffer | undefined };
type Got = { status: number; headers: IncomingHttpHeaders; text: string };

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
let routes: { method: string; path: string }[];
let authorizations: string[];
let ids: { job: string; output: string };
let contract: Contract;

const service = sharedByTests(() => startWholeService());
beforeAll(async () => {
  const customer = await createCustomer(service.app, { plan: "studio", credits: 100_000_000 });
  const { secret: readKey } = await makeKey(service.app, customer.accountId, {
    name: "reader",
    scope: "read",
  });
  authorizations = [
    ...Array<string>(6).fill(`Bearer ${customer.key}`),
    `Bearer ${readKey}`,
    `Bearer ${generateApiKey("gen")}`,
    `Bearer ${generateApiKey("mem")}`,
    `bearer   ${customer.key}  `,
    `Bearer ${customer.key},Bearer ${readKey}`,
    "Bearer",
    "Basic dXNlcjpwYXNz",
    "",
  ];
  const job = await service.make(customer.key);
  ids = { job: job.job_id, output: job.outputs[0]?.output_id ?? "" };
  const { body } = await service.call<OpenApiDocument>("/openapi.json");
  contract = createContract(body);
  const listed = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
  const unlisted = ["/openapi.json", "/docs", "/.well-known/oauth-protected-resource"].map((path) => ({
    method: "GET",
    path,
  }));
  // The richest routes get more requests.
  const deep = [GENERATE, "/api/mcp", GENERATE, "/api/mcp", "/api/mcp"].map((path) => ({
    method: "POST",
    path,
  }));
  routes = [...listed, ...unlisted, ...deep];
});
afterAll(async () => {
  agent.destroy();
});

const junk = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: "binary", maxLength: 10 }),
  fc.constantFrom(
    "",
    " ",
    "0",
    "-1",
    "1e9",
    "NaN",
    "null",
    "undefined",
    "true",
    "[]",
    "{}",
    "__proto__",
    "constructor",
    "..",
    "%",
    "\u0000",
  ),
  fc.constantFrom(
    "9".repeat(400),
    "a".repeat(1000),
    "é",
    "🎨",
    "\ud83c",
    "' OR 1=1 --",
    "$where",
    '{"$gt":""}',
    "../../etc/passwd",
  ),
);

const segment = junk.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 600));

/** Method and path, which mostly match. */
function targetOf(): fc.Arbitrary<{ method: string; path: string }> {
  const anyMethod = fc.constantFrom(...METHODS);
  const known = fc
    .record({
      route: fc.constantFrom(...routes),
      other: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: anyMethod }),
      job: fc.oneof(fc.constant(ids.job), segment),
      output: fc.oneof(fc.constant(ids.output), segment),
    })
    .map(({ route: { method, path }, other, job, output }) => ({
      method: other ?? method,
      path: path.replace("{id}", job).replace(/\{[a-z_]+\}/g, output),
    }));
  const part = fc.oneof(segment, fc.constantFrom("api", "jobs", "v1", "%ff", "%", ";", "//"));
  const unknown = fc.record({
    method: anyMethod,
    path: fc.array(part, { maxLength: 5 }).map((parts) => `/${parts.join("/")}`),
  });
  return fc.oneof({ weight: 10, arbitrary: known }, { weight: 1, arbitrary: unknown });
}

const CATALOG_NAMES = [
  "search",
  "category",
  "subcategory",
  "pricing_tier",
  "page",
  "pageSize",
  "sort",
  "tag",
  "tags",
  "tag[]",
  "status",
  "facets",
  "__proto__",
  "x",
];
const QUERY_NAMES = [
  ...CATALOG_NAMES,
  "limit",
  "cursor",
  "wait",
  "state",
  "modality",
  "kind",
  "job_id",
  "since",
  "until",
  "account",
  "expires",
  "signature",
  "download",
];
const goodQueries = fc.constantFrom(
  "limit=1",
  "wait=1",
  "state=completed",
  "search=icons",
  "category=icons",
  "tag=svg,line",
  "sort=newest",
  "page=900000",
  "pageSize=50",
  "status=beta,draft",
  "facets=tag,status",
  "kind=reserve",
  "modality=image",
  "since=2026-01-01T00:00:00Z",
  "until=2026-01-01T00:00:00+02:00",
);
function queryOf(names: readonly string[]): fc.Arbitrary<string> {
  const badQueries = fc.tuple(fc.constantFrom(...names), segment).map(([name, value]) => `${name}=${value}`);
  const odd = fc.constantFrom("%", "&&", "=", "limit", "limit=1&limit=2", "page=1&page=2", "wait[]=1");
  return fc
    .array(fc.oneof(goodQueries, badQueries, odd), { maxLength: 3 })
    .map((parts) => (parts.length > 0 ? `?${parts.join("&")}` : ""));
}

// The values that a header may have; node refuses to send others.
const headerValue = junk.map((text) => text.replace(/[^\x20-\x7e\xa0-\xff]/g, "").trim());
const oneOf = (...values: string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: headerValue });

const authorization = () =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...authorizations) },
    { weight: 1, arbitrary: headerValue },
  );
const contentType = fc.oneof(
  { weight: 12, arbitrary: fc.constant("application/json") },
  { weight: 1, arbitrary: oneOf("text/plain", "application/json; charset=utf-16", "multipart/form-data") },
);
const RARE: [string, fc.Arbitrary<string>][] = [
  [
    "accept",
    oneOf("text/event-stream", "application/problem+json", "*/*;q=0", "application/json, text/event-stream"),
  ],
  ["idempotency-key", oneOf("k1", "k2")],
  ["last-event-id", oneOf("1", "99")],
  ["range", oneOf("bytes=0-1", "bytes=5-1", "bytes=-1", "bytes=99999999999-", "bytes=0-0,2-3")],
  ["if-none-match", oneOf("*", '"x"', 'W/"x"')],
  ["if-range", headerValue],
  ["x-request-id", headerValue],
  ["origin", oneOf("https://evil.example", "null")],
  ["mcp-protocol-version", oneOf("2025-06-18", "2026-07-28", "1999-01-01")],
  ["mcp-session-id", headerValue],
  ["content-encoding", oneOf("gzip", "identity")],
  ["x-forwarded-for", headerValue],
  ["cookie", headerValue],
];
// A few at a time, so that many requests reach core.
const rareHeaders = fc.array(fc.oneof(...RARE.map(([name, value]) => fc.tuple(fc.constant(name), value))), {
  maxLength: 2,
});

function headersOf(): fc.Arbitrary<Record<string, string>> {
  return fc.tuple(authorization(), contentType, rareHeaders).map(([auth, type, rare]) => ({
    authorization: auth,
    "content-type": type,
    ...Object.fromEntries(rare),
  }));
}

const anything = fc.jsonValue({ maxDepth: 3 });
const generateBody = fc
  .tuple(
    fc.constantFrom<Record<string, unknown>>(
      PICTURE,
      { modality: "video", model_slug: "clip", prompt: "waves" },
      { modality: "audio", model_slug: "tune", prompt: "rain" },
    ),
    fc.dictionary(
      fc.constantFrom("modality", "model_slug", "prompt", "callback_url", "params", "metadata", "x"),
      fc.oneof(anything, junk),
      { maxKeys: 2, noNullPrototype: true },
    ),
  )
  .map(([base, changes]) => ({ ...base, ...changes }));
const rpcBody = fc.record(
  {
    jsonrpc: fc.constantFrom("2.0", "1.0"),
    id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
    method: fc.constantFrom(
      "tools/list",
      "tools/call",
      "initialize",
      "ping",
      "server/discover",
      "notifications/initialized",
      "x",
    ),
    params: fc.oneof(
      anything,
      fc.record({
        name: fc.constantFrom("connect_generate", "get_job", "list_models", "x"),
        arguments: fc.oneof(generateBody, anything),
      }),
    ),
  },
  { requiredKeys: ["jsonrpc", "method"], noNullPrototype: true },
);
const body = fc
  .oneof(
    fc.constant(undefined),
    generateBody.map((value) => JSON.stringify(value)),
    rpcBody.map((value) => JSON.stringify(value)),
    anything.map((value) => JSON.stringify(value)),
    fc.constantFrom(
      "{",
      "[",
      '{"a":1',
      "\ufeff{}",
      '{"__proto__":1}',
      '{"prompt":"\\ud83c"}',
      '{"prompt":"\\u0000"}',
      "[".repeat(5000),
    ),
    fc.string({ maxLength: 50 }),
    fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
  )
  .map((value) => (value === undefined ? undefined : Buffer.from(value)));

function sentOf(): fc.Arbitrary<Sent> {
  return fc
    .record({
      target: targetOf(),
      query: queryOf(QUERY_NAMES),
      headers: headersOf(),
      body,
    })
    .map(({ query: search, target: { method, path }, ...rest }) => ({
      ...rest,
      method,
      path: path + search,
    }));
}

/** The catalog's list has the most query parameters, each with a form of its own. */
const catalogRequest = queryOf(CATALOG_NAMES).map((search): Sent => ({
  method: "GET",
  path: `/api/catalog${search}`,
  headers: {},
  body: undefined,
}));

/** Every refusal is a whole ApiError, alone or inside a JSON-RPC error, whose code has this status. */
function checkAnswer({ method, path }: Sent, { status, headers, text }: Got): void {
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  if (status < 400 || method === "HEAD") return;
  expect(headers["content-type"]).toMatch(/^application\/(problem\+)?json/);
  const parsed = JSON.parse(text) as Record<string, unknown> & {
    error?: { code: number; message: string; data?: Record<string, unknown> };
  };
  const isRpc = parsed["jsonrpc"] === "2.0";
  if (isRpc) expect(path).toMatch(/^\/api\/mcp/);
  // The protocol defines the error's data when headers and body disagree on the era.
  const disagree = /"(envelope|mismatch)"/.exec(JSON.stringify(parsed.error?.data ?? {}));
  if (isRpc && disagree) {
    expect(parsed.error?.message).toMatch(/^(Invalid params|Bad Request): /);
    return;
  }
  if (/^\/v1(?:\/|\?|$)/.test(path)) {
    const code: unknown = expect.toSatisfy(isErrorCode);
    expect(parsed.error).toMatchObject({ code, message: expect.any(String), type: expect.any(String) });
    return;
  }
  const error = isRpc ? parsed.error?.data : parsed;
  expect(error).toMatchObject({
    error: expect.any(String),
    code: expect.toSatisfy(isErrorCode),
    message: expect.any(String),
    hint: expect.any(String),
    docs: expect.stringMatching(/^\/docs\/errors#[a-z_]+$/),
    request_id: headers["x-request-id"],
  });
  const code = String(error?.["code"]);
  if (isErrorCode(code) && !isRpc) expect(status).toBe(ERROR_TABLE[code].http);
  expect(error?.["error"]).toBe(error?.["message"]);
}

test("[ERR-07] no random request causes a 5xx, and each refusal describes the error", async () => {
  const seen = new Map<string, number>();
  let described = 0;
  const anyRequests = fc.array(fc.oneof(sentOf(), catalogRequest), {
    minLength: AT_ONCE,
    maxLength: AT_ONCE,
  });
  await fc.assert(
    fc.asyncProperty(anyRequests, async (requests) => {
      service.errors.length = 0;
      await Promise.all(
        requests.map(async (sent) => {
          const { status, headers, body: bytes } = await sendRaw(service.url, sent.path, { ...sent, agent });
          const text = bytes.toString();
          const got = { status, headers, text };
          try {
            checkAnswer(sent, got);
            const contentType = headers["content-type"];
            if (contract.check(sent.method, sent.path, { status, contentType, text })) described++;
          } catch (error) {
            const { body: payload, ...head } = sent;
            throw new Error(
              `${JSON.stringify({ ...head, body: payload?.toString() })}\nwas answered ${JSON.stringify(got)}`,
              { cause: error },
            );
          }
          const kind = got.status < 400 ? "success" : (/"code":"(\w+)"/.exec(got.text)?.[1] ?? "no body");
          seen.set(kind, (seen.get(kind) ?? 0) + 1);
        }),
      );
      // An internal error that looked different from outside.
      expect(service.errors).toEqual([]);
    }),
    { numRuns: ROUNDS, seed: SEED, endOnFailure: true },
  );
  const counts = [...seen].toSorted(([, a], [, b]) => b - a).map(([kind, count]) => `${count} ${kind}`);
  console.log(`${ROUNDS * AT_ONCE} requests: ${counts.join(", ")}`);
  expect(described).toBeGreaterThan((ROUNDS * AT_ONCE) / 3);
  // Requests reached core, not only the edge.
  for (const kind of [
    "success",
    "invalid_request",
    "invalid_json",
    "invalid_key",
    "job_not_found",
    "method_not_allowed",
    "insufficient_scope",
  ])
    expect(seen.get(kind), kind).toBeGreaterThan(5);
  expect(await service.audit()).toEqual([]);
});
