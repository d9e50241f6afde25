// Every response that an operation declares, by code and status, is provoked over HTTP and compared with the declaration. Each has a case,
// each case is declared, and hidden resources look unknown, byte for byte.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GENERATION_WORDS } from "../../mcp/generation/tools.ts";
import { toToolFailure } from "../../mcp/protocol/errors.ts";
import { AppError, ERROR_TABLE, type ErrorCode, isErrorCode } from "../../proto/codes.ts";
import { createCustomer } from "../support/app.ts";
import { type Contract, createContract, type OpenApiDocument } from "../support/contract.ts";
import type { Answer } from "../support/http-calls.ts";
import { CASES } from "./declared-cases.ts";
import { createFixture, HIDDEN_PRODUCT, NO_JOB, NO_WORKFLOW, type Fixture } from "./declared-world.ts";

type Response = { headers?: object; content?: Record<string, { examples?: Record<string, unknown> }> };
type Operation = { operationId: string; tags: string[]; responses: Record<string, Response> };
type Declared = { method: string; path: string; operation: Operation };

let world: Fixture;
let declared: Map<string, Declared>;
let contract: Contract;
beforeAll(async () => {
  world = await createFixture();
  const { body } = await world.service.call<OpenApiDocument>("/openapi.json");
  contract = createContract(body);
  declared = new Map(
    Object.entries(body.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([verb, operation]) => {
        const one = operation as unknown as Operation;
        return [one.operationId, { method: verb.toUpperCase(), path, operation: one }] as const;
      }),
    ),
  );
});
afterAll(() => world.close());

const ROWS = Object.entries(CASES).flatMap(([operation, cases]) =>
  Object.entries(cases).map(([answer, provoke]) => [operation, answer, provoke] as const),
);

test("[ERR-45] every declared response has a case, and every case is a declared response", () => {
  const pairs = new Set(
    [...declared].flatMap(([id, { operation }]) =>
      Object.entries(operation.responses).flatMap(([status, { content = {} }]) => {
        const codes = Object.keys(content["application/json"]?.examples ?? {});
        return (Number(status) >= 400 ? codes : [status]).map((answer) => `${id} ${answer}`);
      }),
    ),
  );
  const cases = new Set(ROWS.map(([operation, answer]) => `${operation} ${answer}`));
  expect(pairs.size).toBeGreaterThan(150);
  expect({
    withoutCase: [...pairs].filter((pair) => !cases.has(pair)),
    notDeclared: [...cases].filter((pair) => !pairs.has(pair)),
  }).toEqual({ withoutCase: [], notDeclared: [] });
});

describe.concurrent("[ERR-45] [ERR-01] [CALL-01] [ERR-13] [ERR-14] [ERR-15] [ERR-18] [ERR-21] [ERR-23] [AUTH-01] [AUTH-05] [GEN-13] [JOB-01] [ERR-17] the declared responses", () => {
  test.each(ROWS)("%s answers %s", async (id, name, provoke) => {
    const answer = await provoke(world);
    const { method, path, operation } = declared.get(id) ?? {};
    if (!method || !path || !operation) throw new Error(`nothing declares ${id}`);
    const { status, headers, text } = answer;
    const contentType = headers.get("content-type") ?? undefined;
    if (isErrorCode(name)) expectRefusal(answer, name, operation);
    else expectSuccess(answer, Number(name), operation);
    // Last, because a wrong code says more than a body that does not match.
    expect(contract.check(method, path, { status, contentType, text })).toBe(true);
  });
});

/** Codes with a field: for a job request, the param whose file it is. */
const NAMES_FIELDS: ReadonlySet<ErrorCode> = new Set([
  "invalid_request",
  "idempotency_mismatch",
  "upload_not_found",
  "unsupported_input",
  "upload_too_large",
  "upload_limit_reached",
  "input_unreachable",
]);

/** The whole error, an ApiError or OpenAI's, with the code's other fields. */
function expectRefusal(
  { status, headers, body }: Answer<unknown>,
  code: ErrorCode,
  { operationId, tags }: Operation,
): void {
  const error = body as Record<string, unknown>;
  const { http, retryable } = ERROR_TABLE[code];
  const isOpenAi = tags.includes("OpenAI-compatible");
  if (isOpenAi) {
    const message: unknown = expect.stringMatching(/^\S.*\.$/s);
    const param: unknown = NAMES_FIELDS.has(code) ? expect.toSatisfy(isTextOrNull) : null;
    expect(error).toEqual({ error: { code, message, type: expect.any(String), param } });
  } else {
    expect(error).toMatchObject({
      code,
      message: expect.stringMatching(/^\S.*\.$/s),
      hint: expect.stringMatching(/^\S.*\.$/s),
      docs: `/docs/errors#${code}`,
      request_id: headers.get("x-request-id"),
    });
    expect(error["error"]).toBe(error["message"]);
    // An unreadable request line has no fields.
    const isAboutFields =
      error["hint"] !== "Check the request line and the headers, then send the request again.";
    if (code === "invalid_request" && isAboutFields) expectFieldsNamed(error);
    expectBriefAsTool(code, error);
    expect(error["ok"]).toBe(tags.includes("Catalog") ? undefined : false);
  }
  expect(status).toBe(http);
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("www-authenticate")).toBe(status === 401 ? 'Bearer realm="atelier"' : null);
  const wait = headers.get("retry-after");
  if (!isOpenAi) expect(wait === null ? undefined : Number(wait)).toBe(error["retry_after_seconds"]);
  expect(wait !== null, "Retry-After").toBe(retryable && code !== "internal");
  expect(headers.has("ratelimit")).toBe(code === "rate_limited");
  expect(headers.has("content-range")).toBe(code === "range_not_satisfiable");
  // A refusal of one workflow step names the step.
  if (!NAMES_FIELDS.has(code) && operationId !== "runWorkflow") expect(error).not.toHaveProperty("issues");
}

