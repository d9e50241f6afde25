// The price of a generation on every surface: the same result, the refusals of generate, and no stored data.
import { beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../../proto/caller.ts";
import { fromMessage } from "../../proto/codec.ts";
import type { ErrorCode } from "../../proto/codes.ts";
import { estimateSchema } from "../../proto/resources/estimate.ts";
import { toGenerateRequest } from "../../proto/resources/job.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { callTool } from "../mcp/messages.ts";
import { createCustomer, makeKey } from "../support/app.ts";
import { GENERATE, PICTURE } from "../support/http-calls.ts";
import { refusalOf } from "../support/refusal.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";

const ESTIMATE = "/api/v1/connect/estimate";

let key: string;
let caller: Caller;
let accountId: string;
// No worker runs: new documents are from estimates only.
const service = sharedByTests(() => startWholeService({ worker: false }));
beforeAll(async () => {
  ({ key, caller, accountId } = await createCustomer(service.app, { credits: 100 }));
});

const ask = (path: string, body: object, by = key) =>
  service.call(path, { key: by, method: "POST", body: { ...PICTURE, ...body } });

/** Collections that core writes on any call. */
const OWN_BUSINESS = new Set(["catalog_state", "schema"]);

type ToolAnswer = { result: { isError?: boolean; structuredContent?: object; content: { text: string }[] } };

async function askTool(tool: string, body: object, by = key) {
  const call = callTool(tool, { ...PICTURE, ...body });
  const { body: answer } = await service.call<ToolAnswer>("/api/mcp", {
    key: by,
    method: "POST",
    body: call,
  });
  return answer.result;
}

/** What a generate request could have written. The last use of a key is stored for every call, and core has background writes. */
async function stored(): Promise<Record<string, unknown[]>> {
  const { db } = service.app.mongo;
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  const names = found.map(({ name }) => name).filter((name) => !OWN_BUSINESS.has(name));
  const rows = await Promise.all(
    names.sort().map(async (name) => [name, await db.collection(name).find().sort({ _id: 1 }).toArray()]),
  );
  const all = Object.fromEntries(rows) as Record<string, { last_used_at?: unknown }[]>;
  for (const one of all["api_keys"] ?? []) delete one.last_used_at;
  return all;
}

describe("an estimate", () => {
  test("[EST-01] is the same on REST, as a tool and over gRPC, for a read key too, and stores nothing", async () => {
    const { secret: reader } = await makeKey(service.app, accountId, { name: "reader", scope: "read" });
    const before = await stored();
    const body = { params: { count: 3 }, metadata: { order: "7" } };
    const expected = {
      modality: "image",
      model_slug: "picture",
      credits: 30,
      units: 3,
      per: "image",
      priced_by: { version: 1, unit: "image", units: 3, credits: 10, when: null },
      estimated_seconds: 1,
      params: { count: 3 },
      credits_available: 100,
      affordable: true,
      key_credits_left: null,
      needs_confirmation: false,
    };
    const rest = await ask(ESTIMATE, body, reader);
    expect([rest.status, rest.body]).toEqual([200, { ok: true, result: expected }]);
    const told = await askTool("estimate_generation", body);
    expect(told.structuredContent).toEqual(expected);
    expect(told.content[0]?.text).toContain("costs 30 credits");
    const message = toGenerateRequest({ ...PICTURE, modality: "image", ...body }, "order-1");
    expect(fromMessage(estimateSchema, await service.core.jobs.Estimate(message, { caller }))).toEqual(
      expected,
    );
    expect(await stored()).toEqual(before);
    // Defaults are filled in, so that the priced params are visible.
    expect((await ask(ESTIMATE, {})).body["result"]).toMatchObject({ credits: 10, params: { count: 1 } });
  });

  test("[EST-02] [ERR-04] reports too few credits, and the price that generate charges", async () => {
    const poor = await createCustomer(service.app, { credits: 9 });
    const { status, body } = await ask(ESTIMATE, {}, poor.key);
    expect(status).toBe(200);
    expect(body["result"]).toMatchObject({ credits: 10, credits_available: 9, affordable: false });
    expect((await ask(GENERATE, {}, poor.key)).body).toMatchObject({
      code: "insufficient_credits",
      credits_required: 10,
      credits_available: 9,
    });
  });

  test("[EST-03] knows the remaining monthly limit of the key, and refuses a higher price", async () => {
    const customer = await createCustomer(service.app, { credits: 100 });
    const { secret } = await makeKey(service.app, customer.accountId, { name: "little", maxCredits: 25 });
    expect((await ask(GENERATE, {}, secret)).status).toBe(202);
    expect((await ask(ESTIMATE, {}, secret)).body["result"]).toMatchObject({ key_credits_left: 15 });
    const [asked, made] = [
      await ask(ESTIMATE, { params: { count: 2 } }, secret),
      await ask(GENERATE, { params: { count: 2 } }, secret),
    ];
    expect(asked.body).toMatchObject({ code: "spend_limit_reached", limit: 25, used: 10 });
    expect({ ...asked.body, request_id: "" }).toEqual({ ...made.body, request_id: "" });
  });

  const refused: [ErrorCode, object][] = [
    ["invalid_request", { prompt: " " }],
    ["invalid_request", { prompt: "x".repeat(4001) }],
    ["invalid_request", { params: { count: 0, colour: "red" } }],
    ["invalid_request", { unknown: 1 }],
    ["invalid_request", { metadata: { a: 1 } }],
    ["model_not_available", { model_slug: "nothing" }],
    ["modality_mismatch", { modality: "audio" }],
    ["callback_url_refused", { callback_url: "https://10.0.0.1/" }],
    ["spend_limit_reached", { max_credits: 9 }],
  ];
  test.each(refused)("[EST-04] responds to %s as generate does: %j", async (code, body) => {
    const [asked, made] = [await ask(ESTIMATE, body), await ask(GENERATE, body)];
    expect(asked.body).toMatchObject({ code });
    expect([asked.status, { ...asked.body, request_id: "" }]).toEqual([
      made.status,
      { ...made.body, request_id: "" },
    ]);
    const told = [await askTool("estimate_generation", body), await askTool("connect_generate", body)];
    // Except for the name of the tool to call again.
    const own = /req_\w+|(?<=call )(?:estimate_generation|connect_generate)(?= again)/g;
    const words = told.map(({ isError, content }) => [isError, content[0]?.text.replaceAll(own, "")]);
    expect(words[0]).toEqual(words[1]);
    expect(words[0]?.[0]).toBe(true);
  });

  test("[EST-04] is refused over gRPC as generate is", async () => {
    const message = toGenerateRequest(
      { modality: "image", model_slug: "picture", prompt: "a", params: { count: 9 } },
      undefined,
    );
    const { jobs } = service.core;
    expect(await refusalOf(jobs.Estimate(message, { caller }))).toEqual(
      await refusalOf(jobs.Generate(message, { caller })),
    );
  });
});

describe("the caller's own account", () => {
  test("[ME-01] shows account, plan, key, spending limit, available credits, and waiting and running jobs", async () => {
    const customer = await createCustomer(service.app, { credits: 100 });
    const made = await makeKey(service.app, customer.accountId, {
      name: "nightly",
      expiresAt: new Date("2099-01-01T00:00:00.000Z"),
      maxCredits: 50,
    });
    await ask(GENERATE, {}, made.secret);
    const answer = await service.call<{ result: object }>("/api/me", { key: made.secret });
    expect(answer.status).toBe(200);
    expect(answer.body.result).toEqual({
      account_id: customer.accountId,
      plan: expect.objectContaining({ plan: "pro", name: "Pro", concurrency: 5, api: true }),
      key: expect.objectContaining({
        key_id: made.key.key_id,
        name: "nightly",
        scope: "write",
        masked: made.key.masked,
        expires_at: "2099-01-01T00:00:00.000Z",
        max_credits: 50,
        credits_this_month: 10,
      }),
      credits_available: 90,
      jobs: { waiting: 1, running: 0 },
      rate_limits: null,
    });
    expect(answer.text).not.toContain(made.secret);
    expect(answer.text).not.toContain(hashApiKey(made.secret));
  });

  test("[ME-02] is readable with a read key, with its rate limits where there are any", async () => {
    const { secret } = await makeKey(service.app, accountId, { name: "reader", scope: "read" });
    const limited = await service.openEdge({
      ATELIER_RATE_LIMITS: "on",
      ATELIER_RATE_GENERATE: "7",
      ATELIER_RATE_API: "70",
    });
    const { body } = await limited.call<{ result: object }>("/api/me", { key: secret });
    expect(body.result).toMatchObject({
      key: { scope: "read", max_credits: null, credits_this_month: null },
      rate_limits: { generate_per_minute: 7, requests_per_minute: 70 },
    });
  });

  test("[ME-03] includes the key's spending limit in the tool get_credits", async () => {
    const { key: unlimited, accountId: owner } = await createCustomer(service.app, { credits: 100 });
    const { secret } = await makeKey(service.app, owner, { name: "little", maxCredits: 25 });
    await ask(GENERATE, {}, secret);
    const told = async (by: string) => {
      const init = { key: by, method: "POST", body: callTool("get_credits") };
      const { content, structuredContent } = (await service.call<ToolAnswer>("/api/mcp", init)).body.result;
      return { text: content[0]?.text, structured: structuredContent };
    };
    const limited = await told(secret);
    expect(limited.text).toContain("may spend 25 credits in a calendar month (UTC); 15 are left");
    expect(limited.structured).toMatchObject({ key_max_credits: 25, key_credits_left: 15 });
    const { text, structured } = await told(unlimited);
    expect(text).not.toContain("may spend");
    expect(structured).not.toHaveProperty("key_credits_left");
  });

  test("[ME-03] is in a refusal: the requested and remaining credits and the next step, on every surface", async () => {
    const { accountId: owner } = await createCustomer(service.app, { credits: 100 });
    const { secret } = await makeKey(service.app, owner, { name: "little", maxCredits: 25 });
    const { body } = await ask(GENERATE, { params: { count: 3 } }, secret);
    expect(body).toMatchObject({ limit: 25, used: 0, left: 25, credits_required: 30 });
    const refused = await askTool("connect_generate", { params: { count: 3 } }, secret);
    for (const said of [
      "costs 30 credits",
      "has 25 left of its 25",
      "list_models",
      "Credits needed: 30.",
      "Left of the limit: 25.",
    ])
      expect(refused.content[0]?.text).toContain(said);
    // Not a matter of the account's credits, which suffice.
    expect(refused.content[0]?.text).not.toContain("Credits available");
  });

  test("is shown to a signed-in person, without a key", async () => {
    const person = { caller: { kind: "account", accountId, source: "app" } } as const;
    expect((await service.core.accounts.GetMe({}, person)).key ?? null).toBeNull();
  });
});
