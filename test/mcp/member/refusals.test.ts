import { afterEach, describe, expect, test } from "vitest";
import { AppError, ERROR_TABLE } from "../../../proto/codes.ts";
import { generateApiKey } from "../../../runtime/keys/api-key.ts";
import { read } from "../endpoint-server.ts";
import { asCurrent, callTool, INITIALIZE, PICTURE, request } from "../messages.ts";
import { refusal, seen } from "../rpc-refusal.ts";
import { type MemberEndpoint, startMemberEndpoint } from "./member-endpoint.ts";

const started: MemberEndpoint[] = [];
async function start(env: Record<string, string> = {}): Promise<MemberEndpoint> {
  const endpoint = await startMemberEndpoint(env);
  started.push(endpoint);
  return endpoint;
}
afterEach(async () => {
  for (const endpoint of started.splice(0)) {
    await endpoint.close();
    if (endpoint.errors.length > 0) throw new Error(`Logged as a bug: ${endpoint.errors.join("")}`);
  }
});

const NO_KEY = {
  status: 401,
  rpc: 1401,
  code: "missing_key",
  message: "No member key was sent.",
  hint: "Add the header Authorization: Bearer <member key> to this server's entry in the assistant's settings; members get their key from support.",
} as const;
const BAD_KEY = {
  status: 401,
  rpc: 1401,
  code: "invalid_key",
  message: "The member key is not valid here.",
  hint: "Check that the whole key was copied into the assistant's settings and that it is a member key, which begins with atl_mem_; support replaces one that was revoked or lost.",
} as const;
const LAPSED = {
  status: 403,
  rpc: 1403,
  code: "membership_inactive",
  message: "The account has no active membership that includes these tools.",
  hint: "Join, renew or upgrade on the website's membership page; the same key works again as soon as the membership includes them. Licences of purchased products stay valid.",
} as const;

/** Every kind of message, of both eras. */
const MESSAGES: [string, { body: object; headers?: Record<string, string> }][] = [
  ["initialize", { body: INITIALIZE }],
  ["ping", { body: request("ping") }],
  ["tools/list", { body: request("tools/list") }],
  ["tools/call", { body: callTool("search_catalog") }],
  ["a notification", { body: { jsonrpc: "2.0", method: "notifications/initialized" } }],
  ["server/discover", asCurrent(request("server/discover"))],
  ["a current tools/call", asCurrent(callTool("search_catalog"))],
];

