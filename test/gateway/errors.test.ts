import { beforeEach, describe, expect, test } from "vitest";
import { AppError, ERROR_TABLE, type ErrorCode } from "../../proto/codes.ts";
import { generateApiKey, hashApiKey } from "../../runtime/keys/api-key.ts";
import { expectRefusal } from "../support/http-calls.ts";
import { sharedByTests } from "../support/shared.ts";
import { exchange } from "./send-raw.ts";
import { serveGateway } from "./serve-gateway.ts";

const gateway = sharedByTests(() => serveGateway());
beforeEach(() => {
  gateway.reset();
  gateway.errors.splice(0);
  gateway.admit();
});

const GENERATE = "/api/v1/connect/generate";
const BODY = { modality: "image", model_slug: "draft", prompt: "a lighthouse" };

const post = (body: string | Buffer | undefined, headers: Record<string, string> = {}, path = GENERATE) =>
  gateway.post(path, body, headers);

/** Checks the whole error, and returns its body. */
async function expectError(
  response: Response,
  code: ErrorCode,
  more: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const { status, headers } = response;
  const text = await response.text();
  const body = JSON.parse(text) as Record<string, unknown>;
  expectRefusal({ status, headers, text, body }, code, more);
  expect(headers.get("x-request-id")).toMatch(/^req_/);
  return body;
}

test("every operation declares whether its errors use the envelope, and unknown paths below it answer alike", async () => {
  type Paths = { paths: Record<string, Record<string, unknown>> };
  const { paths } = (await (await gateway.call("/openapi.json")).json()) as Paths;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() })),
  );
  expect(operations.length).toBeGreaterThan(12);
  for (const { path, method } of operations) {
    const here = path.replaceAll(/\{\w+\}/g, "some-thing");
    const tried: [string, string, number[]][] = [
      [method, here, [400, 500, 503]],
      // An id that none of them knows.
      ["PATCH", here, [405]],
      ["GET", `${here}/nowhere/at/all`, [404]],
      ["GET", `${here}/%ZZ`, [400]],
    ];
    for (const [verb, address, statuses] of tried) {
      // This core has no configured results.
      const { statusCode, body } = await gateway.server.inject({
        method: verb as "GET",
        url: address,
        headers: { authorization: `Bearer ${gateway.key}` },
      });
      expect(statuses, `${verb} ${address}`).toContain(statusCode);
      const hasNone = /^\/(api\/catalog|feeds\/|v1\/)/.test(path);
      const { ok, error } = JSON.parse(body) as { ok?: false; error: unknown };
      expect([verb, address, ok]).toEqual([verb, address, hasNone ? undefined : false]);
      // OpenAI's error is an object where ApiError has a text.
      expect(typeof error, address).toBe(path.startsWith("/v1/") ? "object" : "string");
    }
  }
});

