import { describe, expect, test } from "vitest";
import { fieldsOf } from "../../proto/codec.ts";
import { jobSchema } from "../../proto/resources/job.ts";
import type { Job } from "../../proto/types/atelier/v1/Job.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { untilAborted } from "../support/fake-core.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { COMPLETED_JOB, LEDGER_ENTRY, RUNNING_JOB } from "./messages.ts";
import { serveGateway } from "./serve-gateway.ts";

const gateway = sharedByTests(() => serveGateway());

const REPLY = {
  job_id: "job_1",
  state: "reserved",
  modality: "image",
  model_slug: "draft",
  credits_reserved: 4,
  estimated_seconds: 2,
  replayed: false,
};
const BODY = { modality: "image", model_slug: "draft", prompt: "a lighthouse" };

const generate = (body: unknown, headers?: Record<string, string>) =>
  gateway.post("/api/v1/connect/generate", body, headers);

describe("generate", () => {
  test("[GEN-01] passes the request to core with the key's hash and returns 202 with the job's URL", async () => {
    gateway.answer("jobs.Generate", () => REPLY);
    const full = {
      ...BODY,
      callback_url: "https://example.com/hook",
      params: { width: 64 },
      metadata: { order: "7" },
    };
    const response = await generate(full, { "idempotency-key": "order-7", "x-request-id": "mine-1" });

    expect(response.status).toBe(202);
    expect(response.headers.get("location")).toBe("https://generate.example.com/api/jobs/job_1");
    expect(response.headers.get("x-request-id")).toBe("mine-1");
    expect(response.headers.get("idempotency-replayed")).toBeNull();
    const { replayed: _replayed, ...result } = REPLY;
    expect(await response.json()).toEqual({ ok: true, result });
    expect(gateway.calls.at(-1)).toEqual({
      method: "jobs.Generate",
      request: {
        modality: "image",
        model_slug: "draft",
        prompt: "a lighthouse",
        callback_url: "https://example.com/hook",
        params_json: '{"width":64}',
        metadata: { order: "7" },
        idempotency_key: "order-7",
      },
      options: {
        caller: { kind: "key", keySha256: hashApiKey(gateway.key), source: "api" },
        requestId: "mine-1",
        // Aborted when the client disconnects, so that core creates no job without a caller.
        signal: expect.any(AbortSignal),
      },
    });
  });

  test("makes no other call to core", async () => {
    const before = gateway.calls.length;
    await generate(BODY);
    expect(gateway.calls.slice(before).map(({ method }) => method)).toEqual(["jobs.Generate"]);
  });
});

describe("OpenAI's list of videos", () => {
  const DELETED = {
    ...COMPLETED_JOB,
    modality: "video",
    outputs: COMPLETED_JOB.outputs.map((output) => ({ ...output, deleted_at: output.expires_at })),
  };
  type Videos = { data: { id: string }[]; last_id: string | null; has_more: boolean };
  const list = async (query = "") => (await (await gateway.call(`/v1/videos${query}`)).json()) as Videos;
  const asked = () => gateway.calls.filter(({ method }) => method === "jobs.ListJobs").length;

  test("[OAI-05] reads on behind deleted videos to a limit, and the next page continues there", async () => {
    const before = asked();
    gateway.answer("jobs.ListJobs", () => ({
      jobs: [DELETED],
      next_cursor: asked() - before < 30 ? "further" : "",
    }));
    expect(await list("?limit=1")).toMatchObject({ data: [], last_id: "further", has_more: true });
    expect(asked() - before).toBe(10);
    const jobs = ["job_3", "job_2"].map((job_id) => ({ ...RUNNING_JOB, modality: "video", job_id }));
    gateway.answer("jobs.ListJobs", ({ cursor }) =>
      cursor === "further" ? { jobs: [DELETED], next_cursor: "last" } : { jobs, next_cursor: "" },
    );
    const last = await list("?limit=1&after=further");
    expect(last).toMatchObject({ data: [{ id: "job_3" }], last_id: "job_3", has_more: true });
  });

  test("[OAI-05] is no longer read once the client has disconnected", async () => {
    const begun = asked();
    let signal: AbortSignal | undefined;
    gateway.answer("jobs.ListJobs", (_request, options) => {
      signal = options.signal;
      return untilAborted(signal);
    });
    const client = new AbortController();
    const response = gateway.call("/v1/videos", { signal: client.signal });
    await waitFor("core to be asked", () => asked() > begun);
    client.abort();
    await expect(response).rejects.toThrow("aborted");
    await waitFor("core's call to be cancelled", () => signal?.aborted);
    expect(asked() - begun).toBe(1);
  });
});

