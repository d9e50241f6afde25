// Every refusal of the endpoints with keys: the whole body, and the order of the checks.
import { request as httpRequest } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { AppError } from "../../proto/codes.ts";
import { generateApiKey } from "../../runtime/keys/api-key.ts";
import { waitFor } from "../support/wait-for.ts";
import { read, send, type TestEndpoint } from "./endpoint-server.ts";
import { KEYED_ENDPOINTS, type Words } from "./keyed-endpoints.ts";
import { asCurrent, callTool, INITIALIZE, PICTURE, request } from "./messages.ts";
import { refusal, seen } from "./rpc-refusal.ts";

const started: TestEndpoint[] = [];
afterEach(async () => {
  for (const endpoint of started.splice(0)) {
    await endpoint.close();
    if (endpoint.errors.length > 0) throw new Error(`Logged as a bug: ${endpoint.errors.join("")}`);
  }
});

/** Every kind of message, of both eras. */
const MESSAGES: [string, { body: object; headers?: Record<string, string> }][] = [
  ["initialize", { body: INITIALIZE }],
  ["ping", { body: request("ping") }],
  ["tools/list", { body: request("tools/list") }],
  ["tools/call", { body: callTool("get_product", { slug: "harbour-icons" }) }],
  ["a notification", { body: { jsonrpc: "2.0", method: "notifications/initialized" } }],
  ["server/discover", asCurrent(request("server/discover"))],
  ["a current tools/call", asCurrent(callTool("get_product", { slug: "harbour-icons" }))],
];

const refusedAs = ([code, message, hint]: Words) => refusal(code, { message, hint });

const limited = (seconds: number, message: string) =>
  refusal("rate_limited", {
    message,
    hint: `Wait ${seconds} seconds, then try again.`,
    extra: { retry_after_seconds: seconds },
  });

