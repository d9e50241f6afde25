// Invalid arguments as models send them: wrong types, far too many, invented ones. The endpoint refuses those outside the published schema
// by field without calling core, and valid ones cause no bug.
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeEach, describe, expect, test } from "vitest";
import { ERROR_META } from "../../mcp/protocol/errors.ts";
import { sharedByTests } from "../support/shared.ts";
import { callerOf, textOf } from "./endpoint-server.ts";
import { startMemberEndpoint } from "./member/member-endpoint.ts";
import { type EndpointName, TOOL_CASES, TOOLSETS } from "./tool-cases.ts";

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
