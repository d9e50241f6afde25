import { request as httpRequest } from "node:http";
import { describe, expect, test } from "vitest";
import { LOCAL_MODELS } from "../../core/studio/models/seed.ts";
import { describeLedgerEntry } from "../../mcp/jobs/describe.ts";
import { NO_INPUT } from "../../mcp/protocol/client-input.ts";
import { waitForJob } from "../../mcp/tools/wait.ts";
import { AppError } from "../../proto/codes.ts";
import type { LedgerEntryResource } from "../../proto/resources/credits.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { countTokens } from "../support/count-tokens.ts";
import { type Method, untilAborted } from "../support/fake-core.ts";
import { newForEachTest } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { AT, ENDPOINTS, GUIDE, MODEL } from "./core-in-memory.ts";
import {
  eventsOf,
  type Reply,
  startEndpoint,
  type TestEndpoint,
  textOf,
  type ToolResult,
} from "./endpoint-server.ts";
import { asCurrent, callTool, PICTURE, request } from "./messages.ts";

const endpoint = newForEachTest(() => startEndpoint({ ATELIER_RATE_LIMITS: "off" }));

const call: TestEndpoint["call"] = (...how) => endpoint.call(...how);

describe("connect_generate", () => {
  test("makes REST's call of core, and returns immediately with the job and the next step", async () => {
    const args = {
      ...PICTURE,
      params: { width: 64 },
      metadata: { order: "1" },
      callback_url: "https://client.example/done",
      idempotency_key: "k-1",
    };
    const result = await call("connect_generate", args);
    const [generate] = endpoint.core.calls.filter(({ method }) => method === "jobs.Generate");
    expect(generate).toMatchObject({
      request: {
        modality: "image",
        model_slug: "canvas-one",
        prompt: "a lighthouse",
        params_json: '{"width":64}',
        metadata: { order: "1" },
        callback_url: "https://client.example/done",
        idempotency_key: "k-1",
      },
      options: { caller: { kind: "key", source: "mcp" }, requestId: expect.stringMatching(/^req_/) },
    });
    expect(result).toEqual({
      content: [
        {
          type: "text",
          text: "Job job_1: reserved (image, canvas-one).\nCredits reserved: 4. It takes about 2 seconds once it runs.\nNext: call get_job with this job_id and wait_seconds up to 45 until the job has ended.",
        },
      ],
      structuredContent: {
        job_id: "job_1",
        state: "reserved",
        modality: "image",
        model_slug: "canvas-one",
        credits_reserved: 4,
        estimated_seconds: 2,
        replayed: false,
      },
    });
  });

  test("reports a used idempotency_key", async () => {
    await call("connect_generate", { ...PICTURE, idempotency_key: "once" });
    const again = await call("connect_generate", { ...PICTURE, idempotency_key: "once" });
    expect(again.structuredContent).toMatchObject({ job_id: "job_1", replayed: true });
    expect(textOf(again)).toMatch(/^This idempotency_key was used before/);
    expect(endpoint.core.jobs.size).toBe(1);
  });

  test("waits for the job and returns its files as text, link and data", async () => {
    const answer = call("connect_generate", { ...PICTURE, wait_seconds: 45 });
    await waitFor("the job", () => endpoint.core.calls.some(({ method }) => method === "jobs.GetJob"));
    endpoint.core.complete("job_1");
    const result = await answer;
    const uri = "https://atelier.example/out_1?sig=x";
    expect(result.content).toEqual([
      {
        type: "text",
        text: `Job job_1: completed (image, canvas-one).\nCredits charged: 4.\nFile out_1: ${uri} (image/png, 64 x 32, 1234 bytes, kept until ${AT})`,
      },
      {
        type: "resource_link",
        uri,
        name: "out_1",
        title: "image by canvas-one",
        mimeType: "image/png",
        size: 1234,
      },
    ]);
    expect(result.structuredContent).toMatchObject({
      job_id: "job_1",
      state: "completed",
      credits_charged: 4,
      error: null,
      outputs: [{ url: uri, mime_type: "image/png", sha256: "ab".repeat(32), expires_at: AT }],
    });
  });

  test("waits no longer than requested, and gives core the time it needs", async () => {
    const result = await call("connect_generate", { ...PICTURE, wait_seconds: 1 });
    expect(result.structuredContent).toMatchObject({ state: "reserved" });
    const [wait] = endpoint.core.calls.filter(({ method }) => method === "jobs.GetJob");
    expect(wait).toMatchObject({
      request: { job_id: "job_1", wait_seconds: 1 },
      options: { deadlineMs: 11_000 },
    });
  });

  test("still names the created job when it cannot watch it", async () => {
    endpoint.core.fail("jobs.GetJob", () => new AppError("service_unavailable", { retryAfterSeconds: 2 }));
    const result = await call("connect_generate", { ...PICTURE, wait_seconds: 5 });
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toMatchObject({ job_id: "job_1", state: "reserved" });
  });
});

