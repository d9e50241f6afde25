// The tool endpoint as assistants and plain HTTP clients use it, on the whole service.
import { beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../../proto/caller.ts";
import { fromMessage, fromMessages } from "../../proto/codec.ts";
import { balanceSchema, ledgerEntrySchema } from "../../proto/resources/credits.ts";
import { jobSchema } from "../../proto/resources/job.ts";
import { type ModelResource, modelSchema } from "../../proto/resources/model.ts";
import { createMember } from "../core/shop/memberships/members.ts";
import { asCurrent, callTool, INITIALIZE, request } from "../mcp/messages.ts";
import { createCustomer, makeKey } from "../support/app.ts";
import { type CallInit, PICTURE } from "../support/http-calls.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";

type RpcAnswer = {
  jsonrpc: "2.0";
  id: number | string | null;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data: Record<string, unknown> };
};

let key: string;
const service = sharedByTests(() => startWholeService());
beforeAll(async () => {
  ({ key } = await createCustomer(service.app));
});

const post = (body: unknown, headers: NonNullable<CallInit["headers"]> = {}) =>
  service.call<RpcAnswer>("/api/mcp", { key, method: "POST", body, headers });

describe("a client that speaks JSON-RPC over HTTP", () => {
  test.each(["/api/mcp", "/api/member/mcp"])(
    "[MCP-02] [MEM-02] needs no session, initialize or Accept at %s, and gets JSON",
    async (path) => {
      const member = await createMember(service, service.core);
      const own = path === "/api/mcp" ? key : member.key;
      const ask = (body: unknown, accept: string | null) =>
        service.call<RpcAnswer>(path, { key: own, method: "POST", body, headers: { accept } });
      for (const accept of [
        null,
        "*/*",
        "application/json",
        "text/html",
        "application/json, text/event-stream",
      ])
        for (const message of [INITIALIZE, request("tools/list"), callTool("get_credits")]) {
          const answer = await ask(message, accept);
          expect([answer.status, answer.headers.get("content-type")]).toEqual([
            200,
            expect.stringMatching(/^application\/json/),
          ]);
          expect(answer.body.result).toBeTypeOf("object");
          expect(answer.headers.get("mcp-session-id")).toBeNull();
        }
      const events = await ask(request("tools/list"), "text/event-stream");
      expect(events.headers.get("content-type")).toMatch(/^text\/event-stream/);
      expect(JSON.parse(/^data: (.+)$/m.exec(events.text)?.[1] ?? "")).toMatchObject({ id: 7, result: {} });
    },
  );

  test.each(["2025-11-25", "2025-06-18", "2025-03-26"])(
    "[MCP-03] may use the older protocol %s",
    async (protocolVersion) => {
      const hello = await post({ ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion } });
      expect(hello.body.result).toMatchObject({
        protocolVersion,
        capabilities: { tools: { listChanged: false } },
      });
      const headers = { "mcp-protocol-version": protocolVersion };
      expect(
        (await post({ jsonrpc: "2.0", method: "notifications/initialized" }, headers)).status,
        "[MCP-05]",
      ).toBe(202);
      expect((await post(callTool("list_models"), headers)).body.result).toMatchObject({
        structuredContent: { models: expect.any(Array) },
      });
    },
  );

  test("[MCP-04] may use the current protocol 2026-07-28, with server/discover and without state between calls", async () => {
    const discover = asCurrent(request("server/discover"));
    expect((await post(discover.body, discover.headers)).body.result).toMatchObject({
      supportedVersions: ["2026-07-28"],
    });
    const tools = asCurrent(request("tools/list"));
    expect((await post(tools.body, tools.headers)).body.result).toMatchObject({ ttlMs: 300_000 });
    const call = asCurrent(callTool("connect_generate", PICTURE));
    expect((await post(call.body, call.headers)).body.result).toMatchObject({
      structuredContent: { state: "reserved" },
    });
  });
});

