import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { AppError } from "../../proto/codes.ts";
import { GENERATION_TOOLSET } from "../../mcp/generation/tools.ts";
import { eventsOf, startEndpoint, type TestEndpoint } from "./endpoint-server.ts";
import { AT } from "./fake-core.ts";
import { asCurrent, callTool, PICTURE, request } from "./messages.ts";

let endpoint: TestEndpoint;
beforeAll(async () => {
  endpoint = await startEndpoint({ ATELIER_RATE_LIMITS: "off" });
});
afterAll(() => endpoint.close());
afterEach(() => {
  endpoint.core.failures.clear();
  endpoint.core.replies.clear();
  endpoint.core.jobs.clear();
  endpoint.errors.length = 0;
});

const INSIDE = "mongodb://core:27017 E11000 acc_foreign /srv/atelier/core/x.ts";
const BASE64 = Buffer.alloc(600, 7).toString("base64");

/** Each tool with arguments that fit, and the call of core that it lives on. */
const TOOLS: [name: string, args: object, method: string][] = [
  ["connect_generate", PICTURE, "Generate"],
  ["get_job", { job_id: "job_1" }, "GetJob"],
  ["list_jobs", {}, "ListJobs"],
  ["cancel_job", { job_id: "job_1" }, "CancelJob"],
  ["list_models", {}, "ListModels"],
  ["get_credits", {}, "GetBalance"],
  ["list_ledger", {}, "ListLedger"],
];

const THROWN: [what: string, thrown: () => unknown, code: string][] = [
  [
    "core is away",
    () => new AppError("service_unavailable", { retryAfterSeconds: 2 }),
    "service_unavailable",
  ],
  [
    "core takes too long",
    () => new AppError("deadline_exceeded", { retryAfterSeconds: 2 }),
    "deadline_exceeded",
  ],
  ["core is at fault", () => new AppError("internal"), "internal"],
  ["an error tells too much", () => new Error(INSIDE), "internal"],
  ["something else is thrown", () => ({ message: INSIDE, data: BASE64 }), "internal"],
  ["a cause tells too much", () => new TypeError("failed", { cause: new Error(INSIDE) }), "internal"],
];

/** What no core of ours answers, as far as the types of the wire let it through. */
const GARBAGE: [what: string, reply: unknown][] = [
  ["nothing", undefined],
  ["null", null],
  ["empty entries", { jobs: [null], models: [null], entries: [null] }],
  [
    "JSON that is none",
    {
      job_id: INSIDE,
      modality: INSIDE,
      state: INSIDE,
      params_json: `{${INSIDE}`,
      events: [{ detail_json: INSIDE }],
      jobs: [{ params_json: `{${BASE64}` }],
      models: [{ modality: "image", per: "image", status: "live", params_schema_json: `{"x": ${INSIDE}` }],
      entries: INSIDE,
    },
  ],
];

test("every tool is provoked", () => {
  expect(TOOLS.map(([name]) => name)).toEqual(GENERATION_TOOLSET.listing.tools.map(({ name }) => name));
});

/** The answer in the three forms that clients get it in. */
async function answersOf(name: string, args: object): Promise<string[]> {
  const current = asCurrent(callTool(name, args));
  const answers = [
    await endpoint.post(callTool(name, args)),
    await endpoint.post(callTool(name, args), { accept: "text/event-stream" }),
    await endpoint.post(current.body, current.headers),
  ];
  for (const { status } of answers) expect(status).toBe(200);
  return answers.map(({ text, headers }) =>
    headers.get("content-type")?.startsWith("text/event-stream") ? JSON.stringify(eventsOf(text)[0]) : text,
  );
}

function expectNothingInside(text: string): void {
  for (const secret of INSIDE.split(" ")) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/[A-Za-z0-9+/]{200,}/);
  expect(text).not.toMatch(
    /\bat .*\.ts:\d|node_modules|TypeError|SyntaxError|ZodError|\bundefined\b|\[object/,
  );
}

describe.each(TOOLS)("%s", (name, args, method) => {
  test.each(THROWN)("says what to do and nothing else when %s", async (_what, thrown, code) => {
    endpoint.core.failures.set(method, thrown);
    for (const text of await answersOf(name, args)) {
      const { result } = JSON.parse(text) as { result: { isError?: boolean; content: { text: string }[] } };
      expect(result).toMatchObject({ isError: true });
      expect(result).not.toHaveProperty("structuredContent");
      expect(result.content[0]?.text).toMatch(new RegExp(`What to do: .+\nCode: ${code}\\. Request: req_`));
      expectNothingInside(text);
    }
  });
});

// The answer to get_credits is numbers only, and the wire's types let nothing else through.
describe.each(TOOLS.filter(([name]) => name !== "get_credits"))("%s", (name, args, method) => {
  test.each(GARBAGE)(
    "is at fault, and says no more than that, when core answers with %s",
    async (_what, reply) => {
      endpoint.core.replies.set(method, reply);
      for (const text of await answersOf(name, args)) {
        expect(text).toContain("Code: internal.");
        expectNothingInside(text);
      }
      expect(endpoint.errors).toHaveLength(3);
    },
  );
});

test("a caller that is refused hears nothing of why core refused it in its own words", async () => {
  endpoint.core.failures.set("Authenticate", () => new Error(INSIDE));
  const { status, text } = await endpoint.post(request("tools/list"));
  expect(status).toBe(500);
  expectNothingInside(text);
  expect(endpoint.errors).toHaveLength(1);
});

test("files are addresses and never data", async () => {
  await endpoint.post(callTool("connect_generate", PICTURE));
  endpoint.core.complete("job_1");
  const { text } = await endpoint.post(callTool("get_job", { job_id: "job_1" }));
  expect(text).toContain("https://atelier.example/out_1");
  expect(text).toContain(AT);
  expect(text).not.toMatch(/[A-Za-z0-9+/]{200,}|"blob"|"data":"/);
});
