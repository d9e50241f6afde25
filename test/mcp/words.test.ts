// Every error that each tool of each endpoint can return, by REST's declarations for the same operation, so that a new tool or code without
// a text fails here.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { GENERATION_WORDS } from "../../mcp/generation/tools.ts";
import { MEMBER_TOOLSET, MEMBER_WORDS } from "../../mcp/member/tools.ts";
import { toFailedTool } from "../../mcp/protocol/call-tool.ts";
import { ERROR_META, toRpcError, toToolFailure } from "../../mcp/protocol/errors.ts";
import type { Toolset } from "../../mcp/protocol/tool.ts";
import type { ErrorWords } from "../../mcp/protocol/words.ts";
import { AppError, ERROR_TABLE, type ErrorCode, isErrorCode } from "../../proto/codes.ts";
import type { toApiError } from "../../proto/resources/error.ts";
import { type EndpointName, TOOL_CASES, TOOLSETS } from "./tool-cases.ts";

const MAX_WORDS = 60;
const WAIT_SECONDS = 7;

type Face = { endpoint: EndpointName; toolset: Toolset; words: ErrorWords };

const FACES: [name: string, face: Face][] = [
  ["the catalog", { endpoint: "catalog", toolset: TOOLSETS.catalog, words: {} }],
  ["generation", { endpoint: "generation", toolset: TOOLSETS.generation, words: GENERATION_WORDS }],
  ["members", { endpoint: "member", toolset: TOOLSETS.member, words: MEMBER_WORDS }],
  ["members without the API", { endpoint: "member", toolset: MEMBER_TOOLSET, words: MEMBER_WORDS }],
];

/** Errors of any tool call. */
const ANY_CALL: readonly ErrorCode[] = ["invalid_request", "rate_limited", "internal"];
const CORE_AWAY: readonly ErrorCode[] = ["service_unavailable", "deadline_exceeded"];
/** The key or its rights may be lost between check and call. Then the user has to act, and no tool helps. */
const OF_KEYS: Readonly<Record<Face["endpoint"], readonly ErrorCode[]>> = {
  catalog: [],
  generation: ["invalid_key", "insufficient_scope", "plan_excludes_api", "account_suspended"],
  member: ["invalid_key", "membership_inactive", "plan_excludes_api", "account_suspended"],
};
/** Refusals before the tool is known: of the HTTP request, or of its message. */
const OF_MESSAGES: readonly ErrorCode[] = [
  "missing_key",
  "origin_not_allowed",
  "method_not_allowed",
  "unsupported_media_type",
  "body_too_large",
  "invalid_json",
];
/** Errors of other surfaces only. */
const ELSEWHERE: readonly ErrorCode[] = [
  "not_signed_in",
  "invalid_link",
  "request_forged",
  "not_found",
  "job_not_ended",
  "hold_ended",
  "ticket_closed",
  "key_limit_reached",
  "range_not_satisfiable",
  "invalid_signature",
  "not_for_sale",
  "already_owned",
  "price_changed",
  "membership_required",
  "order_not_payable",
  "order_conflict",
  "trial_unavailable",
  "generation_failed",
];

type Operation = {
  operationId: string;
  responses: Record<string, { content?: Record<string, { examples?: object }> }>;
};

const { paths } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../gateway/__snapshots__/openapi.json"), "utf8"),
) as { paths: Record<string, Record<string, Operation>> };

const OPERATIONS = new Map(
  Object.values(paths).flatMap((item) =>
    Object.values(item).map(({ operationId, responses }) => {
      const codes = Object.values(responses).flatMap(({ content }) =>
        Object.keys(content?.["application/json"]?.examples ?? {}).filter(isErrorCode),
      );
      return [operationId, codes] as const;
    }),
  ),
);

/** Every error that a tool can return at an endpoint. */
function codesOf(tool: string, { endpoint }: Face): ErrorCode[] {
  const { meets, method } = TOOL_CASES[`${endpoint} ${tool}`] ?? TOOL_CASES[tool] ?? {};
  if (meets === undefined) throw new Error(`tool-cases.ts does not say which errors ${tool} can meet`);
  const own = meets.flatMap((operation) => {
    const codes = OPERATIONS.get(operation);
    if (!codes) throw new Error(`REST has no operation ${operation}`);
    return codes;
  });
  const ofOthers = new Set(Object.values(OF_KEYS).flat().concat(OF_MESSAGES));
  return [
    ...new Set([
      ...ANY_CALL,
      ...(method === undefined ? [] : CORE_AWAY),
      ...own.filter((code) => !ofOthers.has(code)),
      ...OF_KEYS[endpoint],
    ]),
  ];
}

/** The names that a caller of the endpoint knows: its tools, their arguments and results, and names in texts. */
function knownNames({ listing }: Toolset): Set<string> {
  const names = new Set(["output_id"]);
  JSON.stringify(listing.tools, (name, value: unknown) => {
    if (name === "properties" && typeof value === "object" && value !== null)
      for (const property of Object.keys(value)) names.add(property);
    return value;
  });
  for (const { name } of listing.tools) names.add(name);
  return names;
}

/** Text that means nothing to a tool's caller: placeholders, missing values, REST paths and headers, and fields of REST errors. */
const UNREADABLE =
  /[{}]|\b(?:undefined|null|NaN)\b|\b(?:GET|POST|PUT|PATCH|DELETE) \/|\/api\/|\b(?:[A-Z][a-z]+-)+[A-Z][a-z]+\b|\bissues\b/;