describe("the gateway's check of a key", () => {
  test("requires one", async () => {
    const response = await fetch(`${gateway.url}/api/jobs`);
    await expectError(response, "missing_key");
  });

  test.each(["Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "", "bearer\t"])(
    "reports a missing one for the header %j",
    async (authorization) => {
      await expectError(await gateway.call("/api/jobs", { headers: { authorization } }), "missing_key");
    },
  );

  test.each([
    ["with a wrong format", "Bearer abc"],
    ["with a typo", `Bearer ${generateApiKey("gen").replace(/.$/, (last) => (last === "0" ? "1" : "0"))}`],
    ["for members", `Bearer ${generateApiKey("mem")}`],
    ["for organizations", `Bearer ${generateApiKey("org")}`],
    ["for administrators", `Bearer ${generateApiKey("adm")}`],
  ])("refuses one %s without calling core", async (_name, authorization) => {
    const response = await gateway.call("/api/jobs", { headers: { authorization } });
    await expectError(response, "invalid_key");
    expect(gateway.calls).toEqual([]);
  });

  test.each([
    ["Authorization: Token", (key: string) => ({ authorization: `Token ${key}` })],
    ["Authorization: token", (key: string) => ({ authorization: `token  ${key} ` })],
    ["x-api-key", (key: string) => ({ "x-api-key": key })],
    [
      "x-api-key next to a proxy's credentials",
      (key: string) => ({ "x-api-key": key, authorization: "Basic YTpi" }),
    ],
    ["two equal headers", (key: string) => ({ "x-api-key": key, authorization: `Bearer ${key}` })],
  ])("[KEY-40] reads it from %s", async (_name, headersWith) => {
    gateway.answer("jobs.ListJobs", () => ({ jobs: [], next_cursor: "" }));
    const response = await fetch(`${gateway.url}/api/jobs`, { headers: headersWith(gateway.key) });
    expect(response.status).toBe(200);
    expect(gateway.calls).toMatchObject([{ options: { caller: { keySha256: hashApiKey(gateway.key) } } }]);
  });

  test("[KEY-40] refuses two headers with different keys", async () => {
    const response = await gateway.call("/api/jobs", { headers: { "x-api-key": generateApiKey("gen") } });
    const message = "The header x-api-key carries another key than Authorization.";
    await expectError(response, "invalid_request", {
      message,
      hint: "Send one key, in one of the two headers.",
      issues: [{ path: "x-api-key", message: "carries another key than Authorization" }],
    });
    expect(gateway.calls).toEqual([]);
  });

  test.each([
    ["malformed", "abc", "invalid_key"],
    ["empty", "", "missing_key"],
    ["of another kind", generateApiKey("mem"), "invalid_key"],
  ] as const)("[KEY-40] refuses an x-api-key that is %s", async (_name, key, code) => {
    await expectError(await fetch(`${gateway.url}/api/jobs`, { headers: { "x-api-key": key } }), code);
  });

  test("[AUTH-11] does not read it from the URL", async () => {
    for (const name of ["key", "api_key", "access_token", "authorization"]) {
      await expectError(await fetch(`${gateway.url}/api/jobs?${name}=${gateway.key}`), "missing_key");
    }
  });

  test.each([
    ["a truncated body", GENERATE, '{"a":'],
    ["a wrong body", GENERATE, "{}"],
    ["a body that is too large", GENERATE, "x".repeat(70_000)],
    ["a malformed job id", "/api/jobs/%00/cancel", "{}"],
  ])("comes before the check of %s", async (_name, path, body) => {
    gateway.fail("accounts.Authenticate", () => new AppError("invalid_key"));
    await expectError(await post(body, {}, path), "invalid_key");
    expect(gateway.calls).toMatchObject([
      { method: "accounts.Authenticate", request: { required_scope: "write" } },
    ]);
  });

  test("comes before the check of the query, with read scope", async () => {
    gateway.fail("accounts.Authenticate", () => new AppError("account_suspended"));
    await expectError(await gateway.call("/api/jobs?limit=0"), "account_suspended");
    expect(gateway.calls).toMatchObject([{ request: { required_scope: "read" } }]);
  });
});

describe("an unreadable body", () => {
  test.each([
    ["truncated", '{"modality":', "The request body is not valid JSON."],
    ["two documents", "{}{}", "The request body is not valid JSON."],
    ["empty", "", "The request body is empty."],
    ["absent", undefined, "The request body is empty."],
    ["a bare NUL", "\u0000", "The request body is not valid JSON."],
    ["Latin-1", Buffer.from('{"prompt":"caf\u00e9"}', "latin1"), "The request body is not valid UTF-8."],
    ["UTF-16", Buffer.from("{}", "utf16le"), "The request body is not valid JSON."],
  ])("is invalid_json when it is %s", async (_name, body, message) => {
    await expectError(await post(body), "invalid_json", { message });
  });

  test("is refused when its media type is not JSON", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "garbage;;;",
      "application/jsonp",
    ]) {
      await expectError(await post(JSON.stringify(BODY), { "content-type": type }), "unsupported_media_type");
    }
    await expectError(
      await post(JSON.stringify(BODY), { "content-encoding": "gzip" }),
      "unsupported_media_type",
      {
        message: "The request body must not be compressed.",
        hint: "Send the JSON itself, without the header content-encoding.",
      },
    );
  });

  test("is refused above 10 MB, every time, before it has been sent", async () => {
    for (let i = 0; i < 3; i++) await expectError(await post("x".repeat(10_000_000)), "body_too_large");
    expect(
      await askRaw(
        `POST ${GENERATE} HTTP/1.1`,
        `authorization: Bearer ${gateway.key}`,
        "content-type: application/json",
        "content-length: 10000000",
      ),
    ).toContain('"code":"body_too_large"');
    const waits = await askRaw(
      `POST ${GENERATE} HTTP/1.1`,
      `authorization: Bearer ${gateway.key}`,
      "content-type: application/json",
      "content-length: 10000000",
      "expect: 100-continue",
    );
    expect(waits).toMatch(/^HTTP\/1.1 413 /);
  });

  test("is refused when it is chunked and exceeds the limit", async () => {
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(10_000).fill(32)),
    });
    await expectError(
      await gateway.call(GENERATE, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: endless,
        duplex: "half",
      } as RequestInit),
      "body_too_large",
    );
  });
});