describe("a job", () => {
  test("has another ETag when any of its fields changes, with or without an event", async () => {
    const etagOf = async (job: Job) => {
      gateway.answer("jobs.GetJob", () => job);
      return (await gateway.call("/api/jobs/job_1")).headers.get("etag");
    };
    const another = (value: unknown): unknown => {
      if (typeof value === "number") return value + 1;
      if (typeof value === "string") return value.startsWith("{") ? '{"another":1}' : `${value}x`;
      if (Array.isArray(value)) return COMPLETED_JOB.outputs;
      // Enough for each object that a running job lacks.
      return value
        ? { ...value, attempts: 9 }
        : { code: "c", message: "m", unit: "output", asked: 4, got: 3, version: 1, units: 4, credits: 1 };
    };
    const told = fieldsOf(jobSchema).filter(({ name }) => name !== "events");
    const job = { ...RUNNING_JOB };
    const tags = [await etagOf(job), await etagOf({ ...job, version: 3 })];
    for (const { wire } of told) tags.push(await etagOf({ ...job, [wire]: another(job[wire as keyof Job]) }));
    expect(new Set(tags).size).toBe(told.length + 2);
  });

  test("[JOB-05] gives 304 until anything of it changes", async () => {
    gateway.answer("jobs.GetJob", () => RUNNING_JOB);
    const etag = (await gateway.call("/api/jobs/job_1")).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const sent of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const unchanged = await gateway.call("/api/jobs/job_1", { headers: { "if-none-match": sent } });
      expect(unchanged.status).toBe(304);
      expect(unchanged.headers.get("etag")).toBe(etag);
      expect(await unchanged.text()).toBe("");
    }
    const changes = [
      { ...RUNNING_JOB, version: 3 },
      { ...RUNNING_JOB, callback: { url: "https://example.com/hook", status: "pending", attempts: 1 } },
      { ...RUNNING_JOB, queue_position: 2 },
    ];
    for (const job of changes) {
      gateway.answer("jobs.GetJob", () => job);
      expect((await gateway.call("/api/jobs/job_1", { headers: { "if-none-match": etag } })).status).toBe(
        200,
      );
    }
  });

  test("[JOB-04] is waited for at core, with a deadline beyond the wait", async () => {
    gateway.answer("jobs.GetJob", () => COMPLETED_JOB);
    expect((await gateway.call("/api/jobs/job_1?wait=20")).status).toBe(200);
    expect(gateway.calls.at(-1)).toMatchObject({
      request: { job_id: "job_1", wait_seconds: 20 },
      options: { deadlineMs: 30_000 },
    });
  });

  test("ends its wait at core when the client disconnects", async () => {
    let signal: AbortSignal | undefined;
    gateway.answer("jobs.GetJob", (_request, options) => {
      signal = options.signal;
      return untilAborted(signal);
    });
    const client = new AbortController();
    const response = gateway.call("/api/jobs/job_1?wait=60", { signal: client.signal });
    await waitFor("core to be asked", () => signal);
    client.abort();
    await expect(response).rejects.toThrow("aborted");
    await waitFor("core's call to be cancelled", () => signal?.aborted);
    expect(gateway.errors).toEqual([]);
  });

  test("answers HEAD with the headers alone", async () => {
    gateway.answer("jobs.GetJob", () => RUNNING_JOB);
    const response = await gateway.call("/api/jobs/job_1", { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(response.headers.get("etag")).not.toBeNull();
    expect(await response.text()).toBe("");
  });

  test("is cancelled without a body, or with any body", async () => {
    gateway.answer("jobs.CancelJob", () => ({ ...RUNNING_JOB, state: "cancelled" }));
    const json = { "content-type": "application/json" };
    for (const init of [{}, { headers: json }, { headers: json, body: "{}" }]) {
      const response = await gateway.call("/api/jobs/job_1/cancel", { method: "POST", ...init });
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ ok: true, result: { state: "cancelled" } });
    }
    expect(gateway.calls.at(-1)?.request).toEqual({ job_id: "job_1" });
  });
});