function expectReadable(text: string): void {
  expect(text).not.toMatch(UNREADABLE);
  expect(text.split(/\s+/).length, text).toBeLessThanOrEqual(MAX_WORDS);
}

describe.each(FACES)("for %s", (name, face) => {
  const { endpoint, toolset, words } = face;
  const rows = toolset.listing.tools.flatMap((tool) =>
    codesOf(tool.name, face).map((code) => [tool.name, code] as const),
  );

  test.each(rows)("%s reports %s with what happened and the next call", (toolName, code) => {
    const tool = toolset.find(toolName);
    if (!tool) throw new Error(`${toolName} is not listed`);
    // An error without details, which has the shortest text.
    const error = new AppError(code, ERROR_TABLE[code].retryable ? { retryAfterSeconds: WAIT_SECONDS } : {});
    const {
      content,
      isError,
      _meta = {},
      structuredContent,
    } = toToolFailure(error, words, toFailedTool(tool), "req_1");
    expect([isError, structuredContent]).toEqual([true, undefined]);
    const [{ text = "" } = {}] = content as { text?: string }[];
    expectReadable(text);
    expect(text).toMatch(new RegExp(`\nCode: ${code}\\. Request: req_1\\.$`));
    const { message, hint, ...rest } = _meta[ERROR_META] as ReturnType<typeof toApiError>;
    expect(text.startsWith(`${message}\n`)).toBe(true);
    expect(text).toContain(`What to do: ${hint}\n`);
    expect(rest).toMatchObject({ code, error: message, request_id: "req_1" });

    const known = knownNames(toolset);
    const named = hint.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
    const isAboutKey = OF_KEYS[endpoint].includes(code);
    // The text for a missing tool says that it returns.
    const strange = named.filter((one) => !known.has(one) && !(isAboutKey && one === "connect_generate"));
    expect(strange, `${name}: ${hint}`).toEqual([]);
    if (isAboutKey) expect(hint).toMatch(/settings|support|website|plan/);
    else
      expect(
        named.some((one) => toolset.find(one)),
        hint,
      ).toBe(true);
    if (ERROR_TABLE[code].retryable && code !== "internal") expect(hint).toContain("Wait 7 seconds");
  });

  test.each([...OF_MESSAGES, ...OF_KEYS[endpoint], ...ANY_CALL, ...CORE_AWAY])(
    "a message refused with %s gives the next step without naming a tool",
    (code) => {
      const error = new AppError(
        code,
        ERROR_TABLE[code].retryable ? { retryAfterSeconds: WAIT_SECONDS } : {},
      );
      const { error: told } = toRpcError(error, words, { id: null, requestId: "req_1" });
      expect(told.message).not.toMatch(/[{}]|\bundefined\b|GET \/|\bissues\b/);
      expect(told.message.split(/\s+/).length).toBeLessThanOrEqual(MAX_WORDS);
      expect(told.data).toMatchObject({ code, request_id: "req_1" });
      expect(told.message).toBe(`${told.data.message} ${told.data.hint}`);
      for (const named of told.message.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [])
        if (!named.startsWith("atl_")) expect(knownNames(TOOLSETS.member)).toContain(named);
    },
  );
});

test("[MCP-28] every code occurs in a tool, in a message, or only elsewhere, and in exactly one of these", () => {
  const met = new Set([
    ...FACES.flatMap(([, face]) => face.toolset.listing.tools.flatMap(({ name }) => codesOf(name, face))),
    ...OF_MESSAGES,
  ]);
  expect(ELSEWHERE.filter((code) => met.has(code))).toEqual([]);
  expect([...met, ...ELSEWHERE].toSorted()).toEqual(Object.keys(ERROR_TABLE).toSorted());
});

test("a call that may have created something is repeated with its idempotency_key, or looked up first; others are just repeated", () => {
  const hint = (name: string, code: ErrorCode): string => {
    const tool = TOOLSETS.generation.find(name);
    if (!tool) throw new Error(`${name} is not listed`);
    const error = new AppError(code, { retryAfterSeconds: 2 });
    const { _meta = {} } = toToolFailure(error, GENERATION_WORDS, toFailedTool(tool), "req_1");
    return (_meta[ERROR_META] as { hint: string }).hint;
  };
  const made =
    "Wait 2 seconds, then call connect_generate again with the same idempotency_key; without one, see in list_jobs first whether the job was made.";
  expect(hint("connect_generate", "deadline_exceeded")).toBe(made);
  expect(hint("connect_generate", "service_unavailable")).toBe(made);
  expect(hint("connect_generate", "rate_limited")).toBe("Wait 2 seconds, then call connect_generate again.");
  expect(hint("list_models", "deadline_exceeded")).toBe("Wait 2 seconds, then call list_models again.");
});

test("messages name their numbers, and only those of the error", () => {
  const told = (numbers: Record<string, number>): string => {
    const tool = { name: "connect_generate", takesIdempotencyKey: true };
    const error = new AppError("spend_limit_reached", { numbers });
    const [{ text = "" } = {}] = toToolFailure(error, {}, tool, "req_1").content as { text?: string }[];
    return text.split("\n")[1] ?? "";
  };
  expect(told({ limit: 10, used: 4, credits_required: 12 })).toBe(
    "Credits needed: 12. Limit: 10. Used of the limit: 4.",
  );
  expect(told({ credits_required: 12, credits_available: 5 })).toBe(
    "Credits needed: 12. Credits available: 5.",
  );
});