describe("get_job", () => {
  test("returns the job's useful fields", async () => {
    await call("connect_generate", { ...PICTURE, metadata: { order: "1" } });
    const result = await call("get_job", { job_id: "job_1" });
    expect(result.structuredContent).toEqual({
      job_id: "job_1",
      state: "reserved",
      modality: "image",
      model_slug: "canvas-one",
      metadata: { order: "1" },
      credits_reserved: 4,
      credits_charged: 0,
      estimated_seconds: 2,
      queue_position: 1,
      events: [{ type: "reserved", at: AT }],
      outputs: [],
      error: null,
    });
    expect(textOf(result)).toContain("It is number 1 in the account's queue");
  });

  test("reports a running job, and a failed one with its refund", async () => {
    await call("connect_generate", PICTURE);
    const job = endpoint.core.jobs.get("job_1");
    Object.assign(job ?? {}, { state: "running", credits_charged: 4 });
    endpoint.core.addEvent("job_1", "progress", { fraction: 0.4 });
    expect(textOf(await call("get_job", { job_id: "job_1" }))).toContain("About 40% is done.");
    Object.assign(job ?? {}, {
      state: "failed",
      credits_charged: 0,
      ended_at: AT,
      error: { code: "provider_timeout", message: "The model took too long." },
    });
    const failed = await call("get_job", { job_id: "job_1" });
    expect(failed.isError).toBeUndefined();
    expect(textOf(failed)).toBe(
      "Job job_1: failed (image, canvas-one).\nReason (provider_timeout): The model took too long.\nCredits charged: 0. Credits refunded: 4.",
    );
  });

  test("returns as soon as the job ends", async () => {
    await call("connect_generate", PICTURE);
    const answer = call("get_job", { job_id: "job_1", wait_seconds: 45 });
    await waitFor("the wait", () => endpoint.core.calls.some(({ method }) => method === "jobs.GetJob"));
    endpoint.core.complete("job_1");
    expect((await answer).structuredContent).toMatchObject({ state: "completed" });
  });
});

describe("list_jobs", () => {
  test("returns each job's distinguishing fields, and a line of text for each", async () => {
    const job = { ...PICTURE, prompt: "a".repeat(100) };
    await call("connect_generate", job);
    const listed = await call("list_jobs");
    expect(listed.structuredContent).toEqual({
      jobs: [
        {
          ...job,
          job_id: "job_1",
          state: "reserved",
          credits_reserved: 4,
          credits_charged: 0,
          created_at: AT,
        },
      ],
      next_cursor: null,
    });
    expect(textOf(listed)).toBe(
      `job_1: reserved (image, canvas-one), 4 credits reserved, made ${AT}: "${"a".repeat(60)}…"`,
    );
    endpoint.core.complete("job_1");
    expect(textOf(await call("list_jobs"))).toContain(
      "job_1: completed (image, canvas-one), 4 credits charged",
    );
  });

  test("pages, and the text says how", async () => {
    for (const prompt of ["one", "two", "three"]) await call("connect_generate", { ...PICTURE, prompt });
    const first = await call("list_jobs", { limit: 2 });
    expect(first.structuredContent).toMatchObject({
      jobs: [{ prompt: "three" }, { prompt: "two" }],
      next_cursor: "2",
    });
    expect(textOf(first)).toMatch(/\nMore: call list_jobs again with the same filters and cursor 2$/);
    const second = await call("list_jobs", { limit: 2, cursor: "2" });
    expect(second.structuredContent).toMatchObject({ jobs: [{ prompt: "one" }], next_cursor: null });
    expect(textOf(second)).not.toContain("More:");
  });

  test("passes on its filters and requests ten by default", async () => {
    const none = await call("list_jobs", { state: "failed", modality: "video" });
    expect(textOf(none)).toBe("No job fits.");
    expect(endpoint.core.calls.at(-1)).toMatchObject({
      method: "jobs.ListJobs",
      request: { limit: 10, cursor: "", state: "failed", modality: "video" },
    });
    const wrong = await call("list_jobs", { limit: 101, state: "lost" });
    expect(textOf(wrong)).toContain("limit must be at most 100");
    expect(textOf(wrong)).toContain("state must be one of reserved");
  });
});

