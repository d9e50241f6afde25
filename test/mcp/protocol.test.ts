import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { PROTOCOL_VERSIONS, TOOL_SERVERS } from "../../edge/tool-servers.ts";
import { answerForm } from "../../mcp/protocol/endpoint.ts";
import { CURRENT_VERSION } from "../../mcp/protocol/plain-messages.ts";
import { ERROR_TABLE } from "../../proto/codes.ts";
import { sharedByTests } from "../support/shared.ts";
import { eventsOf } from "./endpoint-server.ts";
import { KEYED_ENDPOINTS } from "./keyed-endpoints.ts";
import { asCurrent, callTool, request, INITIALIZE } from "./messages.ts";

const withoutRequestId = (text: string): unknown => JSON.parse(text.replaceAll(/req_\w+/g, "req_"));
describe.each(KEYED_ENDPOINTS)("the $name endpoint", ({ start, toolset, info }) => {
  const endpoint = sharedByTests(() => start({ ATELIER_RATE_LIMITS: "off" }));

  describe("a plain HTTP client", () => {
    test("gets an error of its message as an event too, and a refusal always as JSON", async () => {
      const unknown = await endpoint.post(request("no/such"), { accept: "text/event-stream" });
      expect(eventsOf(unknown.text)).toEqual([
        expect.objectContaining({ id: 7, error: expect.objectContaining({ code: -32601 }) }),
      ]);
      const refused = await endpoint.post(request("tools/list"), {
        accept: "text/event-stream",
        authorization: null,
      });
      expect(refused.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(refused.status).toBe(401);
    });

    test("may send a charset in the content type and a byte order mark before the body", async () => {
      const answer = await endpoint.post(`\uFEFF${JSON.stringify(request("ping"))}`, {
        "content-type": "application/json; charset=utf-8",
      });
      expect(answer.json).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
    });

    test("may use any string as id", async () => {
      expect((await endpoint.post({ ...request("ping"), id: "é-1" })).json).toEqual({
        jsonrpc: "2.0",
        id: "é-1",
        result: {},
      });
    });
  });

  describe("older clients", () => {
    test("older clients that request an unknown version are offered their newest", async () => {
      const hello = await endpoint.post({
        ...INITIALIZE,
        params: { ...INITIALIZE.params, protocolVersion: "2020-01-01" },
      });
      expect(hello.json).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
    });

    test.each(["application/json", "text/event-stream"])(
      "get the same response to ping as %s from the fast path and the library",
      async (accept) => {
        // The library answers a ping with params.
        const judged = await endpoint.post(request("ping", {}), { accept });
        const plain = await endpoint.post(request("ping"), { accept });
        const [own, other] = [plain, judged].map(({ json, text }) => json ?? eventsOf(text));
        expect(own).toEqual(other);
        expect(plain.headers.get("content-type")).toBe(judged.headers.get("content-type"));
        expect(plain.status).toBe(judged.status);
      },
    );

    test("get no fields of newer protocols", async () => {
      const answer = (await endpoint.post(request("tools/list"))).json as { result: object };
      expect(Object.keys(answer.result)).toEqual(["tools"]);
    });

    test.each(["no/such", "resources/subscribe", "server/discover", "constructor", "__proto__"])(
      "get -32601 for %s",
      async (method) => {
        const answer = await endpoint.post(request(method));
        expect(answer.status).toBe(200);
        expect(answer.json).toMatchObject({
          id: 7,
          error: { code: -32601, data: { code: "method_not_allowed" } },
        });
      },
    );

    test.each([
      {},
      { protocolVersion: 5 },
      { protocolVersion: "2025-11-25" },
      { ...INITIALIZE.params, clientInfo: "me" },
    ])("get -32602 for a malformed initialize: %j", async (params) => {
      const answer = await endpoint.post({ ...INITIALIZE, params });
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({
        id: 1,
        error: { code: -32602, data: { code: "invalid_request", issues: expect.any(Array) } },
      });
    });
  });

  describe("current clients", () => {
    test("get the same response with and without the library's checks", async () => {
      // The library decodes and checks headers; plain ones skip it.
      for (const message of [
        callTool("list_models"),
        callTool("get_job", { job_id: "x" }),
        callTool("no_such"),
      ]) {
        const { body, headers } = asCurrent(message);
        const encoded = `=?base64?${Buffer.from(headers["mcp-name"] ?? "").toString("base64")}?=`;
        const plain = await endpoint.post(body, headers);
        const judged = await endpoint.post(body, { ...headers, "mcp-name": encoded });
        expect(judged.status).toBe(plain.status);
        expect(withoutRequestId(judged.text)).toEqual(withoutRequestId(plain.text));
      }
      const { body, headers } = asCurrent(request("tools/list"));
      expect((await endpoint.post(body, headers)).json).toEqual({
        jsonrpc: "2.0",
        id: 7,
        result: {
          ...toolset.listing,
          resultType: "complete",
          ttlMs: 300_000,
          cacheScope: "private",
          _meta: { "io.modelcontextprotocol/serverInfo": info },
        },
      });
    });
  });

  test("[MCP-15] an unknown tool or cursor is -32602 in every era", async () => {
    for (const message of [
      callTool("no_such"),
      callTool("__proto__"),
      request("tools/list", { cursor: "x" }),
    ]) {
      const current = asCurrent(message);
      for (const answer of [
        await endpoint.post(message),
        await endpoint.post(current.body, current.headers),
      ]) {
        expect(answer.status).toBe(200);
        expect(answer.json).toMatchObject({
          id: 7,
          error: { code: -32602, data: { code: "invalid_request", request_id: expect.any(String) } },
        });
      }
    }
  });

  test("invalid params of tools/call are -32602 in every era", async () => {
    for (const params of [
      {},
      { name: 5 },
      { name: "get_job", arguments: "x" },
      { name: "get_job", arguments: [] },
    ]) {
      const message = request("tools/call", params);
      const current = asCurrent(message);
      delete current.headers["mcp-name"];
      if ("name" in params) current.headers["mcp-name"] = String(params.name);
      for (const answer of [
        await endpoint.post(message),
        await endpoint.post(current.body, current.headers),
      ]) {
        expect(answer.json).toMatchObject({ id: 7, error: { code: -32602 } });
      }
    }
  });
});

test("Accept selects the form of the response", () => {
  expect(answerForm(undefined)).toBe("json");
  expect(answerForm("text/event-stream")).toBe("sse");
  expect(answerForm("Text/Event-Stream , application/json;q=0")).toBe("sse");
  expect(answerForm("application/json, text/event-stream;q=0.5")).toBe("auto");
  expect(answerForm("text/event-stream, */*")).toBe("auto");
  expect(answerForm("text/event-stream;q=0.0")).toBe("json");
  expect(answerForm("text/*")).toBe("sse");
  expect(answerForm("text/event-stream, application/*;q=0")).toBe("sse");
  expect(answerForm("text/event-stream;q=0, text/*")).toBe("json");
  expect(answerForm("text/event-stream;q=0.9, */*;q=0.1")).toBe("auto");
});

// server.json and docs/connect.md describe the endpoints correctly.
const ROOT = join(import.meta.dirname, "../..");
const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

const variables = z.record(z.string(), z.looseObject({ placeholder: z.string() })).default({});
/** The fields that are checked here; the schema checks the rest. */
const serverSchema = z.looseObject({
  $schema: z.literal(SCHEMA),
  remotes: z.array(
    z.looseObject({
      url: z.string(),
      variables,
      headers: z.array(z.looseObject({ value: z.string(), variables })).default([]),
    }),
  ),
});

const description = (): unknown => JSON.parse(readFileSync(join(ROOT, "server.json"), "utf8"));

test("server.json matches the registry's schema, which refuses invalid ones", () => {
  const schema = JSON.parse(
    readFileSync(join(import.meta.dirname, "registry/2025-12-11.json"), "utf8"),
  ) as object;
  expect(schema).toMatchObject({ $id: SCHEMA });
  // The one format of the schema; URLs with variables have none. "example" is a note, not a rule.
  const fits = new Ajv({ strict: false, formats: { uri: (text: string) => URL.canParse(text) } }).compile(
    schema,
  );
  expect(fits(description()), JSON.stringify(fits.errors)).toBe(true);
  const text = JSON.stringify(description());
  for (const [from, to] of [
    ['"name":"com.example/atelier"', '"name":"atelier"'],
    ['"type":"streamable-http"', '"type":"http"'],
    ['"isSecret":true', '"isSecret":"yes"'],
    ['"version":"1.0.0"', '"release":"1.0.0"'],
    ['"description":"Digital', `"description":"${"x".repeat(100)}`],
  ] as const) {
    expect(text).toContain(from);
    expect(fits(JSON.parse(text.replace(from, to))), to).toBe(false);
  }
});

test("server.json describes every endpoint with its key as a secret", () => {
  const { remotes } = serverSchema.parse(description());
  const described = remotes.map(({ url, variables: values, headers }) => [
    new URL(fillIn(url, values)).pathname,
    ...headers.map((header) => fillIn(header.value, header.variables).slice(0, "Bearer atl_gen_".length)),
  ]);
  expect(described).toEqual([
    [TOOL_SERVERS.catalog.path],
    [TOOL_SERVERS.generation.path, "Bearer atl_gen_"],
    [TOOL_SERVERS.member.path, "Bearer atl_mem_"],
  ]);
  for (const { headers } of remotes)
    for (const header of headers)
      expect(header).toMatchObject({ name: "Authorization", isRequired: true, isSecret: true });
});

test("the server cards list the protocol versions of the endpoints", () => {
  expect(PROTOCOL_VERSIONS).toEqual(
    [CURRENT_VERSION, ...SUPPORTED_PROTOCOL_VERSIONS].filter((version) => version >= "2025"),
  );
});

test.each([
  "deploy/Caddyfile",
  "deploy/helm/atelier/templates/ingress.yaml",
  "scripts/testbed/balancer-process.ts",
  "docs/architecture/overview.md",
  "docs/connect.md",
])("%s knows every endpoint", (file) => {
  const text = readFileSync(join(ROOT, file), "utf8");
  for (const { path } of Object.values(TOOL_SERVERS))
    expect(text).toMatch(new RegExp(`(?:[ "\`]|HOST)${path}[\\s,"\`]`));
});

function fillIn(template: string, values: z.output<typeof variables>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values[name]?.placeholder ?? "?");
}

const page = readFileSync(join(ROOT, "docs/connect.md"), "utf8");
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = "", text = ""]) => ({
  language,
  text,
}));

test("every configuration of the page is well-formed, with the endpoint's URL and the key", () => {
  const configurations = blocks.filter(({ text }) => /https:\/\/HOST\/(?!mcp)/.test(text));
  expect(configurations.length).toBe(16);
  for (const { language, text } of configurations) {
    if (language === "json") expect(() => JSON.parse(text) as unknown, text).not.toThrow();
    expect(text).toContain("https://HOST/api/mcp");
    expect(text).toMatch(/Authorization|bearer_token_env_var|auth=os\.environ\["ATELIER_KEY"\]/);
  }
});

test("the page's list of errors has the real statuses and codes", () => {
  const rows = [...page.matchAll(/^- (\d{3}) `(\w+)`/gm)];
  expect(rows.length).toBeGreaterThan(5);
  for (const [, status, code = ""] of rows) {
    expect(ERROR_TABLE).toHaveProperty(code);
    expect(String(ERROR_TABLE[code as keyof typeof ERROR_TABLE].http), code).toBe(status);
  }
});