describe("the tools", () => {
  test("[MCP-08] connect_generate is the same operation, waits on request, and returns files as URLs, never as data", async () => {
    const result = await service.tool(key, "connect_generate", {
      ...PICTURE,
      wait_seconds: 20,
      idempotency_key: "one",
    });
    expect(result.structuredContent).toMatchObject({
      state: "completed",
      credits_reserved: 10,
      replayed: false,
    });
    const [output] = (result.structuredContent?.["outputs"] ?? []) as { url: string }[];
    expect(result.content.map(({ type }) => type)).toEqual(["text", "resource_link"]);
    expect(result.content[1]).toMatchObject({ uri: output?.url, mimeType: "image/png" });
    expect((await fetch(output?.url ?? "")).status).toBe(200);
    const jobId = result.structuredContent?.job_id ?? "";
    expect(await service.waitForEnd(key, jobId)).toMatchObject({ job_id: jobId, source: "mcp" });
    const again = await service.tool(key, "connect_generate", { ...PICTURE, idempotency_key: "one" });
    expect(again.structuredContent).toMatchObject({ job_id: jobId, replayed: true });
  });

  test.each([
    ["/api/mcp", "mcp"],
    ["/api/member/mcp", "member"],
  ])(
    "[MCP-12] [MEM-05] the reading tools of %s match REST and gRPC, field by field",
    async (path, source) => {
      const member = await createMember(service, service.core);
      const { accountId } = member;
      const made = await makeKey(service.app, accountId);
      const own = source === "member" ? member : { key: made.secret, keyId: made.key.key_id };
      const told = async (name: string, args: Record<string, unknown> = {}) => {
        const init = { key: own.key, method: "POST", body: callTool(name, args) };
        const { structuredContent } = (await service.call<RpcAnswer>(path, init)).body.result ?? {};
        expect(structuredContent).toBeDefined();
        return structuredContent as Record<string, unknown>;
      };
      const read = <T>(from: string) => service.read<T>(from, made.secret);
      // An internal service that acts for the same account.
      const caller: Caller = { kind: "account", accountId, source: "app" };
      const { jobs, credits, models } = service.core;
      type Page = { data: Record<string, unknown>[]; next_cursor: string | null };

      const metadata = { order: "1" };
      const { job_id } = (await told("connect_generate", { ...PICTURE, metadata })) as { job_id: string };
      const job = await told("get_job", { job_id, wait_seconds: 20 });
      expect(job["outputs"]).toHaveLength(1);
      const whole = await service.waitForEnd(made.secret, job_id);
      expect(whole).toMatchObject({ ...job, source, metadata });
      expect(fromMessage(jobSchema, await jobs.GetJob({ job_id }, { caller }))).toEqual(whole);

      await told("connect_generate", { ...PICTURE, wait_seconds: 20 });
      const listed = await read<Page>("/api/jobs?limit=1");
      const { jobs: newest } = await told("list_jobs", { limit: 1 });
      expect(listed.data).toMatchObject(newest as object[]);
      expect(await told("list_jobs", { limit: 1, cursor: listed.next_cursor })).toMatchObject({
        jobs: [{ job_id }],
        next_cursor: null,
      });
      const ids = (await jobs.ListJobs({ limit: 10 }, { caller })).jobs.map((one) => one.job_id);
      expect(ids).toEqual([listed.data[0]?.["job_id"], job_id]);

      const videos = (await read<{ data: ModelResource[] }>("/api/models?modality=video")).data;
      expect(videos).not.toEqual([]);
      const shown = videos.map(({ params_schema: { properties }, ...model }) => ({
        ...model,
        params: Object.keys(properties ?? {}),
      }));
      expect({ models: shown }).toMatchObject(await told("list_models", { modality: "video" }));
      for (const model of (await read<{ data: ModelResource[] }>("/api/models")).data)
        expect({ models: [model] }).toMatchObject(await told("list_models", { model: model.model_slug }));
      const offered = await models.ListModels({ modality: "video" }, { caller });
      expect(fromMessages(modelSchema, offered.models)).toEqual(videos);

      const balance = await read<object>("/api/credits/balance");
      const shownCredits = await told("get_credits");
      expect(shownCredits).toMatchObject({ available: expect.any(Number) });
      expect(balance).toMatchObject(shownCredits);
      expect(fromMessage(balanceSchema, await credits.GetBalance({}, { caller }))).toEqual(balance);

      const ledger = await read<Page>(`/api/credits/ledger?job_id=${job_id}`);
      expect(ledger.data.map(({ kind, source: from, key_id }) => [kind, from, key_id])).toEqual([
        ["debit", source, own.keyId],
        ["reserve", source, own.keyId],
      ]);
      expect({ entries: ledger.data, next_cursor: null }).toMatchObject(
        await told("list_ledger", { job_id }),
      );
      const { entries } = await credits.ListLedger({ limit: 50, job_id }, { caller });
      expect(fromMessages(ledgerEntrySchema, entries)).toEqual(ledger.data);
    },
  );
});