describe("the lists of the API", () => {
  test("[ERR-03] have 50 entries by default and null as the last cursor, and ignore unknown parameters", async () => {
    gateway.answer("jobs.ListJobs", () => ({ jobs: [], next_cursor: "" }));
    expect(await (await gateway.call("/api/jobs?color=red")).json()).toEqual({
      ok: true,
      result: { data: [], next_cursor: null },
    });
    expect(gateway.calls.at(-1)?.request).toEqual({
      limit: 50,
      cursor: "",
      state: "",
      modality: "",
      model: "",
      search: "",
      since: "",
      until: "",
      metadata: {},
    });
  });

  test("of ledger entries pass on times in UTC", async () => {
    const { grants: _none, ...entry } = LEDGER_ENTRY;
    gateway.answer("credits.ListLedger", () => ({
      entries: [LEDGER_ENTRY],
      next_cursor: "",
      of_jobs: [],
      balance: null,
    }));
    const response = await gateway.call(
      "/api/credits/ledger?kind=grant&job_id=job_1&since=2026-01-31T10:30:00%2B01:00&until=2026-02-01T00:00:00+01:00&limit=100",
    );
    expect(await response.json()).toEqual({
      ok: true,
      result: { data: [{ ...entry, job_id: null, key_id: null, memo: null }], next_cursor: null },
    });
    expect(gateway.calls.at(-1)?.request).toEqual({
      limit: 100,
      cursor: "",
      kind: "grant",
      job_id: "job_1",
      since: "2026-01-31T09:30:00.000Z",
      until: "2026-01-31T23:00:00.000Z",
    });
  });

  test.each([
    ["/api/jobs?limit=0", "limit", "must be at least 1"],
    ["/api/jobs?limit=101", "limit", "must be at most 100"],
    ["/api/jobs?limit=9007199254740993", "limit", "must be at most 100"],
    ["/api/jobs?limit=ten", "limit", "must be a number"],
    ["/api/jobs?limit=1.5", "limit", "must be a whole number"],
    ["/api/jobs?limit=1&limit=2", "limit", "must be sent only once"],
    [
      "/api/jobs?state=lost",
      "state",
      "must be one of reserved, running, cancelling, completed, failed, cancelled",
    ],
    ["/api/jobs?modality=text", "modality", "must be one of image, video, audio"],
    [`/api/jobs?cursor=${"x".repeat(600)}`, "cursor", "must have at most 512 characters"],
    ["/api/jobs/job_1?wait=61", "wait", "must be at most 60"],
    ["/api/jobs/job_1?wait=", "wait", "must be a number"],
    ["/api/models?modality=", "modality", "must be one of image, video, audio"],
    ["/api/credits/ledger?since=yesterday", "since", "must be a time like 2026-01-31T09:30:00Z"],
    [
      "/api/credits/ledger?kind=gift",
      "kind",
      "must be one of grant, purchase, adjustment, reserve, debit, release, refund, expire",
    ],
    ["/api/jobs/job_1/events?after=-1", "after", "must be at least 0"],
  ])("refuse %s, naming the parameter", async (path, name, message) => {
    gateway.admit();
    const response = await gateway.call(path);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      ok: false,
      code: "invalid_request",
      issues: [{ path: name, message }],
    });
  });
});

test("any origin may call, without credentials", async () => {
  const preflight = await fetch(`${gateway.url}/api/v1/connect/generate`, {
    method: "OPTIONS",
    headers: {
      origin: "https://elsewhere.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  expect(preflight.headers.get("access-control-allow-methods")).toBe("OPTIONS, POST");
  expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization");
  expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
  const refused = await fetch(`${gateway.url}/api/jobs`, {
    headers: { origin: "https://elsewhere.example" },
  });
  expect(refused.status).toBe(401);
  expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  expect(refused.headers.get("access-control-expose-headers")).toContain("x-request-id");
});