describe("cancel_job", () => {
  test("cancels a waiting job and reports its released credits", async () => {
    await call("connect_generate", PICTURE);
    const result = await call("cancel_job", { job_id: "job_1" });
    expect(result.structuredContent).toMatchObject({ job_id: "job_1", state: "cancelled" });
    expect(textOf(result)).toBe(
      "Job job_1: cancelled (image, canvas-one).\nCredits charged: 0. Credits refunded: 4.",
    );
  });
});

describe("get_credits", () => {
  test("returns the balance and the available credits", async () => {
    const result = await call("get_credits");
    expect(result.structuredContent).toEqual({
      balance: 96,
      held: 6,
      available: 90,
      grants: [{ left: 40, expires_at: "2026-03-31T00:00:00.000Z" }],
      next_grant_at: "2026-02-28T00:00:00.000Z",
      key_max_credits: 500,
      key_credits_left: 480,
      key_confirm_above: 100,
    });
    expect(textOf(result)).toBe(
      [
        "Credits available: 90. Balance: 96, of which 6 are held for jobs that wait.",
        "40 of the available ones expire at 2026-03-31T00:00:00.000Z.",
        "The plan gives more at 2026-02-28T00:00:00.000Z.",
        "This key may spend 500 credits in a calendar month (UTC); 480 are left.",
        "The user has to approve each job that costs more than 100 credits.",
      ].join("\n"),
    );
  });
});

describe("list_ledger", () => {
  test("returns the entries without their chain, and a line of text for each", async () => {
    const result = await call("list_ledger", { limit: 2 });
    const both = { balance_after: 100, created_at: AT };
    expect(result.structuredContent).toEqual({
      entries: [
        { ...both, seq: 3, kind: "reserve", amount: 0, hold: 6, job_id: "job_1", memo: null },
        {
          ...both,
          seq: 2,
          kind: "grant",
          amount: 50,
          hold: 0,
          job_id: null,
          memo: "a present",
          expires_at: AT,
        },
      ],
      next_cursor: "2",
    });
    expect(textOf(result)).toBe(
      [
        `3. ${AT} reserve 0 (held +6), balance 100, held 6: job job_1`,
        `2. ${AT} grant +50 (held 0), balance 100, held 0: a present`,
        "More: call list_ledger again with the same filters and cursor 2",
      ].join("\n"),
    );
  });

  test.each([
    ["Order ord_01KZZZZZZZZZZZZZZZZZZZZZZZ", "Order 20260814-ZZZZZZ"],
    ["for ord_UUUUUUUUUUUUUUUUUUUUUUUUUU", "for ord_UUUUUUUUUUUUUUUUUUUUUUUUUU"],
  ])("says in its text for the memo %s: %s", (memo, said) => {
    const entry = { seq: 1, kind: "purchase", amount: 5, hold: 0, job_id: null, memo };
    expect(describeLedgerEntry(entry as LedgerEntryResource)).toMatch(new RegExp(`: ${said}$`));
  });

  test("passes on its filters, with times in UTC", async () => {
    await call("list_ledger", {
      kind: "debit",
      job_id: "job_9",
      since: "2026-01-01T02:00:00+02:00",
      until: "2026-02-01T00:00:00Z",
    });
    expect(endpoint.core.calls.at(-1)).toMatchObject({
      method: "credits.ListLedger",
      request: {
        limit: 10,
        cursor: "",
        kind: "debit",
        job_id: "job_9",
        since: "2026-01-01T00:00:00.000Z",
        until: "2026-02-01T00:00:00.000Z",
      },
    });
    const wrong = await call("list_ledger", { since: "yesterday", kind: "gift" });
    expect(textOf(wrong)).toContain("since must be a time like 2026-01-31T09:30:00Z");
    expect(textOf(wrong)).toContain("kind must be one of grant");
  });
});

