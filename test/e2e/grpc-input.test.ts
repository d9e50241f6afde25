// Core refuses over gRPC what REST refuses, with the same code and issues, and charges nothing.
import { beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../../proto/caller.ts";
import type { GenerateRequestInput } from "../../proto/types/atelier/v1/GenerateRequest.ts";
import { createCustomer } from "../support/app.ts";
import { GENERATE, PICTURE } from "../support/http-calls.ts";
import { refusalOf } from "../support/refusal.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";

let key: string;
let caller: Caller;
const service = sharedByTests(() => startWholeService());
beforeAll(async () => {
  ({ key, caller } = await createCustomer(service.app, { plan: "studio", credits: 1_000 }));
});

type Refused = { code: unknown; issues: unknown };

async function overRest(path: string, init: { body?: unknown; headers?: Record<string, string> } = {}) {
  const method = init.body === undefined ? "GET" : "POST";
  const { body } = await service.call<Refused>(path, { key, method, ...init });
  return { code: body.code, issues: body.issues };
}

async function overGrpc(work: Promise<unknown>): Promise<Refused> {
  const { code, issues } = await refusalOf(work);
  return { code, issues };
}

const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, "v"]));
/** Text, because JSON.stringify fails on such deep nesting. */
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("[RPC-03] Generate", () => {
  const refused: [string, Partial<GenerateRequestInput>][] = [
    ["an empty prompt", { prompt: "" }],
    ["a blank prompt", { prompt: " \n\t" }],
    ["a prompt that is too long", { prompt: "x".repeat(4001) }],
    ["a prompt with a NUL character", { prompt: "a\u0000b" }],
    ["a modality that does not exist", { modality: "smell" }],
    ["no modality", { modality: "" }],
    ["no model", { model_slug: "" }],
    ["a model's slug that is too long", { model_slug: "x".repeat(101) }],
    ["21 pairs of metadata", { metadata: pairs(21) }],
    ["a long name in metadata", { metadata: { ["k".repeat(65)]: "v" } }],
    ["a long value in metadata", { metadata: { k: "v".repeat(513) } }],
    ["a callback_url that is none", { callback_url: "not a url" }],
    ["an empty callback_url", { callback_url: "" }],
    ["a long callback_url", { callback_url: `https://example.com/${"x".repeat(2048)}` }],
    ["params that are a list", { params_json: "[1]" }],
    ["params nested 64 deep", { params_json: nested(64) }],
    ["params with a name that reaches a prototype", { params_json: '{"__proto__":{"count":2}}' }],
    ["params with a NUL character", { params_json: '{"style":"a\\u0000"}' }],
    ["params with half of a surrogate pair", { params_json: '{"style":"\\ud800"}' }],
    ["params with too large a number", { params_json: '{"count":1e999}' }],
    ["params nested 5,000 deep", { params_json: nested(5_000) }],
    ["everything wrong at once", { modality: "", model_slug: "", prompt: "", metadata: pairs(30) }],
  ];

  test.each(refused)("%s", async (_what, change) => {
    const { params_json = "{}", ...rest } = { ...PICTURE, ...change };
    // The public log takes the account's entries in its own time.
    const balance = async () => ({
      ...(await service.core.credits.GetBalance({}, { caller })),
      logged_seq: undefined,
    });
    const before = await balance();
    const body = `${JSON.stringify(rest).slice(0, -1)},"params":${params_json}}`;
    const told = await overRest(GENERATE, { body });
    expect(told.code).toBe("invalid_request");
    const message: GenerateRequestInput = { ...PICTURE, ...change };
    expect(await overGrpc(service.core.jobs.Generate(message, { caller }))).toEqual(told);
    expect(await balance()).toEqual(before);
  });

  test.each([
    ["empty", ""],
    ["with a space", "two words"],
    ["outside ASCII", "ключ"],
    ["too long", "k".repeat(256)],
  ])("an Idempotency-Key: %s", async (_what, idempotency_key) => {
    expect(await overGrpc(service.core.jobs.Generate({ ...PICTURE, idempotency_key }, { caller }))).toEqual({
      code: "invalid_request",
      issues: [{ path: "idempotency_key", message: "must be 1 to 255 visible ASCII characters" }],
    });
  });

  test("refuses params_json that is not JSON", async () => {
    for (const params_json of ["{", "undefined", "[".repeat(5_000)]) {
      expect(await overGrpc(service.core.jobs.Generate({ ...PICTURE, params_json }, { caller }))).toEqual({
        code: "invalid_request",
        issues: [{ path: "params", message: "is not valid JSON" }],
      });
    }
  });

  test("accepts the input of a gateway", async () => {
    const request = {
      ...PICTURE,
      metadata: pairs(20),
      idempotency_key: "grpc-1",
      params_json: '{"count":2}',
    };
    const first = await service.core.jobs.Generate(request, { caller });
    expect(first).toMatchObject({ state: "reserved", credits_reserved: 20, replayed: false });
    expect(await service.core.jobs.Generate(request, { caller })).toMatchObject({
      job_id: first.job_id,
      replayed: true,
    });
  });

  test("[ERR-44] [MCP-19] treats null for a param as absent, on every surface, under one key too", async () => {
    const headers = { "idempotency-key": "nulls-1" };
    const post = (more: object) =>
      service.call<{ result: { job_id: string } }>(GENERATE, {
        key,
        method: "POST",
        headers,
        body: { ...PICTURE, ...more },
      });
    const first = await post({ params: { count: null }, callback_url: null, metadata: null });
    expect(first.status).toBe(202);
    const { job_id } = first.body.result;
    expect((await post({})).body.result.job_id).toBe(job_id);
    const overWire = { ...PICTURE, params_json: '{"count":null}', idempotency_key: "nulls-1" };
    expect(await service.core.jobs.Generate(overWire, { caller })).toMatchObject({ job_id, replayed: true });
    const nulls = { ...PICTURE, params: null, idempotency_key: "nulls-1", wait_seconds: null };
    const { structuredContent } = await service.tool(key, "connect_generate", nulls);
    expect(structuredContent).toMatchObject({ job_id, replayed: true });
  });
});