describe("[ERR-02] a body with wrong fields", () => {
  test.each([
    ['{"__proto__":{"admin":true}}', "__proto__", "is a name that is not allowed"],
    ['{"\\u005f_proto__":{}}', "__proto__", "is a name that is not allowed"],
    ['{"params":{"a":[{"__proto__":1}]}}', "params.a.0.__proto__", "is a name that is not allowed"],
    [
      '{"metadata":{"constructor":{"prototype":{}}}}',
      "metadata.constructor.prototype",
      "is a name that is not allowed",
    ],
    ['{"prompt":"a\\u0000b"}', "prompt", "contains a NUL character"],
    ['{"prompt":"\\ud83c"}', "prompt", "contains half of a surrogate pair; send well-formed Unicode"],
    ['{"params":{"count":1e999}}', "params.count", "is too large a number"],
    ['{"params":{"a":[-1e999]}}', "params.a.0", "is too large a number"],
    ['{"params":{"a\\u0000":1}}', "params", "has a field whose name contains a NUL character"],
    [
      '{"metadata":{"\\udfa8":"x"}}',
      "metadata",
      "has a field whose name contains half of a surrogate pair; send well-formed Unicode",
    ],
  ])("is refused with %s", async (body, path, message) => {
    await expectError(await post(body), "invalid_request", issue(path, message));
    expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
  });

  test("is refused with nesting that would exhaust a stack", async () => {
    for (const deep of [
      "[".repeat(30_000) + "]".repeat(30_000),
      `${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`,
    ]) {
      const response = await post(deep);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: "invalid_request",
        issues: [{ message: "is nested more than 64 levels deep" }],
      });
    }
  });
});

test("by a bug is internal, and logged once with its stack and the request id", async () => {
  gateway.fail("jobs.ListJobs", () => new TypeError("connect ECONNREFUSED 10.0.0.7:27017"));
  const response = await gateway.call("/api/jobs");
  const body = await expectError(response, "internal");
  expect(JSON.stringify(body)).not.toContain("10.0.0.7");
  expect(gateway.errors).toHaveLength(1);
  expect(gateway.errors[0]).toMatchObject({
    msg: "internal error",
    request_id: body["request_id"],
    err: { message: "connect ECONNREFUSED 10.0.0.7:27017" },
  });
  expect(gateway.errors[0]?.err?.stack).toContain("errors.test.ts");
  expect(JSON.stringify(gateway.errors)).not.toContain(gateway.key);
});

