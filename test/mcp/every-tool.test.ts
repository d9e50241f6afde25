// Rules for every tool of all endpoints: it is listed and has a case, its result matches the published schema, and errors use the service's
// own texts.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createViews } from "../../mcp/views/tool-views.ts";
import { AppError, ERROR_TABLE, type ErrorCode } from "../../proto/codes.ts";
import { sharedByTests } from "../support/shared.ts";
import { AT } from "./core-in-memory.ts";
import { callerOf, eventsOf, type Post, textOf, type ToolResult } from "./endpoint-server.ts";
import { type MemberEndpoint, startMemberEndpoint } from "./member/member-endpoint.ts";
import { asCurrent, callTool, PICTURE, request } from "./messages.ts";
import { type EndpointName, TOOL_CASES, TOOLSETS } from "./tool-cases.ts";

let posts: MemberEndpoint["posts"];
const members = sharedByTests(() => startMemberEndpoint({ ATELIER_RATE_LIMITS: "off" }));
beforeAll(async () => {
  const generation: Post = (body, headers) =>
    members.posts.generation(body, { "mcp-session-id": "views-test", ...headers });
  posts = { ...members.posts, generation };
});
beforeEach(async () => {
  const { core, errors } = members;
  core.reset();
  core.jobs.clear();
  for (let made = 0; made < 2; made++) await posts.generation(callTool("connect_generate", PICTURE));
  core.complete("job_1");
  core.calls.length = 0;
  errors.length = 0;
});

/** As clients to whom every tool is listed. */
const SHOWS_VIEWS = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
};

const SHOWN = { ...TOOLSETS, generation: createViews("https://media.example")(TOOLSETS.generation) };
const TOOLS = (Object.keys(SHOWN) as EndpointName[]).flatMap((endpoint) =>
  SHOWN[endpoint].listing.tools.map((tool) => ({ endpoint, name: tool.name, tool })),
);

test("every tool in the code is listed at an endpoint, and has a case in tool-cases.ts", async () => {
  const folder = join(import.meta.dirname, "../../mcp/tools");
  const exported = await Promise.all(
    readdirSync(folder).map(async (file) => Object.values((await import(join(folder, file))) as object)),
  );
  const written = exported
    .flat()
    .flatMap((one) => (one as { listing?: { name: string } }).listing?.name ?? []);
  expect([...new Set(written)].toSorted()).toEqual([...new Set(TOOLS.map(({ name }) => name))].toSorted());
  const cases = Object.keys(TOOL_CASES).filter((name) => !name.includes(" "));
  expect(cases.toSorted()).toEqual([...new Set(written)].toSorted());
});

/** The same schema, without additional properties for objects. */
function exactly(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_name, node: unknown) =>
    typeof node === "object" && node !== null && "type" in node && "properties" in node
      ? { ...node, additionalProperties: false }
      : node,
  ) as object;
}

const INSIDE = "mongodb://core:27017 E11000 acc_foreign /srv/atelier/core/x.ts";
const BASE64 = Buffer.alloc(600, 7).toString("base64");

/** Every surface has one code for an unavailable catalog. */
const OF_CATALOG = new Set(["catalog.ListProducts", "catalog.GetProduct"]);
const CORE_AWAY = new Set<ErrorCode>(["service_unavailable", "deadline_exceeded"]);

const THROWN: readonly (() => unknown)[] = [
  () => new Error(INSIDE),
  () => ({ message: INSIDE, data: BASE64 }),
  () => new TypeError("failed", { cause: new Error(INSIDE) }),
  () => undefined,
];

/** Results outside core's contract, as far as the wire's types allow. */
const GARBAGE: [what: string, reply: unknown][] = [
  ["nothing", undefined],
  ["null", null],
  ["empty entries", { jobs: [null], models: [null], entries: [null], licences: [null] }],
  [
    "invalid JSON",
    {
      job_id: INSIDE,
      modality: INSIDE,
      state: INSIDE,
      params_json: `{${INSIDE}`,
      events: [{ detail_json: INSIDE }],
      jobs: [{ params_json: `{${BASE64}` }],
      models: [{ modality: "image", per: "image", status: "live", params_schema_json: `{"x": ${INSIDE}` }],
      entries: INSIDE,
      licences: INSIDE,
      body: Buffer.from(`<html>${INSIDE}</html>`),
    },
  ],
];