describe("[RPC-03] lists", () => {
  const long = "c".repeat(513);

  type Filter = Record<string, string | number>;
  const CALLS = {
    ListJobs: ["/api/jobs", (filter: Filter) => service.core.jobs.ListJobs(filter, { caller })],
    ListLedger: [
      "/api/credits/ledger",
      (filter: Filter) => service.core.credits.ListLedger(filter, { caller }),
    ],
    ListModels: ["/api/models", (filter: Filter) => service.core.models.ListModels(filter, { caller })],
  } as const;

  test.each<[keyof typeof CALLS, string, Filter]>([
    ["ListJobs", "an unknown state", { state: "lost" }],
    ["ListJobs", "an unknown modality", { modality: "smell" }],
    ["ListJobs", "a limit above the maximum", { limit: 101 }],
    ["ListJobs", "a negative limit", { limit: -1 }],
    ["ListJobs", "a long cursor", { cursor: long }],
    ["ListJobs", "an invalid cursor", { cursor: "bm9ib2R5" }],
    ["ListJobs", "several errors", { state: "lost", modality: "smell", limit: 101, cursor: long }],
    ["ListLedger", "an unknown kind", { kind: "gift" }],
    ["ListLedger", "a long job_id", { job_id: "j".repeat(65) }],
    ["ListLedger", "an invalid since", { since: "yesterday" }],
    ["ListLedger", "an until without a time zone", { until: "2026-01-31T12:00:00" }],
    ["ListLedger", "a limit above the maximum", { limit: 101 }],
    ["ListLedger", "a long cursor", { cursor: long }],
    [
      "ListLedger",
      "several errors",
      { kind: "gift", job_id: "j".repeat(65), since: "x", until: "y", limit: -5, cursor: long },
    ],
    ["ListModels", "an unknown modality", { modality: "smell" }],
  ])("%s with %s", async (method, _what, filter) => {
    const [path, ask] = CALLS[method];
    const query = new URLSearchParams(
      Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const told = await overRest(`${path}?${query.toString()}`);
    expect(told.code).toBe("invalid_request");
    expect(await overGrpc(ask(filter))).toEqual(told);
  });

  test.each([-1, 61])("GetJob with a wait of %d seconds", async (wait_seconds) => {
    const { job_id } = await service.core.jobs.Generate({ ...PICTURE }, { caller });
    expect(await overGrpc(service.core.jobs.GetJob({ job_id, wait_seconds }, { caller }))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "wait_seconds" }],
    });
  });

  test("WatchJob from a negative event", async () => {
    const { job_id } = await service.core.jobs.Generate({ ...PICTURE }, { caller });
    const watch = async () => {
      for await (const _ of service.core.jobs.WatchJob({ job_id, after_seq: -1 }, { caller })) return;
    };
    expect(await overGrpc(watch())).toEqual({
      code: "invalid_request",
      issues: [{ path: "after_seq", message: "must be at least 0" }],
    });
  });
});