describe("the member key", () => {
  test("missing: 401 with a plain challenge and no resource metadata", async () => {
    const endpoint = await start();
    for (const authorization of [null, "", "Bearer", "Bearer  ", "Basic dXNlcjpwdw=="]) {
      const reply = await endpoint.post(request("tools/list"), { authorization });
      expect(seen(reply)).toEqual(refusal(NO_KEY));
      expect(reply.headers.get("www-authenticate")).toBe('Bearer realm="atelier"');
    }
    expect(endpoint.core.calls).toEqual([]);
  });

  test("malformed, of another kind, revoked or unknown: all look the same", async () => {
    const endpoint = await start();
    const revoked = endpoint.addMember(new AppError("invalid_key"));
    const generationKey = endpoint.core.addKey();
    for (const key of [
      "atl_mem_short",
      `${endpoint.key}x`,
      generationKey,
      generateApiKey("org"),
      generateApiKey("adm"),
      generateApiKey("mem"),
      revoked,
    ]) {
      const reply = await endpoint.post(request("tools/list"), { authorization: `Bearer ${key}` });
      expect(seen(reply)).toEqual(refusal(BAD_KEY));
      expect(reply.headers.get("www-authenticate")).toBe('Bearer realm="atelier"');
    }
    // Of all these only the two that could be member keys are asked for, and never as keys of another kind.
    expect(endpoint.core.calls.map(({ method }) => method)).toEqual([
      "AuthenticateMember",
      "AuthenticateMember",
    ]);
  });

  test("does not open the endpoint of programs, nor a generation key this one", async () => {
    const endpoint = await start();
    const reply = await read(
      await fetch(`${endpoint.origin}/api/mcp`, {
        method: "POST",
        headers: { authorization: `Bearer ${endpoint.key}`, "content-type": "application/json" },
        body: JSON.stringify(request("ping")),
      }),
    );
    expect([reply.status, reply.json]).toMatchObject([401, { error: { data: { code: "invalid_key" } } }]);
    expect(endpoint.core.calls).toEqual([]);
  });

  test("whose membership has lapsed: 403, and no word of a challenge", async () => {
    const endpoint = await start();
    const key = endpoint.addMember(new AppError("membership_inactive"));
    const reply = await endpoint.post(request("tools/list"), { authorization: `Bearer ${key}` });
    expect(seen(reply)).toEqual(refusal(LAPSED));
    expect(reply.headers.has("www-authenticate")).toBe(false);
  });

  test("of a suspended account: 403", async () => {
    const endpoint = await start();
    const key = endpoint.addMember(new AppError("account_suspended"));
    const { message, hint } = ERROR_TABLE.account_suspended;
    const reply = await endpoint.post(request("tools/list"), { authorization: `Bearer ${key}` });
    expect(seen(reply)).toEqual(
      refusal({ status: 403, rpc: 1403, code: "account_suspended", message, hint }),
    );
  });

  test.each(MESSAGES)(
    "is asked for in core before %s is answered, with source member",
    async (_name, sent) => {
      const endpoint = await start();
      for (let i = 0; i < 2; i++) await endpoint.post(sent.body, sent.headers);
      const asked = endpoint.core.calls.filter(({ method }) => method === "AuthenticateMember");
      expect(asked).toHaveLength(2);
      expect(asked[0]?.options).toMatchObject({
        caller: { kind: "key", source: "member" },
        requestId: expect.stringMatching(/^req_/),
      });
    },
  );

  test.each(MESSAGES)("that lapses or is revoked between two calls stops %s at once", async (_name, sent) => {
    const endpoint = await start();
    expect((await endpoint.post(sent.body, sent.headers)).status).toBeLessThan(300);
    endpoint.refuse(endpoint.key, new AppError("membership_inactive"));
    expect(seen(await endpoint.post(sent.body, sent.headers))).toEqual(refusal(LAPSED));
    endpoint.refuse(endpoint.key, new AppError("invalid_key"));
    expect(seen(await endpoint.post(sent.body, sent.headers))).toEqual(refusal(BAD_KEY));
  });

  test("cannot be checked while core is away: 503 with the wait in words and in Retry-After", async () => {
    const endpoint = await start();
    endpoint.core.failures.set(
      "AuthenticateMember",
      () => new AppError("service_unavailable", { retryAfterSeconds: 2 }),
    );
    const reply = await endpoint.post(request("tools/list"));
    expect(reply.json).toMatchObject({
      error: {
        code: 1503,
        message: expect.stringContaining("Wait 2 seconds"),
        data: { retry_after_seconds: 2 },
      },
    });
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "2"]);
  });

  test("check that breaks: 500 without the reason, which is logged once", async () => {
    const endpoint = await start();
    endpoint.core.failures.set("AuthenticateMember", () => new Error("mongodb://secret-host:27017 exploded"));
    const reply = await endpoint.post(request("tools/list"));
    const { message } = ERROR_TABLE.internal;
    const hint =
      "Wait a moment, then try again. If it stays, support can find out why by the id of this request.";
    expect(seen(reply)).toEqual(refusal({ status: 500, rpc: -32603, code: "internal", message, hint }));
    expect(endpoint.errors).toEqual([expect.stringContaining("secret-host")]);
    endpoint.errors.length = 0;
  });
});