describe("list_models", () => {
  const { params_schema_json, status: _live, provider: _provider, ...model } = MODEL;

  test("returns each model's price, duration, limits and params on one row, and as data", async () => {
    const result = await call("list_models");
    expect(result.structuredContent).toEqual({ models: [{ ...model, params: ["width"] }] });
    expect(textOf(result)).toBe(
      "canvas-one (image): Canvas One. Composes a picture. 4 credits per image, about 2 seconds, prompt up to 4000 characters. params: width (integer =1024).",
    );
  });

  test("returns the whole params_schema of a named model, and refuses an unknown one", async () => {
    const result = await call("list_models", { model: "canvas-one" });
    expect(result.structuredContent).toEqual({
      models: [{ ...model, params_schema: JSON.parse(params_schema_json) }],
    });
    expect(textOf(result)).toContain('\n  params.width: {"type":"integer","default":1024}');
    const wrong = await call("list_models", { model: "canvas-two" });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toMatch(
      /^No live model has this slug\.\n.*list_models.*\nCode: model_not_available/,
    );
  });

  test("needs at most 200 tokens for each embedded model, and names every param and its values", async () => {
    const models = LOCAL_MODELS.map(({ _id, provider_model: _, ...seeded }) => ({
      ...MODEL,
      ...seeded,
      model_slug: _id,
    }));
    endpoint.core.say("models.ListModels", { models });
    const result = await call("list_models");
    expect(countTokens(JSON.stringify(result))).toBeLessThanOrEqual(200 * LOCAL_MODELS.length);
    const rows = textOf(result).split("\n");
    expect(rows).toHaveLength(LOCAL_MODELS.length);
    for (const { params_schema_json: schema, model_slug } of models) {
      const row = rows.find((one) => one.startsWith(`${model_slug} (`));
      const { properties } = JSON.parse(schema) as { properties: object };
      for (const name of Object.keys(properties)) expect(row).toContain(`${name} (`);
    }
    expect(rows.find((row) => row.startsWith("atelier-restyle"))).toMatch(
      /image \(image file, required\), style \(auto\|watercolour\|[a-z|]+ ="auto"\), strength \(0\.\.1 =0\.85\)/,
    );
  });

  test("filters by modality, and reports an empty list", async () => {
    expect(textOf(await call("list_models", { modality: "video" }))).toBe(
      "No live model makes this at the moment.",
    );
    expect(endpoint.core.calls.at(-1)).toMatchObject({
      method: "models.ListModels",
      request: { modality: "video" },
    });
  });
});

/** The call that a response waits for: with progress the watch, which comes first, else the read. */
const WAITS: readonly Method[] = ["jobs.WatchJob", "jobs.GetJob"];