describe("[RPC-03] an operator's service", () => {
  test("refuses JSON of a model that is nested too deep", async () => {
    const model = {
      model_slug: "deep",
      name: "Deep",
      modality: "image",
      description: "For tests.",
      credits: 1,
      per: "generation",
      estimated_seconds: 1,
      max_prompt_length: 100,
      params_schema_json: '{"type":"object","properties":{},"additionalProperties":false}',
      provider: "test",
    };
    const rest = { provider_model: "test", run_timeout_seconds: 30, provider_options_json: "{}" };
    const deep = nested(5_000);
    const tooDeep = (field: string) => ({
      code: "invalid_request",
      issues: [
        { path: expect.stringMatching(`^${field}\\.a\\.a`), message: "is nested more than 64 levels deep" },
      ],
    });
    expect(
      await overGrpc(service.core.admin.AddModel({ ...rest, model: { ...model, params_schema_json: deep } })),
    ).toEqual(tooDeep("params_schema"));
    expect(
      await overGrpc(service.core.admin.AddModel({ ...rest, model, provider_options_json: deep })),
    ).toEqual(tooDeep("provider_options"));
  });

  test("refuses a product row that is nested too deep", async () => {
    const row = { line: 1, json: `{"slug":"deep","name":"Deep","tagline":${nested(5_000)}}` };
    const { findings } = await service.core.catalogAdmin.ImportProducts({ rows: [row] });
    expect(findings).toMatchObject([{ line: 1, path: "tagline" }]);
  });

  test("refuses a grant with an empty idempotency_key, which all such grants would share", async () => {
    const grant = { account: "nobody@example.com", amount: 1, kind: "grant", idempotency_key: "" };
    expect(await overGrpc(service.core.admin.GrantCredits(grant))).toEqual({
      code: "invalid_request",
      issues: [{ path: "idempotency_key", message: "must not be empty" }],
    });
  });
});

test("[RPC-03] a call with a key or account but without atelier-source gets an error about the source", async () => {
  const { accountId } = await createCustomer(service.app);
  for (const nobody of [
    { ...caller, source: "" },
    { ...caller, source: "web" },
    { kind: "account" as const, accountId, source: "" },
  ]) {
    const refused = await refusalOf(service.core.credits.GetBalance({}, { caller: nobody as Caller }));
    expect(refused).toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/^atelier-source must be one of api, app, mcp, member, system beside /),
      issues: [{ path: "atelier-source", message: expect.any(String) }],
      hint: expect.stringContaining("atelier-source"),
    });
  }
  const none = await refusalOf(service.core.credits.GetBalance({}, { caller: { kind: "none" } }));
  expect(none.code).toBe("missing_key");
});