describe("the rate", () => {
  test("[LIM-40] of bad keys by address: 429 for an unknown key, of which core is asked once; a key that was good lately is spared", async () => {
    const endpoint = await start({ ATELIER_RATE_FAILED_KEYS: "1" });
    const stranger = () => ({ authorization: `Bearer ${generateApiKey("mem")}` });
    for (let i = 0; i < 3; i++) await endpoint.post(request("ping"), { authorization: "Bearer atl_mem_x" });
    expect((await endpoint.post(request("ping"))).status).toBe(200);
    expect((await endpoint.post(request("ping"), stranger())).status).toBe(401);
    expect((await endpoint.post(request("ping"))).status).toBe(200);
    endpoint.core.calls.length = 0;
    const unknown = stranger();
    await endpoint.post(request("ping"), unknown);
    const reply = await endpoint.post(request("ping"), unknown);
    const seconds = Number(reply.headers.get("retry-after"));
    expect(reply.status).toBe(429);
    expect(reply.json).toMatchObject({
      error: {
        code: 1429,
        message: expect.stringContaining(`Wait ${seconds} seconds, then try again.`),
        data: { code: "rate_limited", retry_after_seconds: seconds },
      },
    });
    expect(endpoint.core.calls).toHaveLength(1);
  });

  test("of one member: 120 a minute unless set otherwise, 429 with the wait, while another member goes on", async () => {
    const byDefault = await start();
    expect((await byDefault.post(request("ping"))).headers.get("ratelimit-policy")).toBe(
      '"member";q=120;w=60',
    );

    const endpoint = await start({ ATELIER_RATE_MEMBER: "2", ATELIER_RATE_API: "1" });
    expect((await endpoint.post(request("ping"))).headers.get("ratelimit")).toMatch(/^"member";r=1;t=\d+$/);
    await endpoint.post(request("ping"));
    const reply = await endpoint.post(request("ping"));
    const seconds = Number(reply.headers.get("retry-after"));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seen(reply)).toEqual(
      refusal({
        status: 429,
        rpc: 1429,
        code: "rate_limited",
        message: `The limit of 2 requests a minute for each key is used up. Try again in ${seconds} seconds.`,
        hint: `Wait ${seconds} seconds, then try again.`,
        extra: { retry_after_seconds: seconds },
      }),
    );
    const other = await endpoint.post(request("ping"), { authorization: `Bearer ${endpoint.addMember()}` });
    expect(other.status).toBe(200);
  });

  test("of generations is a tool failure that the model can wait for", async () => {
    const endpoint = await start({ ATELIER_RATE_GENERATE: "1" });
    await endpoint.post(callTool("connect_generate", PICTURE));
    const refused = await endpoint.post(callTool("connect_generate", PICTURE));
    expect([refused.status, refused.json]).toMatchObject([
      200,
      { result: { isError: true, content: [{ text: expect.stringContaining("Code: rate_limited.") }] } },
    ]);
    expect(endpoint.core.jobs.size).toBe(1);
  });
});