describe("a URL", () => {
  test("[ERR-10] a URL that is unknown is not_found, before anything else is checked", async () => {
    const response = await fetch(`${gateway.url}/nothing/here`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{",
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: ERROR_TABLE.not_found.message,
      code: "not_found",
      message: ERROR_TABLE.not_found.message,
      hint: ERROR_TABLE.not_found.hint,
      docs: "/docs/errors#not_found",
      request_id: response.headers.get("x-request-id"),
    });
    await expectError(await fetch(`${gateway.url}/api/jobs/job_1/nothing`), "not_found");
  });

  test.each([
    ["PUT", "/api/jobs/job_1", "GET, HEAD, OPTIONS"],
    ["DELETE", "/api/jobs", "GET, HEAD, OPTIONS"],
    ["GET", GENERATE, "OPTIONS, POST"],
    ["POST", "/api/credits/balance", "GET, HEAD, OPTIONS"],
    ["PROPFIND", "/api/jobs/job_1/cancel", "OPTIONS, POST"],
  ])("[ERR-12] %s %s is method_not_allowed with the allowed methods", async (method, path, allow) => {
    const response = await gateway.call(path, { method });
    expect(response.headers.get("allow")).toBe(allow);
    await expectError(response, "method_not_allowed");
  });

  test.each(["/api/jobs/%ZZ", "/api/jobs/%", "/api/jobs/%c3%28", "/api/jobs/%ff/events"])(
    "%s is malformed",
    async (path) => {
      const message = "has a percent sign that is not followed by two hexadecimal digits of valid UTF-8";
      const body = await askRaw(
        `GET ${path} HTTP/1.1`,
        `authorization: Bearer ${gateway.key}`,
        "connection: close",
      );
      expect(body).toMatch(/^HTTP\/1.1 400 /);
      expect(JSON.parse(body.split("\r\n\r\n")[1] ?? "")).toMatchObject({
        ok: false,
        code: "invalid_request",
        issues: [{ path: "url", message }],
      });
      expect(body).toMatch(/x-request-id: req_/);
      expect(body).toContain("x-content-type-options: nosniff");
    },
  );

  test("a URL that is too long is refused", async () => {
    await expectError(await gateway.call(`/api/jobs/${"a".repeat(300)}`), "job_not_found");
    const response = await gateway.call(`/api/jobs?cursor=${"a".repeat(20_000)}`);
    expect(response.status).toBe(431);
    expect(await response.json()).toMatchObject({
      code: "invalid_request",
      message: "The address and headers are too long.",
    });
  });
});

describe("[ERR-41] an unknown path segment", () => {
  test.each([
    ["/api/jobs/a%20b", "job_not_found"],
    [`/api/jobs/${"a".repeat(300)}/events`, "job_not_found"],
    ["/api/jobs/a%20b/callbacks", "job_not_found"],
    ["/api/jobs/a%20b/outputs/out_1", "job_not_found"],
    ["/api/jobs/job_1/outputs/a%20b", "not_found"],
  ] as const)("%s is %s, without a call of core", async (path, code) => {
    await expectError(await gateway.call(path), code);
    expect(gateway.calls.map(({ method }) => method)).toEqual(["accounts.Authenticate"]);
  });

  test("an unknown path segment of a product is called a product", async () => {
    const long = "a".repeat(300);
    gateway.fail("catalog.GetProduct", () => new AppError("product_not_found"));
    for (const path of [`/api/catalog/${long}`, `/covers/${long}.svg`]) {
      const response = await fetch(gateway.url + path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: "product_not_found" });
    }
  });
});

describe("[ERR-42] a request that needs no body", () => {
  const MEDIA_TYPES = [
    "application/octet-stream",
    "application/x-www-form-urlencoded",
    "text/plain",
    "",
    "x",
  ];
  test.each(MEDIA_TYPES)("may name the media type %j without sending one", async (type) => {
    gateway.fail("jobs.CancelJob", () => new AppError("job_not_cancellable"));
    gateway.fail("callbacks.Redeliver", () => new AppError("job_not_found"));
    for (const [path, status] of [
      ["cancel", 409],
      ["callbacks/redeliver", 404],
    ] as const) {
      const answer = await askRaw(
        `POST /api/jobs/job_1/${path} HTTP/1.1`,
        `authorization: Bearer ${gateway.key}`,
        `content-type: ${type}`,
        "content-length: 0",
        "connection: close",
      );
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    }
  });

  test("may not send a body of another media type", async () => {
    const response = await post(
      "x",
      { "content-type": "application/octet-stream" },
      "/api/jobs/job_1/cancel",
    );
    await expectError(response, "unsupported_media_type");
  });
});