/** An invalid request names each wrong field, and the message names the first. */
function expectFieldsNamed({ message, issues }: Record<string, unknown>): void {
  expect(issues).toEqual(
    expect.arrayContaining([{ path: expect.any(String), message: expect.stringMatching(/^\S/) }]),
  );
  const [{ path = "" } = {}] = issues as { path?: string }[];
  expect(String(message).toLowerCase()).toContain((path || "The body").toLowerCase());
  expect(message).not.toContain("Invalid input");
}

/** Assistants read the same refusal, with all of this operation's details, in at most 60 words. */
function expectBriefAsTool(code: ErrorCode, { message, hint, ...rest }: Record<string, unknown>): void {
  const numbers = Object.fromEntries(Object.entries(rest).filter(([, value]) => typeof value === "number"));
  const said = { message: String(message), hint: String(hint), numbers: numbers as Record<string, number> };
  const tool = { name: "connect_generate", takesIdempotencyKey: true };
  const { content } = toToolFailure(new AppError(code, said), GENERATION_WORDS, tool, "req_1");
  const [{ text = "" } = {}] = content as { text?: string }[];
  expect(text.split(/\s+/).length, text).toBeLessThanOrEqual(60);
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === "string";
}

/** Headers that depend on more than the status: a feed has no Last-Modified within two seconds of a change. */
const SOMETIMES = [
  "ratelimit",
  "ratelimit-policy",
  "idempotency-replayed",
  "preference-applied",
  "last-modified",
];

function expectSuccess(
  { status, headers, text }: Answer<unknown>,
  expected: number,
  operation: Operation,
): void {
  expect(status).toBe(expected);
  const { headers: told = {}, content } = operation.responses[status] ?? {};
  const missing = Object.keys(told).filter(
    (name) => !headers.has(name) && !SOMETIMES.includes(name.toLowerCase()),
  );
  expect(missing, "declared headers that are not there").toEqual([]);
  expect(text === "").toBe(content === undefined);
}

describe("[ERR-11] the response for a hidden resource equals that for an unknown one, byte for byte:", () => {
  const ofJob = (id: string, output: string) => [
    ["GET", `/api/jobs/${id}`],
    ["GET", `/api/jobs/${id}?wait=5`],
    ["GET", `/api/jobs/${id}/events`],
    ["POST", `/api/jobs/${id}/cancel`],
    ["GET", `/api/jobs/${id}/outputs/${output}`],
    ["GET", `/api/jobs/${id}/callbacks`],
    ["POST", `/api/jobs/${id}/callbacks/redeliver`],
    ["GET", `/api/credits/ledger?job_id=${id}`],
  ];

  const ofWorkflow = (id: string) => [
    ["GET", `/api/workflows/${id}`],
    ["GET", `/api/workflows/${id}?wait=5`],
    ["POST", `/api/workflows/${id}/cancel`],
  ];

  /** The response without its time. */
  async function told(method: string, path: string, key: string): Promise<object> {
    const answer = await world.service.call(path, { method, key, headers: { "x-request-id": "the-same" } });
    const { date: _, ...headers } = Object.fromEntries(answer.headers);
    return { status: answer.status, headers, text: answer.text };
  }

  test("another account's job, its files and its ledger, and its workflow", async () => {
    const { key } = await createCustomer(world.service.app);
    const hidden = [
      ...ofJob(world.ended.job_id, world.ended.outputs[0]?.output_id ?? ""),
      ...ofWorkflow(world.workflow),
    ];
    const missing = [...ofJob(NO_JOB, "out_00000000000000000000000000"), ...ofWorkflow(NO_WORKFLOW)];
    for (const [i, [method = "", path = ""]] of hidden.entries())
      expect(await told(method, path, key), path).toEqual(await told(method, missing[i]?.[1] ?? "", key));
    for (const [method = "", path = ""] of hidden.filter(([verb]) => verb === "GET"))
      expect(await told(method, path, world.key), path).toMatchObject({ status: 200 });
  });

  test("a product that is not public", async () => {
    const [hidden, missing] = await Promise.all(
      [HIDDEN_PRODUCT, "nothing"].map((slug) => told("GET", `/api/catalog/${slug}`, world.key)),
    );
    expect(hidden).toMatchObject({ status: 404 });
    expect(hidden).toEqual(missing);
  });
});
