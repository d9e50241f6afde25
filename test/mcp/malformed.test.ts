import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test, beforeEach, describe } from "vitest";
import { ERROR_META } from "../../mcp/protocol/errors.ts";
import { sharedByTests } from "../support/shared.ts";
import { drawn } from "../support/thorough.ts";
import { startEndpoint, callerOf, textOf } from "./endpoint-server.ts";
import { startMemberEndpoint } from "./member/member-endpoint.ts";
import { asCurrent, callTool, CURRENT_META, INITIALIZE, PICTURE, request } from "./messages.ts";
import { type EndpointName, TOOL_CASES, TOOLSETS } from "./tool-cases.ts";

const endpoint = sharedByTests(() => startEndpoint({ ATELIER_RATE_LIMITS: "off" }));

const AT_ONCE = 20;
/** In each of five rounds. */
const SPOILT = drawn(2_000);
/** The allowed memory growth by 8,000 messages: less than 256 bytes each. */
const MAX_GROWTH_BYTES = 2 * 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

type Input = { body: string | Uint8Array; headers?: Record<string, string> };
type Answer = {
  jsonrpc?: string;
  error?: { code?: unknown; message?: unknown };
  result?: { isError?: boolean };
};

/** Sends all of them. Returns those that got neither a JSON-RPC error nor a failed tool call, or broke something. */
async function misanswered(inputs: Input[]): Promise<string[]> {
  const faults: string[] = [];
  for (let i = 0; i < inputs.length; i += AT_ONCE) {
    await Promise.all(
      inputs.slice(i, i + AT_ONCE).map(async ({ body, headers }) => {
        const reply = await endpoint.post(body, headers);
        if (reply.status >= 500 || !isError(reply.json as Answer | undefined)) {
          faults.push(
            `${reply.status} ${reply.text.slice(0, 300)} for ${Buffer.from(body).toString().slice(0, 300)}`,
          );
        }
      }),
    );
  }
  return [...faults, ...endpoint.errors];
}

function isError(answer: Answer | undefined): boolean {
  if (answer?.jsonrpc !== "2.0") return false;
  const { error, result } = answer;
  if (error === undefined) return result?.isError === true;
  return Number.isInteger(error.code) && error.code !== -32_603 && typeof error.message === "string";
}

const VALID = [
  INITIALIZE,
  request("tools/list"),
  callTool("connect_generate", PICTURE),
  callTool("get_job", { job_id: "job_1" }),
  request("resources/read", { uri: "atelier://docs/quickstart" }),
  request("prompts/get", { name: "poster", arguments: { subject: "a lighthouse" } }),
  request("completion/complete", {
    ref: { type: "ref/prompt", name: "poster" },
    argument: { name: "format", value: "p" },
  }),
];

test("messages with one replaced part", async () => {
  const parts = [
    "jsonrpc",
    "method",
    "params",
    "params.name",
    "params.arguments",
    "params.protocolVersion",
    "params.capabilities",
    "params.clientInfo",
    "params.cursor",
    "params.uri",
    "params.ref",
    "params.argument",
  ];
  const wrong: unknown[] = [
    null,
    5,
    1.5,
    true,
    [],
    [1],
    "",
    "__proto__",
    "\ud800",
    "\u0000",
    { toString: 1 },
    JSON.parse('{"__proto__":{"x":1}}'),
  ];
  const inputs = VALID.flatMap((message) =>
    parts
      .flatMap((part) => wrong.map((value) => ({ message, part, value })))
      .filter(({ part, value }) => spoils(message, part, value)),
  ).map(({ message, part, value }) => ({ body: JSON.stringify(replace(message, part, value)) }));
  expect(inputs.length).toBeGreaterThan(150);
  expect(await misanswered(inputs)).toEqual([]);
});