describe("a request that violates HTTP", () => {
  const POST = [`POST ${GENERATE} HTTP/1.1`, "host: x"];
  test.each([
    ["no request line", ["garbage"]],
    ["a method that does not exist", ["BREW /api/jobs HTTP/1.1", "host: x"]],
    ["a control character in a header", ["GET /api/jobs HTTP/1.1", "host: x", "a\u0001b: c"]],
    ["no host", ["GET /api/jobs HTTP/1.1"]],
    ["two Content-Length headers", [...POST, "content-length: 1", "content-length: 2"]],
    ["Content-Length and chunks", [...POST, "content-length: 1", "transfer-encoding: chunked"]],
    ["a header of 20 KB", ["GET /api/jobs HTTP/1.1", "host: x", `x: ${"y".repeat(20_000)}`]],
  ])("with %s gets a clear refusal", async (_name, lines) => {
    const answer = await exchange(gateway.url, `${lines.join("\r\n")}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({
      code: "invalid_request",
      docs: "/docs/errors#invalid_request",
      request_id: expect.stringMatching(/^req_/),
    });
  });

  test.each([
    "OPTIONS * HTTP/1.1",
    "GET //api//jobs HTTP/1.1",
    "GET http://other/api/jobs HTTP/1.1",
    "GET /api/jobs?%00=%ZZ&__proto__=1 HTTP/1.1",
  ])("%s causes no error in the log", async (line) => {
    expect(await askRaw(line, "connection: close")).toMatch(/^HTTP\/1.1 (?:2|4)\d\d /);
    expect(gateway.errors).toEqual([]);
  });

  test("[ERR-24] with a valid request id keeps it, and gets another one otherwise", async () => {
    expect(await idFor("trace-1.a_B")).toBe("trace-1.a_B");
    for (const sent of ["", "a b", "<script>", "x".repeat(200), "-x"])
      expect(await idFor(sent)).toMatch(/^req_[0-9A-Z]{26}$/);
  });
});

describe("[ERR-05] application/problem+json", () => {
  test("is sent on request, with the same values", async () => {
    const response = await gateway.call("/api/jobs?limit=0", {
      headers: { accept: "application/problem+json, application/json;q=0.5" },
    });
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    const message = "limit must be at least 1.";
    expect(await response.json()).toEqual({
      type: "/docs/errors#invalid_request",
      title: ERROR_TABLE.invalid_request.message,
      status: 400,
      detail: message,
      instance: "/api/jobs",
      ok: false,
      error: message,
      code: "invalid_request",
      message,
      hint: ERROR_TABLE.invalid_request.hint,
      docs: "/docs/errors#invalid_request",
      request_id: response.headers.get("x-request-id"),
      issues: [{ path: "limit", message: "must be at least 1" }],
    });
  });

  test.each([
    "application/json",
    "*/*",
    "application/problem+json;q=0",
    "text/html",
    "application/problem+json;q=0.5, application/json",
    "application/json;q=0.9, application/problem+json;q=0.8",
    "application/problem+json;q=0.000, */*",
    "application/*",
  ])("is not sent for Accept: %s", async (accept) => {
    const response = await fetch(`${gateway.url}/api/jobs`, { headers: { accept } });
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });
});

test.each([
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"],
  ["text/html;q=0.2", "text/html"],
  ["text/html, application/json;q=0.5", "text/html"],
  ["application/json, text/html;q=0.5", "application/json"],
  ["application/json, text/html", "application/json"],
  ["text/html;q=0, */*", "application/json"],
  ["application/problem+json, text/html;q=0.1, application/json", "application/problem+json"],
  ["*/*", "application/json"],
])("[ERR-43] Accept: %s is refused as %s on page routes", async (accept, type) => {
  const response = await fetch(`${gateway.url}/no-such-page`, { headers: { accept } });
  expect(response.status).toBe(404);
  expect(response.headers.get("content-type")).toMatch(type);
});

/** Sends a raw request head with a host, and returns the response as text. */
function askRaw(...lines: string[]): Promise<string> {
  return exchange(gateway.url, `${[lines[0], "host: x", ...lines.slice(1)].join("\r\n")}\r\n\r\n`);
}

function issue(path: string, message: string): Record<string, unknown> {
  return { message: `${path || "The body"} ${message}.`, issues: [{ path, message }] };
}

async function idFor(sent: string): Promise<string | null> {
  const response = await fetch(`${gateway.url}/docs`, { headers: { "x-request-id": sent } });
  return response.headers.get("x-request-id");
}