describe("the message", () => {
  test.each<[string, string, number, number]>([
    ["that is not JSON", "{", 400, -32700],
    ["that is empty", "", 400, -32700],
    ["that is a batch", JSON.stringify([request("ping")]), 400, -32600],
    ["that is no JSON-RPC", "{}", 400, -32600],
    ["of an unknown method", JSON.stringify(request("no/such")), 200, -32601],
    ["for an unknown tool", JSON.stringify(callTool("no_such")), 200, -32602],
    ["that begins wrongly", JSON.stringify({ ...INITIALIZE, params: {} }), 200, -32602],
    ["over 64 KiB", JSON.stringify("x".repeat(64 * 1024)), 413, 1413],
  ])("%s is refused in the form of JSON-RPC", async (_name, body, status, code) => {
    const endpoint = await start();
    const reply = await endpoint.post(body);
    expect([reply.status, reply.json]).toMatchObject([
      status,
      { jsonrpc: "2.0", error: { code, data: { docs: "/docs", request_id: expect.any(String) } } },
    ]);
  });

  test("of another media type: 415", async () => {
    const endpoint = await start();
    const reply = await endpoint.post("{}", { "content-type": "text/plain" });
    expect([reply.status, reply.json]).toMatchObject([415, { error: { code: 1415 } }]);
  });

  test("that is a notification: 202 and nothing", async () => {
    const endpoint = await start();
    const reply = await endpoint.post({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect([reply.status, reply.text]).toEqual([202, ""]);
  });
});

describe("the address", () => {
  test.each(["GET", "DELETE", "PUT", "PATCH", "OPTIONS"])(
    "%s: 405 with Allow, before any key",
    async (method) => {
      const endpoint = await start();
      const reply = await read(await fetch(endpoint.url, { method }));
      expect([reply.status, reply.headers.get("allow"), reply.json]).toMatchObject([
        405,
        "POST",
        { error: { code: -32601, data: { code: "method_not_allowed" } } },
      ]);
      expect(endpoint.core.calls).toEqual([]);
    },
  );

  test("has no OAuth: every discovery document is a true 404 in JSON", async () => {
    const endpoint = await start();
    for (const name of ["oauth-protected-resource", "oauth-authorization-server", "openid-configuration"]) {
      for (const path of [`/.well-known/${name}/api/member/mcp`, `/api/member/mcp/.well-known/${name}`]) {
        const reply = await read(await fetch(endpoint.origin + path, { headers: { accept: "text/html" } }));
        expect([path, reply.status, reply.json]).toMatchObject([path, 404, { code: "not_found" }]);
      }
    }
  });

  test("called from an unknown page: 403 before the key; from an allowed one it answers", async () => {
    const endpoint = await start({ ATELIER_ALLOWED_ORIGINS: "https://chat.example" });
    const refused = await endpoint.post(request("ping"), { origin: "https://evil.example" });
    expect([refused.status, refused.json]).toMatchObject([
      403,
      { error: { data: { code: "origin_not_allowed" } } },
    ]);
    expect(endpoint.core.calls).toEqual([]);
    const allowed = await endpoint.post(request("ping"), { origin: "https://chat.example" });
    expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([
      200,
      "https://chat.example",
    ]);
  });
});

test("the checks come in their order: each fault hides the ones after it", async () => {
  const endpoint = await start({ ATELIER_RATE_FAILED_KEYS: "2", ATELIER_RATE_MEMBER: "5" });
  const lapsed = endpoint.addMember(new AppError("membership_inactive"));
  // Everything is wrong at first; each step puts one more thing right.
  const statusOf = async (key: string, type: string, body: string) => {
    const reply = await endpoint.post(body, { authorization: `Bearer ${key}`, "content-type": type });
    return [reply.status, (reply.json as { error?: { code: number } }).error?.code];
  };
  expect(await statusOf("atl_mem_bad", "text/plain", "{")).toEqual([401, 1401]);
  expect(await statusOf(lapsed, "text/plain", "{")).toEqual([403, 1403]);
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
  // The key's rate comes after the membership and before the media type; the rate of bad keys before both.
  expect(await statusOf(endpoint.key, "text/plain", "{")).toEqual([429, 1429]);
  for (let i = 0; i < 6; i++) expect(await statusOf(lapsed, "text/plain", "{")).toEqual([403, 1403]);
  for (let i = 0; i < 2; i++)
    expect(await statusOf(generateApiKey("mem"), "text/plain", "{")).toEqual([401, 1401]);
  // A known key hears what it lacks, whatever others at its address have sent; an unknown one of the limit.
  expect(await statusOf(lapsed, "text/plain", "{")).toEqual([403, 1403]);
  expect(await statusOf(generateApiKey("mem"), "text/plain", "{")).toEqual([429, 1429]);
});