test("[MCP-09] [MCP-27] a failed tool returns a message with the numbers, the code and the request id, and REST's error for the same request, in both protocol eras", async () => {
  const poor = await createCustomer(service.app, { credits: 3 });
  const ended = await service.tool(key, "connect_generate", { ...PICTURE, wait_seconds: 20 });
  const jobId = ended.structuredContent?.job_id ?? "";
  const generate = "/api/v1/connect/generate";
  const changed = [
    { max_credits: 1 },
    { model_slug: "no-such" },
    { modality: "audio" },
    { prompt: "" },
    { params: { nope: 1 }, extra: true },
    { callback_url: "https://me:secret@example.com/" },
  ];
  type Case = readonly [tool: string, args: object, path: string, key: string];
  const cases: Case[] = [
    ["connect_generate", PICTURE, generate, poor.key],
    ...changed.map((change): Case => ["connect_generate", { ...PICTURE, ...change }, generate, key]),
    ["cancel_job", { job_id: jobId }, `/api/jobs/${jobId}/cancel`, key],
    ["cancel_job", { job_id: "job_none" }, "/api/jobs/job_none/cancel", key],
  ];
  const codes = new Set<unknown>();
  for (const [tool, args, path, by] of cases) {
    const body = path === generate ? args : undefined;
    const rest = await service.call(path, { key: by, method: "POST", body });
    const { hint: _hint, request_id: _id, ok: _ok, ...same } = rest.body;
    codes.add(same["code"]);
    const current = asCurrent(callTool(tool, args));
    for (const answer of [
      await service.rpc<RpcAnswer>(by, callTool(tool, args)),
      await service.call<RpcAnswer>("/api/mcp", { key: by, method: "POST", ...current }),
    ]) {
      const { _meta, isError, content } = answer.body.result as {
        _meta: Record<string, object>;
        isError: boolean;
        content: { text: string }[];
      };
      const request_id = answer.headers.get("x-request-id");
      expect([tool, args, isError, _meta["atelier/error"]]).toEqual([
        tool,
        args,
        true,
        { ...same, hint: expect.any(String), request_id },
      ]);
      expect(content).toEqual([{ type: "text", text: expect.any(String) }]);
      expect(content[0]?.text).toMatch(/What to do: .+/);
      expect(content[0]?.text).toContain(`Code: ${String(same["code"])}. Request: ${request_id}.`);
      if (by === poor.key) expect(content[0]?.text).toContain("Credits needed: 10. Credits available: 3.");
    }
  }
  expect([...codes]).toEqual([
    "insufficient_credits",
    "spend_limit_reached",
    "model_not_available",
    "modality_mismatch",
    "invalid_request",
    "callback_url_refused",
    "job_not_cancellable",
    "job_not_found",
  ]);
});

test("the audit is clean and no 5xx was logged after all tests", async () => {
  expect(await service.audit()).toEqual([]);
  expect(service.errors).toEqual([]);
});