describe.each(KEYED_ENDPOINTS)("the $name endpoint", (of) => {
  const { authenticate, kind } = of;
  const BAD_KEY = refusedAs(of.badKey);
  const stranger = () => ({ authorization: `Bearer ${generateApiKey(kind)}` });

  async function start(env: Record<string, string> = {}): Promise<TestEndpoint> {
    const endpoint = await of.start(env);
    started.push(endpoint);
    return endpoint;
  }

  describe("a key", () => {
    test("[MCP-10] a key that is missing: 401 with a plain challenge and no resource metadata", async () => {
      const endpoint = await start();
      for (const authorization of [null, "", "Bearer", "Bearer  ", "Basic dXNlcjpwdw=="]) {
        const reply = await endpoint.post(request("tools/list"), { authorization });
        expect(seen(reply)).toEqual(refusedAs(of.noKey));
        expect(reply.headers.get("www-authenticate")).toBe('Bearer realm="atelier"');
      }
      expect(endpoint.core.calls).toEqual([]);
    });

    test("[MEM-06] a key that is malformed, of another kind, revoked or unknown looks the same, and core checks only the last two", async () => {
      const endpoint = await start();
      for (const key of [
        `atl_${kind}_short`,
        generateApiKey(of.otherKind),
        generateApiKey("org"),
        generateApiKey("adm"),
        `${endpoint.key}x`,
        endpoint.addKey(new AppError("invalid_key")),
        generateApiKey(kind),
      ]) {
        const reply = await endpoint.post(request("tools/list"), { authorization: `Bearer ${key}` });
        expect(seen(reply)).toEqual(BAD_KEY);
        expect(reply.headers.get("www-authenticate")).toBe('Bearer realm="atelier"');
      }
      expect(endpoint.core.calls.map(({ method }) => method)).toEqual([authenticate, authenticate]);
    });

    test.each(KEYED_ENDPOINTS.filter(({ name }) => name !== of.name))(
      "[MEM-06] a key of another kind does not open the $name endpoint",
      async ({ path }) => {
        const endpoint = await start();
        const reply = await send(endpoint.origin + path, endpoint.key, request("ping"));
        expect([reply.status, reply.json]).toMatchObject([401, { error: { data: { code: "invalid_key" } } }]);
        expect(endpoint.core.calls).toEqual([]);
      },
    );

    test.each(MESSAGES)("[MEM-07] is checked by core before each %s", async (_name, sent) => {
      const endpoint = await start();
      for (let i = 0; i < 2; i++) await endpoint.post(sent.body, sent.headers);
      const asked = endpoint.core.calls.filter(({ method }) => method === authenticate);
      expect(asked).toHaveLength(2);
      expect(asked[0]).toMatchObject({
        request: of.asked,
        options: {
          caller: { kind: "key", source: of.source },
          requestId: expect.stringMatching(/^req_/),
        },
      });
    });

    test("[MEM-07] is checked by the tool's own call of core instead, if a tool does that", async () => {
      const endpoint = await start();
      const { body, headers } = asCurrent(callTool("list_models"));
      for (let i = 0; i < 3; i++) expect((await endpoint.post(body, headers)).status).toBe(200);
      const methods = () => endpoint.core.calls.map(({ method }) => method);
      // The first message of a key and of a kind is checked before.
      expect(methods()).toEqual([authenticate, ...Array.from({ length: 3 }, () => "models.ListModels")]);
      endpoint.core.fail("models.ListModels", () => new AppError("service_unavailable"));
      expect((await endpoint.post(body, headers)).json).toMatchObject({ result: { isError: true } });
      expect(methods().slice(4)).toEqual(["models.ListModels", authenticate]);
      endpoint.core.refuse(endpoint.key, new AppError("invalid_key"));
      for (const message of [body, callTool("get_credits", { tip: 1 }), request("tools/fly"), {}, "["])
        expect(seen(await endpoint.post(message, headers))).toEqual(BAD_KEY);
    });

    test.each([...of.refused])(
      "[MCP-11] [MEM-07] [AUTH-03] a key without the right: 403 %s",
      async (...words) => {
        const endpoint = await start();
        const key = endpoint.addKey(new AppError(words[0]));
        const reply = await endpoint.post(request("tools/list"), { authorization: `Bearer ${key}` });
        expect(seen(reply)).toEqual(refusedAs(words));
        expect(reply.headers.has("www-authenticate")).toBe(false);
      },
    );

    test("a key that cannot be checked while core is away: 503 with the wait in the text and in Retry-After", async () => {
      const endpoint = await start();
      endpoint.core.fail(authenticate, () => new AppError("service_unavailable", { retryAfterSeconds: 2 }));
      const reply = await endpoint.post(request("tools/list"));
      expect(seen(reply)).toEqual(
        refusal("service_unavailable", {
          hint: "Wait 2 seconds, then try again.",
          extra: { retry_after_seconds: 2 },
        }),
      );
      expect(reply.headers.get("retry-after")).toBe("2");
    });

    test("a key whose check fails by a bug: 500 without the reason, which is logged once", async () => {
      const endpoint = await start();
      endpoint.core.fail(authenticate, () => new Error("mongodb://secret-host:27017 exploded"));
      const reply = await endpoint.post(request("tools/list"));
      const hint =
        "Wait a moment, then try again. If it stays, support can find out why by the id of this request.";
      expect(seen(reply)).toEqual(refusal("internal", { hint }));
      expect(reply.text).not.toContain("secret-host");
      expect(endpoint.errors).toEqual([expect.stringContaining("secret-host")]);
      endpoint.errors.length = 0;
    });

    test("[KEY-40] is accepted in x-api-key and in Authorization: Token, and two different keys are refused", async () => {
      const endpoint = await start();
      const own = { authorization: null, "x-api-key": endpoint.key };
      expect((await endpoint.post(request("ping"), own)).status).toBe(200);
      const token = { authorization: `Token ${endpoint.key}` };
      expect((await endpoint.post(request("ping"), token)).status).toBe(200);
      const two = await endpoint.post(request("ping"), { "x-api-key": generateApiKey(kind) });
      expect(two.status).toBe(400);
      expect(two.json).toMatchObject({
        error: { data: { code: "invalid_request", issues: [{ path: "x-api-key" }] } },
      });
    });
  });

  describe("a rate limit", () => {
    test("[LIM-40] a rate limit of invalid keys by address: 429 for an unknown key, which core checks once; a recently valid key is spared", async () => {
      const endpoint = await start({ ATELIER_RATE_FAILED_KEYS: "2" });
      // Neither missing nor malformed: not counted.
      for (const authorization of [null, `Bearer atl_${kind}_x`, `Bearer ${generateApiKey(of.otherKind)}`])
        for (let i = 0; i < 3; i++)
          expect((await endpoint.post(request("ping"), { authorization })).status).toBe(401);
      expect((await endpoint.post(request("ping"))).status).toBe(200);
      for (let i = 0; i < 2; i++)
        expect(seen(await endpoint.post(request("ping"), stranger()))).toEqual(BAD_KEY);
      expect((await endpoint.post(request("ping"))).status).toBe(200);
      endpoint.core.calls.length = 0;
      const unknown = stranger();
      await endpoint.post(request("ping"), unknown);
      const reply = await endpoint.post(request("ping"), unknown);
      const seconds = Number(reply.headers.get("retry-after"));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seen(reply)).toEqual(
        limited(
          seconds,
          `The limit of 2 requests with a bad key a minute for each address is used up. Try again in ${seconds} seconds.`,
        ),
      );
      expect(reply.headers.get("ratelimit")).toMatch(/^"failedKeys";r=0;t=\d+$/);
      expect(endpoint.core.calls).toHaveLength(1);
    });

    test("[MCP-13] a rate limit of one key: 429 with the wait, without effect on another key or endpoint", async () => {
      const byDefault = await (await start()).post(request("ping"));
      expect(byDefault.headers.get("ratelimit-policy")).toBe(`"${of.rate}";q=${of.perMinute};w=60`);

      const strict = { ATELIER_RATE_API: "1", ATELIER_RATE_MEMBER: "1", [of.rateSetting]: "2" };
      const endpoint = await start(strict);
      const first = await endpoint.post(request("ping"));
      expect(first.headers.get("ratelimit")).toMatch(new RegExp(`^"${of.rate}";r=1;t=\\d+$`));
      await endpoint.post(request("ping"));
      const reply = await endpoint.post(request("ping"));
      const seconds = Number(reply.headers.get("retry-after"));
      expect(seen(reply)).toEqual(
        limited(
          seconds,
          `The limit of 2 requests a minute for each key is used up. Try again in ${seconds} seconds.`,
        ),
      );
      const other = await endpoint.post(request("ping"), { authorization: `Bearer ${endpoint.addKey()}` });
      expect(other.status).toBe(200);
    });

    test("a rate limit of generations is per key, and a tool failure that its model can wait for", async () => {
      const endpoint = await start({ ATELIER_RATE_GENERATE: "1" });
      const make = callTool("connect_generate", PICTURE);
      expect((await endpoint.post(make)).json).toMatchObject({
        result: { structuredContent: { job_id: "job_1" } },
      });
      const refused = await endpoint.post(make);
      expect(refused.status).toBe(200);
      expect(refused.json).toMatchObject({
        result: {
          isError: true,
          content: [{ text: expect.stringMatching(/Seconds to wait: \d+\.[^]*Code: rate_limited\./) }],
        },
      });
      expect(endpoint.core.jobs.size).toBe(1);
    });
  });

  describe("a request body", () => {
    const NOT_COMPRESSED = {
      message: "The request body must not be compressed.",
      hint: "Send the JSON itself, without the header content-encoding.",
    };
    test.each([
      ...[null, "text/plain", "application/json-seq", "garbage", "multipart/form-data; boundary=x"].map(
        (type) => ({ headers: { "content-type": type }, words: {} }),
      ),
      { headers: { "content-encoding": "gzip" }, words: NOT_COMPRESSED },
    ])("a request body with $headers: 415", async ({ headers, words }) => {
      const endpoint = await start();
      const reply = await endpoint.post(new TextEncoder().encode(JSON.stringify(request("ping"))), headers);
      expect(seen(reply)).toEqual(refusal("unsupported_media_type", words));
    });

    test("over 64 KiB: 413, also for 10 MB and without Content-Length", async () => {
      const endpoint = await start();
      for (const bytes of [64 * 1024 + 1, 10_000_000]) {
        expect(seen(await endpoint.post(JSON.stringify("x".repeat(bytes - 2))))).toEqual(
          refusal("body_too_large"),
        );
      }
      const chunked = await fetch(endpoint.url, {
        method: "POST",
        headers: { authorization: `Bearer ${endpoint.key}`, "content-type": "application/json" },
        body: new Blob(["x".repeat(200_000)]).stream(),
        duplex: "half",
      } as RequestInit);
      expect(seen(await read(chunked))).toEqual(refusal("body_too_large"));
    });

    test("a request body of exactly 64 KiB is read", async () => {
      const endpoint = await start();
      const empty = JSON.stringify({ ...request("ping"), params: { x: "" } });
      const body = JSON.stringify({
        ...request("ping"),
        params: { x: "y".repeat(64 * 1024 - empty.length) },
      });
      expect((await endpoint.post(body)).json).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
    });

    test.each<[string, string | Uint8Array, string]>([
      ["empty", "", "The request body is empty."],
      ["truncated", '{"jsonrpc":"2.0","id":1,"meth', "The request body is not valid JSON."],
      ["not JSON", "hello", "The request body is not valid JSON."],
      ["not UTF-8", new Uint8Array([0x22, 0xff, 0x22]), "The request body is not valid UTF-8."],
    ])("[MCP-15] %s: 400 and -32700", async (_name, body, message) => {
      const endpoint = await start();
      const reply = await endpoint.post(body);
      expect(seen(reply)).toEqual(refusal("invalid_json", { message }));
    });

    test("[MCP-05] [MEM-09] a request body that is a batch: 400 and -32600", async () => {
      const endpoint = await start();
      for (const batch of [[], [request("ping")], [request("ping"), request("ping")]]) {
        expect(seen(await endpoint.post(batch))).toEqual(
          refusal("invalid_request", {
            rpc: -32600,
            message: "Batches are not supported here.",
            hint: "Send each message in a request of its own.",
          }),
        );
      }
    });

    test("[MCP-15] a request body that is no JSON-RPC message: 400 and -32600, with its id", async () => {
      const endpoint = await start();
      const hint = "Send one JSON-RPC 2.0 request or notification: jsonrpc, id, method, params.";
      const message = "The body is not a JSON-RPC 2.0 message.";
      const call = { jsonrpc: "2.0", id: 3, method: "ping" };
      const cases: [unknown, number | null, path: string, message: string][] = [
        [5, null, "", "must be an object"],
        [{ ...call, jsonrpc: "1.0" }, 3, "jsonrpc", "must be 2.0"],
        [{ ...call, method: 5 }, 3, "method", "must be a string"],
        [{ ...call, id: null }, null, "id", "must be a string or an integer"],
        [{ ...call, params: [] }, 3, "params", "must be an object"],
        [{ ...call, extra: 1 }, 3, "extra", "is not a known field"],
      ];
      for (const [body, id, ...issue] of cases) {
        const issues = [{ path: issue[0], message: issue[1] }];
        expect(seen(await endpoint.post(body))).toEqual(
          refusal("invalid_request", { id, rpc: -32600, message, hint, extra: { issues } }),
        );
      }
    });

    test("a request body that answers a request that was never sent: 400 and -32600", async () => {
      const endpoint = await start();
      for (const body of [
        { jsonrpc: "2.0", id: 3, result: {} },
        { jsonrpc: "2.0", id: 3, error: { code: 1, message: "x" } },
      ]) {
        expect((await endpoint.post(body)).json).toMatchObject({ id: 3, error: { code: -32600 } });
      }
    });
  });

  describe("a path", () => {
    test.each(["GET", "DELETE", "PUT", "PATCH", "OPTIONS"])(
      "[MCP-05] [MEM-09] a path with %s: 405 with Allow, before the key is checked",
      async (method) => {
        const endpoint = await start();
        const reply = await read(
          await fetch(endpoint.url, { method, headers: { accept: "text/event-stream" } }),
        );
        expect(seen(reply)).toEqual(
          refusal("method_not_allowed", { hint: "Send JSON-RPC messages with POST." }),
        );
        expect(reply.headers.get("allow")).toBe("POST");
        expect(endpoint.core.calls).toEqual([]);
      },
    );

    test("[MCP-10] a path of OAuth discovery: 404 in JSON", async () => {
      const endpoint = await start();
      const documents = [
        "oauth-protected-resource",
        "oauth-authorization-server",
        "openid-configuration",
        "oauth-anything",
      ];
      const paths = documents.flatMap((name) => [
        `/.well-known/${name}`,
        `/.well-known/${name}${of.path}`,
        `${of.path}/.well-known/${name}`,
      ]);
      for (const path of paths) {
        const reply = await read(await fetch(endpoint.origin + path, { headers: { accept: "text/html" } }));
        expect({ path, status: reply.status }).toEqual({ path, status: 404 });
        expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
        expect(reply.json).toMatchObject({
          code: "not_found",
          request_id: reply.headers.get("x-request-id"),
        });
      }
    });
  });

  describe("an Origin", () => {
    test("[MCP-07] [MEM-09] an Origin that is unknown: 403 before the key", async () => {
      const endpoint = await start();
      for (const origin of [
        "https://evil.example",
        "null",
        "http://atelier.test.evil.example",
        "https://atelier.test",
      ]) {
        const reply = await endpoint.post(request("ping"), { origin });
        expect(seen(reply)).toEqual(refusal("origin_not_allowed"));
        expect(reply.headers.has("access-control-allow-origin")).toBe(false);
      }
      expect(endpoint.core.calls).toEqual([]);
    });

    test("[MCP-07] an Origin of the service itself or allowed may call, and read refusals", async () => {
      const endpoint = await start({
        ATELIER_ALLOWED_ORIGINS: "https://chat.example, https://other.example",
      });
      for (const origin of [
        "http://atelier.test",
        "http://generate.atelier.test",
        "https://chat.example",
        "https://other.example",
      ]) {
        const reply = await endpoint.post(request("ping"), { origin });
        expect(reply.status).toBe(200);
        expect(reply.headers.get("access-control-allow-origin")).toBe(origin);
        expect(reply.headers.get("vary")).toBe("origin");
        expect((await endpoint.post("{", { origin })).headers.get("access-control-allow-origin")).toBe(
          origin,
        );
      }
    });

    test("an Origin that is allowed gets its preflight answered", async () => {
      const endpoint = await start({ ATELIER_ALLOWED_ORIGINS: "https://chat.example" });
      // fetch sets no Origin here, and only browsers forbid setting one.
      const reply = await fetch(endpoint.url, {
        method: "OPTIONS",
        headers: { origin: "https://chat.example", "access-control-request-method": "POST" },
      });
      expect(reply.status).toBe(204);
      expect(reply.headers.get("access-control-allow-methods")).toBe("POST");
      expect(reply.headers.get("access-control-allow-headers")).toContain("authorization");
    });
  });

  test("[LIM-20] waits of a key are limited, one more is a failure that says so, and calls without a wait do not count", async () => {
    const endpoint = await start({ ATELIER_OPEN_PER_ACCOUNT: "2" });
    const call = (name: string, args: object) => endpoint.post(callTool(name, args));
    const made = await call("connect_generate", { ...PICTURE });
    const jobId = (made.json as { result: { structuredContent: { job_id: string } } }).result
      .structuredContent.job_id;
    const wait = () => call("get_job", { job_id: jobId, wait_seconds: 45 });
    const waiting = [wait(), wait()];
    const held = () => endpoint.core.calls.filter(({ request: { wait_seconds: s } }) => Number(s) > 0);
    await waitFor("both waits", () => held().length === 2);
    expect((await wait()).json).toMatchObject({
      result: {
        isError: true,
        content: [
          {
            text: expect.stringContaining(
              "There are already 2 event streams and waits open for this account, which is the most there may be.",
            ),
          },
        ],
      },
    });
    expect(held()).toHaveLength(2);
    expect((await call("get_job", { job_id: jobId })).json).not.toMatchObject({ result: { isError: true } });
    const other = endpoint.addKey();
    const theirs = send(endpoint.url, other, callTool("get_job", { job_id: jobId, wait_seconds: 45 }));
    await waitFor("the wait of another key", () => held().length === 3);
    endpoint.core.complete(jobId);
    for (const answered of await Promise.all([...waiting, theirs]))
      expect(answered.json).toMatchObject({ result: { structuredContent: { state: "completed" } } });
    // The slots are free again.
    expect((await wait()).json).toMatchObject({ result: { structuredContent: { state: "completed" } } });
  });

  test("[MCP-14] [MEM-08] the checks run in order: each fault hides the later ones", async () => {
    const endpoint = await start({ ATELIER_RATE_FAILED_KEYS: "1", [of.rateSetting]: "5" });
    const barred = endpoint.addKey(new AppError(of.refused[0][0]));
    // Everything is wrong at first; each step corrects one more thing.
    const statusOf = async (key: string, type: string, body: string) => {
      const reply = await endpoint.post(body, { authorization: `Bearer ${key}`, "content-type": type });
      return [reply.status, (reply.json as { error?: { code: number } }).error?.code];
    };
    expect(await statusOf(barred, "text/plain", "{")).toEqual([403, 1403]);
    expect(await statusOf(endpoint.key, "text/plain", "{")).toEqual([415, 1415]);
    expect(await statusOf(endpoint.key, "application/json", "{")).toEqual([400, -32700]);
    expect(await statusOf(endpoint.key, "application/json", "{}")).toEqual([400, -32600]);
    expect(await statusOf(endpoint.key, "application/json", JSON.stringify(request("no/such")))).toEqual([
      200, -32601,
    ]);
    expect(await statusOf(endpoint.key, "application/json", JSON.stringify(request("ping")))).toEqual([
      200,
      undefined,
    ]);
    expect(await statusOf(endpoint.key, "text/plain", "{")).toEqual([429, 1429]);
    expect(await statusOf(generateApiKey(kind), "garbage", "{")).toEqual([401, 1401]);
    // A known key gets its own error, whatever others at its address send; an unknown one the limit's.
    for (let i = 0; i < 6; i++) expect(await statusOf(barred, "garbage", "{")).toEqual([403, 1403]);
    expect(await statusOf(generateApiKey(kind), "garbage", "{")).toEqual([429, 1429]);
    expect(await statusOf(`atl_${kind}_bad`, "garbage", "{")).toEqual([401, 1401]);
  });

  test("a body is not awaited from a sender without a key", async () => {
    const endpoint = await start();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = httpRequest(endpoint.url, {
        method: "POST",
        headers: { "content-type": "application/json", "content-length": 1000 },
      });
      sending.once("response", (response) => {
        resolve(response.statusCode);
        sending.destroy();
      });
      sending.once("error", reject);
      sending.write("{");
    });
    expect(status).toBe(401);
  });
});