function expectNothingInside(text: string): void {
  for (const secret of INSIDE.split(" ")) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/[A-Za-z0-9+/]{200,}/);
  expect(text).not.toMatch(
    /\bat .*\.ts:\d|node_modules|TypeError|SyntaxError|ZodError|\bundefined\b|\[object/,
  );
}

describe.each(TOOLS)("$name of the $endpoint endpoint", ({ endpoint, name, tool }) => {
  const { args, method, ...rest } = TOOL_CASES[`${endpoint} ${name}`] ??
    TOOL_CASES[name] ?? { args: {}, meets: [] };

  beforeEach(() => {
    if (method !== undefined && "reply" in rest) members.core.say(method, rest.reply);
  });

  /** The response in its three forms. */
  async function answers(): Promise<{ text: string; result: ToolResult }[]> {
    const current = asCurrent(callTool(name, args), SHOWS_VIEWS);
    const post = posts[endpoint];
    const replies = [
      await post(callTool(name, args)),
      await post(callTool(name, args), { accept: "text/event-stream" }),
      await post(current.body, current.headers),
    ];
    return replies.map(({ status, text, json, headers }) => {
      expect(status).toBe(200);
      const isStream = headers.get("content-type")?.startsWith("text/event-stream");
      return { text, ...((isStream ? eventsOf(text)[0] : json) as { result: ToolResult }) };
    });
  }

  test("[MCP-16] returns a result that matches the client's output schema, without other fields", async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const validate = ajv.compile(exactly(tool.outputSchema as object));
    const { structuredContent } = await callerOf(posts[endpoint])(name, args);
    expect(validate(structuredContent), ajv.errorsText(validate.errors)).toBe(true);
    if (method !== undefined) expect(members.core.calls.map((call) => call.method)).toContain(method);
  });

  if (method === undefined) return;

  test.each(Object.keys(ERROR_TABLE) as ErrorCode[])("reports %s with a tool's message", async (code) => {
    members.core.fail(method, () => new AppError(code, { retryAfterSeconds: 3 }));
    for (const { text, result } of await answers()) {
      const said = textOf(result);
      expect(result).toMatchObject({ isError: true, content: [{ type: "text", text: said }] });
      expect(result).not.toHaveProperty("structuredContent");
      expect(said).toMatch(/^[^\n]+\.\n/);
      const told = OF_CATALOG.has(method) && CORE_AWAY.has(code) ? "catalog_unavailable" : code;
      expect(said).toMatch(new RegExp(`\nWhat to do: .+\\.\nCode: ${told}\\. Request: req_\\w+\\.$`));
      expect(said).not.toMatch(/GET \/|Retry-After|Idempotency-Key|Allow header/);
      expectNothingInside(text);
    }
    // Bugs log their cause.
    expect(members.errors).toHaveLength(code === "internal" ? 3 : 0);
  });

  async function expectAtFault(): Promise<void> {
    for (const { text, result } of await answers()) {
      const said = textOf(result);
      expect(said).toMatch(
        /^The service failed to handle the request\.\nWhat to do: .+\nCode: internal\. Request: /,
      );
      expectNothingInside(text);
      const id = /Request: (req_\w+)/.exec(said)?.[1] ?? "?";
      expect(members.errors.shift()).toMatch(new RegExp(`(?=.*${id})(?=.*"tool":"${name}")`));
    }
    expect(members.errors).toEqual([]);
  }

  test("[MEM-10] returns no internals, and logs each bug once", async () => {
    for (const thrown of THROWN) {
      members.core.fail(method, thrown);
      await expectAtFault();
    }
  });

  test.each(GARBAGE)(
    "reports an internal error, and nothing more, when core answers %s",
    async (_what, reply) => {
      members.core.say(method, reply);
      await expectAtFault();
    },
  );
});

test("a refused caller does not see core's own message", async () => {
  members.core.fail("accounts.Authenticate", () => new Error(INSIDE));
  const { status, text } = await posts.generation(request("tools/list"));
  expect(status).toBe(500);
  expectNothingInside(text);
  expect(members.errors).toHaveLength(1);
});

test("files are URLs and never data", async () => {
  const { text } = await posts.generation(callTool("get_job", { job_id: "job_1" }));
  expect(text).toContain("https://atelier.example/out_1");
  expect(text).toContain(AT);
  expect(text).not.toMatch(/[A-Za-z0-9+/]{200,}|"blob"|"data":"/);
});