describe("progress", () => {
  const waiting = callTool("connect_generate", { ...PICTURE, wait_seconds: 45 }, { progressToken: "p-1" });

  async function answerTo(
    accept: string,
    message: object = waiting,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const before = endpoint.core.calls.length;
    const answer = endpoint.post(message, { accept, ...headers });
    await waitFor("the wait", () =>
      endpoint.core.calls.slice(before).some(({ method }) => WAITS.includes(method)),
    );
    const jobId = [...endpoint.core.jobs.keys()].at(-1) ?? "";
    endpoint.core.addEvent(jobId, "progress", { fraction: 0.25 });
    endpoint.core.complete(jobId);
    return answer;
  }

  test("[MCP-06] is sent as growing events before the result when the client accepts them", async () => {
    const current = asCurrent(waiting);
    for (const [message, headers] of [
      [waiting, {}],
      [current.body, current.headers],
    ] as const) {
      const answer = await answerTo("application/json, text/event-stream", message, headers);
      expect(answer.headers.get("content-type")).toBe("text/event-stream");
      const events = eventsOf(answer.text) as {
        method?: string;
        params?: { progressToken: string; progress: number; message: string };
        result?: ToolResult;
      }[];
      const news = events
        .filter(({ method }) => method === "notifications/progress")
        .map(({ params }) => params);
      expect(news.length).toBeGreaterThan(0);
      expect(news.map((told) => told?.progress)).toEqual(news.map((_, i) => i + 1));
      expect(news[0]).toMatchObject({ progressToken: "p-1", message: "reserved" });
      expect(events.at(-1)?.result?.structuredContent).toMatchObject({ state: "completed" });
    }
  });

  test("is omitted for a client that accepts JSON only, and causes no watch", async () => {
    for (const accept of ["application/json", "*/*"]) {
      const answer = await answerTo(accept);
      expect(answer.json).toMatchObject({ result: { structuredContent: { state: "completed" } } });
    }
    expect(endpoint.core.calls.map(({ method }) => method)).not.toContain("jobs.WatchJob");
  });

  test("progress that is unavailable does not fail the call", async () => {
    endpoint.core.fail("jobs.WatchJob", () => new AppError("service_unavailable"));
    const answer = await answerTo("application/json, text/event-stream");
    expect(answer.json).toMatchObject({ result: { structuredContent: { state: "completed" } } });
  });

  test("ends with the wait, whatever happens to the connection", async () => {
    await call("connect_generate", PICTURE);
    const context = {
      core: endpoint.core.client,
      endpoints: ENDPOINTS,
      guide: GUIDE,
      call: {
        caller: { kind: "key", keySha256: hashApiKey(endpoint.key), source: "mcp" } as const,
        signal: new AbortController().signal,
      },
      countGeneration: async () => {},
      open: () => () => {},
      reportProgress: () => {},
      takesTasks: false,
      input: NO_INPUT,
    };
    expect(await waitForJob(context, "job_1", 0.05)).toMatchObject({ state: "reserved" });
    const [watch] = endpoint.core.calls.filter(({ method }) => method === "jobs.WatchJob");
    expect(watch?.options.signal?.aborted).toBe(true);
  });
});

/** Sends a message without waiting for its response. Returns the function that disconnects. */
function sendAndLeave(headers: Record<string, string>, message: object): () => void {
  const sent = httpRequest(endpoint.url, {
    method: "POST",
    headers: { authorization: `Bearer ${endpoint.key}`, "content-type": "application/json", ...headers },
  });
  sent.on("error", () => {});
  sent.end(JSON.stringify(message));
  return () => sent.destroy();
}

describe("a client that disconnects", () => {
  test.each([
    ["an older client with JSON", "application/json", false],
    ["an older client with events", "text/event-stream", false],
    ["a current client", "application/json, text/event-stream", true],
  ])("ends the call of core that it waited for: %s", async (_name, accept, isCurrent) => {
    await call("connect_generate", PICTURE);
    const message = callTool("get_job", { job_id: "job_1", wait_seconds: 45 }, { progressToken: 1 });
    const { body, headers } = isCurrent ? asCurrent(message) : { body: message, headers: {} };
    const leave = sendAndLeave({ accept, ...headers }, body);
    const wait = await waitFor("the wait", () =>
      endpoint.core.calls.find(({ method }) => WAITS.includes(method)),
    );
    expect(wait.options.signal?.aborted).toBe(false);
    leave();
    await waitFor("the end of the call", () => wait.options.signal?.aborted);
    expect(endpoint.errors).toEqual([]);
  });

  test.each(["accounts.Authenticate", "jobs.Generate", "models.ListModels"] as const)(
    "ends %s too, and is not logged as a bug",
    async (method) => {
      endpoint.core.answer(method, (_request, { signal }) => untilAborted(signal));
      const leave = sendAndLeave(
        {},
        method === "models.ListModels" ? callTool("list_models") : callTool("connect_generate", PICTURE),
      );
      const held = await waitFor("the call", () =>
        endpoint.core.calls.find((sent) => sent.method === method),
      );
      leave();
      await waitFor("the end of the call", () => held.options.signal?.aborted);
      // All effects of the dead request's refusal are over when another one has been answered.
      endpoint.core.reset();
      expect((await endpoint.post(request("ping"))).status).toBe(200);
      expect(endpoint.errors).toEqual([]);
    },
  );
});