test("current messages with a corrupt envelope", async () => {
  const { headers } = asCurrent(request("tools/list"));
  const metas: unknown[] = [
    ...[null, 5, [], "x"].map((value) => ({
      ...CURRENT_META,
      "io.modelcontextprotocol/protocolVersion": value,
    })),
    ...[null, 5, "x", []].map((value) => ({
      ...CURRENT_META,
      "io.modelcontextprotocol/clientCapabilities": value,
    })),
    ...[null, 5, "x", []].map((value) => ({ ...CURRENT_META, "io.modelcontextprotocol/clientInfo": value })),
    { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
    { ...CURRENT_META, progressToken: {} },
    {},
    null,
    5,
    [],
  ];
  const inputs = metas.map((_meta) => ({
    body: JSON.stringify({ ...request("tools/list"), params: { _meta } }),
    headers,
  }));
  const odd = ["inputResponses", "requestState"].flatMap((field) =>
    [5, null, [], "x", {}].map((value) => {
      const current = asCurrent(callTool("no_such"));
      const body = {
        ...current.body,
        params: { ...(current.body as { params: object }).params, [field]: value },
      };
      return { body: JSON.stringify(body), headers: current.headers };
    }),
  );
  expect(await misanswered([...inputs, ...odd])).toEqual([]);
});

test("nesting up to the body's limit", async () => {
  const nested = [deep("[", "]", 30_000), deep('{"a":', "}", 9_000), deep("[", "]", 65)];
  const inputs = nested.flatMap((value) => [
    { body: value },
    { body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${value}}` },
    {
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"connect_generate","arguments":{"modality":"image","model_slug":"m","prompt":"p","params":{"x":${value}}}}}`,
    },
    { body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"x":${value}}}}` },
  ]);
  expect(await misanswered([...inputs, { body: "[".repeat(60_000) }])).toEqual([]);
});

test(`${5 * SPOILT} randomly corrupted messages leak no memory`, async () => {
  // A fixed seed, so that a wrong response can be reproduced.
  const spoilt = fc.oneof(
    fc.uint8Array({ maxLength: 400 }).map((body): Input => ({ body })),
    fc.jsonValue({ maxDepth: 6 }).map((value): Input => ({ body: JSON.stringify(value) })),
    fc.tuple(fc.constantFrom(...VALID), fc.double({ min: 0, max: 0.999, noNaN: true })).map(cut),
    fc.tuple(fc.constantFrom("[", '{"a":', '{"jsonrpc":"2.0","id":1,"params":'), fc.nat(10_000)).map(nest),
    fc.nat(70_000).map((length): Input => ({ body: `{"jsonrpc":"2.0","id":1,"x":"${"y".repeat(length)}"` })),
    fc.record({ jsonrpc: fc.jsonValue(), id: fc.jsonValue(), method: fc.jsonValue() }).map(wrongTypes),
    fc.tuple(fc.constantFrom(...VALID), fc.jsonValue({ maxDepth: 2 })).map(wrongMeta),
  );
  const round = (seed: number) => misanswered(fc.sample(spoilt, { numRuns: SPOILT, seed }));
  expect(await round(1)).toEqual([]);
  const before = heapBytes();
  for (const seed of [2, 3, 4, 5]) expect(await round(seed)).toEqual([]);
  expect(heapBytes() - before).toBeLessThan(MAX_GROWTH_BYTES);
});

function cut([message, where]: [object, number]): Input {
  const text = JSON.stringify(message);
  return { body: text.slice(0, Math.floor(where * text.length)) };
}

function nest([open, depth]: [string, number]): Input {
  return { body: open.repeat(Math.min(depth, Math.floor(60_000 / open.length))) };
}

function wrongTypes(parts: { jsonrpc: unknown; id: unknown; method: unknown }): Input {
  return { body: JSON.stringify({ ...parts, params: { name: "get_job" } }) };
}

/** A current message with another envelope. */
function wrongMeta([message, _meta]: [ReturnType<typeof request>, unknown]): Input {
  const { headers } = asCurrent(message);
  return { body: JSON.stringify({ ...message, params: { ...message.params, _meta } }), headers };
}

function heapBytes(): number {
  // The test's core records every call.
  endpoint.core.calls.length = 0;
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function deep(open: string, close: string, depth: number): string {
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

/** Whether the replacement makes the message invalid, not merely different. */
function spoils(
  { method, params }: { method: string; params?: object },
  part: string,
  value: unknown,
): boolean {
  if (part === "method") return value !== "ping";
  if (part === "params") return !isPlain(value) || method !== "tools/list";
  const [, field = ""] = part.split(".");
  if (part === "jsonrpc") return true;
  if (field === "cursor") return method === "tools/list";
  if (params === undefined || !(field in params)) return false;
  if (field === "protocolVersion")
    return typeof value !== "string" || value === "\ud800" || value === "\u0000";
  if (field === "capabilities") return !isPlain(value);
  return true;
}

function isPlain(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !Object.hasOwn(value, "__proto__")
  );
}

function replace(message: object, part: string, value: unknown): object {
  const [first = "", second] = part.split(".");
  const copy: Record<string, unknown> = structuredClone(message as Record<string, unknown>);
  if (second === undefined) copy[first] = value;
  else copy[first] = { ...(copy[first] as object | undefined), [second]: value };
  return copy;
}

// Invalid arguments as models send them: wrong types, far too many, invented ones. The endpoint refuses those outside the published schema
// by field without calling core, and valid ones cause no bug.
const members = sharedByTests(() => startMemberEndpoint({ ATELIER_RATE_LIMITS: "off" }));
beforeEach(() => {
  members.core.reset();
});

/** Each tool once, because the errors do not depend on the endpoint. */
const TOOLS = (Object.keys(TOOLSETS) as EndpointName[])
  .flatMap((endpoint) =>
    TOOLSETS[endpoint].listing.tools.map((tool) => ({ endpoint, name: tool.name, tool })),
  )
  .filter(({ name }, i, all) => all.findIndex((other) => other.name === name) === i);

const MANY = 1_000;
const WRONG: readonly unknown[] = [
  true,
  -1,
  1.5,
  1e21,
  "",
  "{}",
  "x".repeat(20_000),
  [],
  [null],
  Array.from({ length: MANY }, () => "x"),
  {},
  { a: { b: [1] } },
  Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`k${i}`, "v"])),
];

/** Valid beyond the published schema: several states may also be a list. */
const LENIENT = new Set(["list_jobs state"]);
/** Refusals that core may return for a valid request. */
const MAY_BE_TOLD = [
  "invalid_request",
  "job_not_found",
  "product_not_found",
  "model_not_available",
  "job_not_cancellable",
];

describe.each(TOOLS)("$name of the $endpoint endpoint", ({ endpoint, name, tool }) => {
  const {
    args: fitting,
    method,
    ...rest
  } = TOOL_CASES[`${endpoint} ${name}`] ?? TOOL_CASES[name] ?? { args: {} };
  // No call here should wait.
  const args = { ...fitting, ...("wait_seconds" in fitting && { wait_seconds: 0 }) };
  const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(tool.inputSchema);

  async function answer(changed: object): Promise<{ code: string | undefined; text: string }> {
    members.core.calls.length = 0;
    if (method !== undefined && "reply" in rest) members.core.say(method, rest.reply);
    const result = await callerOf(members.posts[endpoint])(name, changed);
    const error = result._meta?.[ERROR_META] as { code: string } | undefined;
    return { code: error?.code, text: textOf(result) };
  }

  function expectRefused({ code, text }: { code: string | undefined; text: string }, field: string): void {
    expect([code, text]).toEqual(["invalid_request", expect.stringContaining(field)]);
    expect(text).toContain(`then call ${name} again.`);
    // Too long to be repeated, and model input must not look like the service's own text.
    expect(text.length).toBeLessThan(2_000);
    expect(members.core.calls.map((call) => call.method)).not.toContain(method);
  }

  test("refuses unknown and missing arguments by name", async () => {
    expectRefused(await answer({ ...args, wait: 5 }), "wait is not a known field");
    for (const missing of tool.inputSchema.required ?? [])
      expectRefused(await answer({ ...args, [missing]: undefined }), `${missing} is required`);
  });

  const properties = Object.keys(tool.inputSchema.properties ?? {});
  test.runIf(properties.length > 0)(
    "refuses arguments that do not match its schema, field by field",
    async () => {
      for (const property of properties) {
        for (const wrong of WRONG) {
          const changed = { ...args, [property]: wrong };
          const answered = await answer(changed);
          if (!fits(changed) && !LENIENT.has(`${name} ${property}`)) expectRefused(answered, property);
          else if (answered.code !== undefined) expect(MAY_BE_TOLD).toContain(answered.code);
        }
      }
      expect(members.errors).toEqual([]);
    },
  );
});
