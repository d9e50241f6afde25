// The generation API as a program uses it, over HTTP on the whole service: models, jobs, events, outputs, credits and webhooks.
import { createHash, createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished, test } from "vitest";
import { jobs } from "../../core/studio/jobs/store.ts";
import type { DeliveryResource } from "../../proto/resources/callback.ts";
import { findBrokenEntry, type LedgerEntryResource } from "../../proto/resources/credits.ts";
import { type JobResource, jobSchema } from "../../proto/resources/job.ts";
import type { VerifiedOutput } from "../../proto/resources/verified-output.ts";
import { startReceiver } from "../core/studio/webhooks/receiver.ts";
import { addTestModel, createCustomer, makeKey } from "../support/app.ts";
import { expectRefusal, type HttpCalls, PICTURE } from "../support/http-calls.ts";
import { allOf, createScriptedProvider, type ScriptedCall, SMALL_OUTPUT } from "../support/providers.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

type Page<T> = { ok: true; result: { data: T[]; next_cursor: string | null } };
type One<T> = { ok: true; result: T };

/** Prompts that begin with "held" wait for the test; "fails" fails immediately, all others complete. */
const provider = createScriptedProvider({
  answer: (request, call) => {
    const { prompt } = request;
    if (prompt.startsWith("own ")) return [{ ...SMALL_OUTPUT, bytes: new TextEncoder().encode(prompt) }];
    if (prompt === "fails") throw new Error("broken");
    if (!prompt.startsWith("held")) return allOf(request);
    const { promise, resolve } = Promise.withResolvers<(typeof SMALL_OUTPUT)[]>();
    held.set(call.idempotencyKey, () => resolve([SMALL_OUTPUT]));
    return promise;
  },
});
const held = new Map<string, () => void>();

const service = sharedByTests(() => startWholeService({ provider }));

const callOf = (jobId: string): ScriptedCall | undefined =>
  provider.calls.find(({ call }) => call.idempotencyKey === jobId);
const letGo = (jobId: string) =>
  waitFor("the provider's call", () => held.get(jobId)).then((finish) => finish());

async function get<T>(path: string, key: string, headers: Record<string, string> = {}) {
  return service.call<One<T>>(path, { key, headers });
}

async function list<T>(path: string, key: string): Promise<T[]> {
  return (await service.call<Page<T>>(path, { key })).body.result.data;
}

const make: HttpCalls["make"] = (...how) => service.make(...how);

describe("generate", () => {
  test("[GEN-01] returns 202 with Location and exactly the six fields of a new job", async () => {
    const { key } = await createCustomer(service.app);
    const answer = await service.generate(key);
    expect(answer.status).toBe(202);
    const { job_id } = answer.body.result;
    expect(answer.body).toEqual({
      ok: true,
      result: {
        job_id: expect.stringMatching(/^job_[0-9A-Z]{26}$/),
        state: "reserved",
        modality: "image",
        model_slug: "picture",
        credits_reserved: 10,
        estimated_seconds: 1,
      },
    });
    const location = answer.headers.get("location") ?? "";
    expect(new URL(location).pathname).toBe(`/api/jobs/${job_id}`);
    expect((await fetch(location, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
  });

  test.each([
    ["image", "picture", { count: 3 }, 30],
    ["image", "picture", {}, 10],
    ["video", "clip", { duration_seconds: 7 }, 14],
    ["audio", "tune", {}, 5],
  ])(
    "[GEN-09] makes %s with %s through one operation; [GEN-08] %j costs %i: the model's credits times its units",
    async (modality, model_slug, params, credits) => {
      const { key } = await createCustomer(service.app);
      const job = await make(key, { modality, model_slug, params });
      expect(job).toMatchObject({
        state: "completed",
        modality,
        model_slug,
        credits_reserved: credits,
        credits_charged: credits,
      });
    },
  );

  test("[GEN-04] checks params against the model's own JSON Schema, and fills in its defaults", async () => {
    const { key } = await createCustomer(service.app);
    expect((await make(key)).params).toEqual({ count: 1 });
    for (const params of [{ count: 0 }, { count: "2" }, { count: 1.5 }, { color: "red" }])
      expectRefusal(await service.generate(key, { params }), "invalid_request", {
        message: expect.any(String),
        issues: [{ path: expect.stringMatching(/^params\.(count|color)$/), message: expect.any(String) }],
      });
  });

  test("[GEN-16] returns the first result for a repeated Idempotency-Key and body, marked as replayed, and writes nothing", async () => {
    const { accountId, key } = await createCustomer(service.app);
    const headers = { "idempotency-key": "order-1" };
    const first = await service.generate(key, { metadata: { a: "1", b: "2" } }, headers);
    await service.waitForEnd(key, first.body.result.job_id);
    const again = await service.generate(key, { metadata: { b: "2", a: "1" } }, headers);
    expect(again.text).toBe(first.text);
    expect([first, again].map(({ headers: told }) => told.get("idempotency-replayed"))).toEqual([
      null,
      "true",
    ]);
    expect(await jobs(service.app.mongo.db).countDocuments({ account_id: accountId })).toBe(1);
    expect(await service.ledger(key)).toHaveLength(3);
    const other = await createCustomer(service.app);
    expect((await service.generate(other.key, {}, headers)).headers.get("idempotency-replayed")).toBeNull();
  });
});

describe("models and plans", () => {
  test("[MOD-01] are listed with price, unit, duration, limits and params schema, live models only", async () => {
    const { key } = await createCustomer(service.app);
    const models = await list<Record<string, unknown>>("/api/models", key);
    expect(models.map(({ model_slug, credits, per }) => [model_slug, credits, per])).toEqual(
      expect.arrayContaining([
        ["picture", 10, "image"],
        ["clip", 2, "second"],
        ["tune", 5, "generation"],
      ]),
    );
    expect(models[0]).toEqual({
      model_slug: expect.any(String),
      name: expect.any(String),
      modality: expect.any(String),
      description: expect.any(String),
      credits: expect.any(Number),
      per: expect.any(String),
      pricing: { version: 1, unit: expect.any(String), default: expect.any(Number), rules: [] },
      estimated_seconds: expect.any(Number),
      max_prompt_length: expect.any(Number),
      params_schema: expect.objectContaining({ type: "object" }),
      status: "live",
      provider: "test",
    });
  });

  test("[MOD-02] can be filtered by modality; a model's own prompt limit applies", async () => {
    const { key } = await createCustomer(service.app);
    await addTestModel(service.app, {
      model_slug: "haiku",
      modality: "audio",
      credits: 1,
      max_prompt_length: 17,
    });
    const audio = await list<{ modality: string }>("/api/models?modality=audio", key);
    expect(new Set(audio.map(({ modality }) => modality))).toEqual(new Set(["audio"]));
    const ask = (prompt: string) => service.generate(key, { modality: "audio", model_slug: "haiku", prompt });
    await waitFor("the new model to be heard of", async () => (await ask("🎵".repeat(17))).status === 202);
    const message = "is 18 characters; haiku takes at most 17";
    expectRefusal(await ask("🎵".repeat(18)), "invalid_request", {
      message: expect.any(String),
      issues: [{ path: "prompt", message }],
    });
  });

  test("[PLAN-01] include public plans: two with the API, with 1, 2, 5 and 20 parallel jobs", async () => {
    const { body, headers } = await service.call<Page<Record<string, unknown>>>("/api/plans");
    expect(headers.get("cache-control")).toBe("public, max-age=60");
    expect(body.result.data.map(({ plan, api, concurrency }) => [plan, api, concurrency])).toEqual([
      ["free", false, 1],
      ["starter", false, 2],
      ["pro", true, 5],
      ["studio", true, 20],
    ]);
  });
});

describe("a job", () => {
  test("[JOB-01] is returned whole to its owner, in the documented shape", async () => {
    const { key } = await createCustomer(service.app);
    const job = await make(key, { metadata: { order: "17" } });
    expect(jobSchema.strict().parse(job)).toEqual(job);
    expect(job).toMatchObject({
      prompt: PICTURE.prompt,
      metadata: { order: "17" },
      source: "api",
      queue_position: null,
      error: null,
      callback: null,
    });
    const times = [job.created_at, job.started_at, job.ended_at];
    for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(times).toEqual(times.toSorted());
  });

  test("[JOB-02] has events from 1 without gaps, with the ledger entries of its credits: [JOB-03] reserved, running, completed", async () => {
    const { key } = await createCustomer(service.app);
    const job = await make(key);
    const entries = await service.ledger(key, job.job_id);
    const [debit, reserve] = entries;
    expect(
      job.events.map(({ seq, type, state, ledger_entry_id }) => [seq, type, state, ledger_entry_id]),
    ).toEqual([
      [1, "reserved", "reserved", reserve?.entry_id],
      [2, "debited", "running", debit?.entry_id],
      [3, "running", "running", undefined],
      [4, "completed", "completed", undefined],
    ]);
    expect(entries.map(({ kind }) => kind)).toEqual(["debit", "reserve"]);
  });

  test("[JOB-11] is debited before its provider is called, under one key for all tries", async () => {
    const { key } = await createCustomer(service.app);
    const { body } = await service.generate(key, { prompt: "held while the ledger is read" });
    const jobId = body.result.job_id;
    const { call } = await waitFor("the provider's call", () => callOf(jobId));
    expect(call.idempotencyKey).toBe(jobId);
    const entries = await service.ledger(key, jobId);
    expect(entries.map(({ kind }) => kind)).toEqual(["debit", "reserve"]);
    await letGo(jobId);
    await service.waitForEnd(key, jobId);
  });

  test("[JOB-04] is returned by ?wait when it ends, or when the seconds are over", async () => {
    const { key } = await createCustomer(service.app);
    const { body } = await service.generate(key, { prompt: "held for a wait" });
    const path = `/api/jobs/${body.result.job_id}`;
    const from = performance.now();
    expect((await get<JobResource>(`${path}?wait=1`, key)).body.result.state).toBe("running");
    expect(performance.now() - from).toBeGreaterThan(900);
    const waiting = get<JobResource>(`${path}?wait=30`, key);
    await letGo(body.result.job_id);
    expect((await waiting).body.result.state).toBe("completed");
  });

  test("[JOB-07] is listed newest first, in pages, by state and modality", async () => {
    const { key } = await createCustomer(service.app);
    const made: JobResource[] = [];
    for (const [modality, model_slug, prompt] of [
      ["image", "picture", "a"],
      ["audio", "tune", "b"],
      ["image", "picture", "fails"],
    ])
      made.unshift(await make(key, { modality, model_slug, prompt }));
    const ids = made.map(({ job_id }) => job_id);
    const idsOf = async (query: string) =>
      (await list<JobResource>(`/api/jobs?${query}`, key)).map(({ job_id }) => job_id);
    expect(await idsOf("")).toEqual(ids);
    expect(await idsOf("state=failed")).toEqual([ids[0]]);
    expect(await idsOf("modality=audio")).toEqual([ids[1]]);
    const { body } = await service.call<Page<JobResource>>("/api/jobs?limit=2", { key });
    expect(await idsOf(`limit=2&cursor=${body.result.next_cursor}`)).toEqual([ids[2]]);
  });

  test("[JOB-09] a job that fails refunds its credits in full, as a ledger entry: [LED-07]", async () => {
    const { key } = await createCustomer(service.app, { credits: 50 });
    const job = await make(key, { prompt: "fails", params: { count: 4 } });
    expect(job).toMatchObject({
      state: "failed",
      credits_reserved: 40,
      credits_charged: 0,
      error: { code: "provider_failed", message: expect.any(String) },
    });
    const [refund] = await service.ledger(key);
    expect(refund).toMatchObject({
      kind: "refund",
      amount: 40,
      hold: 0,
      balance_after: 50,
      held_after: 0,
      job_id: job.job_id,
    });
  });
});

describe("the plan's concurrency", () => {
  test("[PLAN-02] lets five jobs of pro run; the others wait in order, [JOB-10] know their place, and [JOB-08] can be cancelled", async () => {
    const { key } = await createCustomer(service.app, { credits: 80 });
    const ids: string[] = [];
    for (let n = 0; n < 8; n++)
      ids.push((await service.generate(key, { prompt: `held ${n}` })).body.result.job_id);
    await waitFor("five calls", () => ids.filter((id) => callOf(id)).length === 5);
    const read = async () =>
      Promise.all(ids.map(async (id) => (await get<JobResource>(`/api/jobs/${id}`, key)).body.result));
    expect((await read()).map(({ state, queue_position }) => [state, queue_position])).toEqual([
      ...Array<[string, null]>(5).fill(["running", null]),
      ["reserved", 1],
      ["reserved", 2],
      ["reserved", 3],
    ]);
    expect((await get("/api/credits/balance", key)).body.result).toMatchObject({
      balance: 30,
      held: 30,
      available: 0,
    });

    const cancelled = await service.call<One<JobResource>>(`/api/jobs/${ids[6]}/cancel`, {
      key,
      method: "POST",
    });
    expect(cancelled.body.result).toMatchObject({
      state: "cancelled",
      credits_charged: 0,
      queue_position: null,
    });
    expect(cancelled.body.result.events.map(({ type }) => type)).toEqual([
      "reserved",
      "released",
      "cancelled",
    ]);
    expect((await get("/api/credits/balance", key)).body.result).toMatchObject({
      balance: 30,
      held: 20,
      available: 10,
    });
    expect((await read())[7]?.queue_position).toBe(2);

    // When one ends, the oldest waiting job is next.
    await letGo(ids[0] ?? "");
    await waitFor("the next one to run", () => callOf(ids[5] ?? ""));
    expect(callOf(ids[7] ?? "")).toBeUndefined();
    for (const n of [1, 2, 3, 4, 5, 7]) await letGo(ids[n] ?? "");
    for (const id of ids) await service.waitForEnd(key, id);
  });
});

describe("outputs", () => {
  test("[OUT-01] have size, hash and dimensions, and are fetched with the key; [OUT-04] they are kept 30 days, or fewer with keep_days", async () => {
    const { key } = await createCustomer(service.app);
    const job = await make(key);
    const [output] = job.outputs;
    expect(output).toEqual({
      output_id: expect.stringMatching(/^out_/),
      url: expect.stringContaining(`/api/jobs/${job.job_id}/outputs/`),
      mime_type: "image/png",
      bytes: SMALL_OUTPUT.bytes.length,
      sha256: createHash("sha256").update(SMALL_OUTPUT.bytes).digest("hex"),
      width: 1,
      height: 1,
      duration_seconds: null,
      expires_at: expect.any(String),
      thumbnails: [],
      content_credentials: "off",
    });
    const days = (Date.parse(output?.expires_at ?? "") - Date.parse(job.ended_at ?? "")) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(30);
    expect(days, "to the full hour").toBeLessThan(30 + 1 / 24 + 0.01);
    const kept = await make(key, { keep_days: 2 });
    const { expires_at } = kept.outputs[0] as JobResource["outputs"][number];
    expect(Date.parse(expires_at)).toBeLessThan(Date.parse(kept.ended_at ?? "") + 50 * 3_600_000);
    const tooLong = await service.generate(key, { keep_days: 31 });
    expect([tooLong.status, tooLong.body]).toMatchObject([
      400,
      { code: "invalid_request", issues: [{ path: "keep_days", message: expect.stringContaining("30") }] },
    ]);
    const file = await service.call(`/api/jobs/${job.job_id}/outputs/${output?.output_id}`, { key });
    expect([file.status, file.headers.get("content-type"), file.text]).toEqual([
      200,
      "image/png",
      "made for a test",
    ]);
    const other = await createCustomer(service.app);
    const foreign = await service.call(`/api/jobs/${job.job_id}/outputs/${output?.output_id}`, {
      key: other.key,
    });
    expect(foreign.status).toBe(404);
  });

  test("[MARK-01] are known by their digest to anyone: time and model, and not the owner", async () => {
    const { key, accountId } = await createCustomer(service.app);
    const ask = async (sha256: string) =>
      (await service.call<One<VerifiedOutput>>(`/api/outputs/verify?sha256=${sha256}`)).body;
    const unknown = {
      ok: true,
      result: { made: false, made_at: null, modality: null, model_slug: null, ledger_entry_hash: null },
    };
    const prompt = `own ${accountId}`;
    const sha256 = createHash("sha256").update(prompt).digest("hex");
    expect(await ask(sha256)).toEqual(unknown);
    const job = await make(key, { prompt });
    const answer = await ask(sha256.toUpperCase());
    const entries = await service.ledger(key);
    const debit = entries.find(({ kind, job_id }) => kind === "debit" && job_id === job.job_id);
    expect(answer).toEqual({
      ok: true,
      result: {
        made: true,
        made_at: job.ended_at,
        modality: "image",
        model_slug: "picture",
        ledger_entry_hash: debit?.hash,
      },
    });
    for (const secret of [accountId, prompt, job.job_id])
      expect(JSON.stringify(answer)).not.toContain(secret);
    // It is known for as long as the file is kept.
    const files = service.app.mongo.db.collection<{ _id: string }>("outputs.files");
    await files.updateOne({ "metadata.sha256": sha256 }, { $set: { "metadata.expires_at": new Date(0) } });
    expect(await ask(sha256)).toEqual(unknown);
  });

  test("[OUT-02] are fetched with their signed URL alone, which opens nothing else; [OUT-03] in ranges", async () => {
    const { key } = await createCustomer(service.app);
    const job = await make(key, { params: { count: 1 } });
    const url = new URL(job.outputs[0]?.url ?? "");
    expect((await fetch(url)).status).toBe(200);
    const part = await fetch(url, { headers: { range: "bytes=5-7" } });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
      206,
      "bytes 5-7/15",
      "for",
    ]);
    for (const [name, value] of [
      ["expires", String(Number(url.searchParams.get("expires")) + 1)],
      ["signature", "AAAA"],
      ["account", "acc_other"],
    ] as const) {
      const forged = new URL(url);
      forged.searchParams.set(name, value);
      expect((await fetch(forged)).status).toBe(404);
    }
  });
});

test("[SIGN-08] signed URLs of a suspended account are refused immediately", async () => {
  const { key, accountId } = await createCustomer(service.app);
  const url = (await make(key, { params: { count: 1 } })).outputs[0]?.url ?? "";
  expect((await fetch(url)).status).toBe(200);
  await service.core.admin.SetAccountStatus({ account: accountId, status: "suspended" });
  const refused = await fetch(url);
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: "account_suspended" }]);
  await service.core.admin.SetAccountStatus({ account: accountId, status: "active" });
  expect((await fetch(url)).status).toBe(200);
});

describe("the ledger", () => {
  test("[LED-01] lists every entry newest first; [LED-02] each kind moves balance and hold; [LED-03] its owner can verify the chain", async () => {
    const { key } = await createCustomer(service.app, { credits: 100 });
    await make(key);
    await make(key, { prompt: "fails" });
    const entries = await service.ledger(key);
    expect(
      entries.map(({ seq, kind, amount, hold, balance_after, held_after }) => [
        seq,
        kind,
        amount,
        hold,
        balance_after,
        held_after,
      ]),
    ).toEqual([
      [6, "refund", 10, 0, 90, 0],
      [5, "debit", -10, -10, 80, 0],
      [4, "reserve", 0, 10, 90, 10],
      [3, "debit", -10, -10, 90, 0],
      [2, "reserve", 0, 10, 100, 10],
      [1, "grant", 100, 0, 100, 0],
    ]);
    expect(Object.keys(entries[0] ?? {})).toEqual([
      "entry_id",
      "seq",
      "kind",
      "amount",
      "hold",
      "balance_after",
      "held_after",
      "job_id",
      "source",
      "key_id",
      "memo",
      "created_at",
      "prev_hash",
      "hash",
      "version",
    ]);
    // Uses only the API's response and the documented hash.
    let previous = "0".repeat(64);
    for (const { hash, ...rest } of entries.toReversed()) {
      expect(rest.prev_hash).toBe(previous);
      const canonical = JSON.stringify(rest, Object.keys(rest).toSorted());
      expect(hash).toBe(createHash("sha256").update(canonical).digest("hex"));
      previous = hash;
    }
    const changed = entries.toReversed().map((entry) => (entry.seq === 3 ? { ...entry, amount: -9 } : entry));
    expect(findBrokenEntry(changed)).toBe(3);
    const { body } = await get("/api/credits/balance", key);
    const { logged_seq: _, ...balance } = body.result as Record<string, unknown>;
    expect(balance, "[LED-04]").toEqual({
      balance: 90,
      held: 0,
      available: 90,
      ledger_seq: 6,
      ledger_hash: previous,
      grants: [],
      next_grant_at: null,
    });
  });

  test("[LED-06] is filtered by kind, job and time, in pages", async () => {
    const { key } = await createCustomer(service.app, { credits: 100 });
    const job = await make(key);
    await make(key, { prompt: "fails" });
    const seqs = async (query: string) =>
      (await list<LedgerEntryResource>(`/api/credits/ledger?${query}`, key)).map(({ seq }) => seq);
    expect(await seqs("kind=debit")).toEqual([5, 3]);
    expect(await seqs(`job_id=${job.job_id}`)).toEqual([3, 2]);
    const third = (await service.ledger(key)).find(({ seq }) => seq === 3)?.created_at ?? "";
    expect(await seqs(`since=${third}`)).toEqual(expect.arrayContaining([6, 5, 4, 3]));
    expect(await seqs(`until=${third}`)).not.toContain(3);
    const first = await service.call<Page<LedgerEntryResource>>("/api/credits/ledger?limit=4", { key });
    expect(first.body.result.data.map(({ seq }) => seq)).toEqual([6, 5, 4, 3]);
    const second = await service.call<Page<LedgerEntryResource>>(
      `/api/credits/ledger?limit=4&cursor=${first.body.result.next_cursor}`,
      { key },
    );
    expect([second.body.result.data.map(({ seq }) => seq), second.body.result.next_cursor]).toEqual([
      [2, 1],
      null,
    ]);
  });

  test("[LED-04] has a balance of owned, held and available credits", async () => {
    const { key } = await createCustomer(service.app, { credits: 30 });
    const { body } = await service.generate(key, { prompt: "held for a balance" });
    await waitFor("the debit", () => callOf(body.result.job_id));
    expect((await get("/api/credits/balance", key)).body.result).toMatchObject({
      balance: 20,
      held: 0,
      available: 20,
      ledger_seq: 3,
    });
    await letGo(body.result.job_id);
    await service.waitForEnd(key, body.result.job_id);
  });
});

describe("a webhook", () => {
  async function receiver() {
    const started = await startReceiver();
    onTestFinished(() => started.close());
    return started;
  }

  async function customerWithSecret() {
    const customer = await createCustomer(service.app);
    const caller = { kind: "account", accountId: customer.accountId, source: "app" } as const;
    const { secret } = await service.core.accounts.RotateCallbackSecret({}, { caller });
    return { ...customer, secret };
  }

  test("[CALL-04] announces a completed job, signed over the raw body with the shown secret; [CALL-07] and as Standard Webhooks", async () => {
    const { url, received } = await receiver();
    const { key, secret } = await customerWithSecret();
    const job = await make(key, { callback_url: url, metadata: { order: "17" } });
    const call = await waitFor("the callback", () => received[0]);
    const raw = call.body;
    expect(call.headers).toMatchObject({
      "content-type": "application/json",
      "x-service-event": "job.completed",
      "x-service-signature": `sha256=${createHmac("sha256", secret).update(raw).digest("hex")}`,
      "x-service-delivery": expect.stringMatching(/^dlv_/),
    });
    const body = JSON.parse(raw.toString()) as {
      event: string;
      delivery_id: string;
      created_at: string;
      job: JobResource;
    };
    expect(Object.keys(body)).toEqual(["event", "delivery_id", "created_at", "job", "receipt"]);
    expect(body).toMatchObject({ event: "job.completed", delivery_id: call.headers["x-service-delivery"] });
    expect(body.job).toMatchObject({
      job_id: job.job_id,
      state: "completed",
      metadata: { order: "17" },
      events: job.events,
    });
    expect(body.job).not.toHaveProperty("callback");
    expect(new Webhook(secret).verify(raw.toString(), call.headers)).toEqual(body);
    expect(call.headers["webhook-id"]).toBe(body.delivery_id);
    expect(() => new Webhook(secret).verify(`${raw.toString()} `, call.headers)).toThrow(
      "No matching signature",
    );
  });

  test("[CALL-05] announces failed and cancelled jobs too, and [CALL-06] its log is readable and it can be resent", async () => {
    const { url, received } = await receiver();
    const { key } = await customerWithSecret();
    const failed = await make(key, { prompt: "fails", callback_url: url });
    await waitFor("the first callback", () => received.length === 1);
    const ids: string[] = [];
    for (let n = 0; n < 6; n++)
      ids.push((await service.generate(key, { prompt: `held ${n}`, callback_url: url })).body.result.job_id);
    await service.call(`/api/jobs/${ids[5]}/cancel`, { key, method: "POST" });
    await waitFor("the second callback", () => received.length === 2);
    expect(received.map(({ headers }) => headers["x-service-event"])).toEqual([
      "job.failed",
      "job.cancelled",
    ]);
    for (const id of ids.slice(0, 5)) await letGo(id);
    await waitFor("the others", () => received.length === 7);

    const path = `/api/jobs/${failed.job_id}/callbacks`;
    const before = await waitFor("the log", async () => {
      const log = await list<DeliveryResource>(path, key);
      return log[0]?.status === "delivered" && log;
    });
    expect(before).toMatchObject([
      {
        event: "job.failed",
        url,
        attempts: [{ number: 1, http_status: 204, error: null }],
        next_attempt_at: null,
      },
    ]);
    const again = await service.call<One<DeliveryResource>>(`${path}/redeliver`, { key, method: "POST" });
    expect(again.status).toBe(202);
    await waitFor("the redelivery", () => received.length === 8);
    expect(received[7]?.headers["x-service-delivery"]).toBe(again.body.result.delivery_id);
    expect(await list(path, key)).toHaveLength(2);
    const { result } = (await get<JobResource>(`/api/jobs/${failed.job_id}`, key)).body;
    expect(result.callback).toMatchObject({ url, status: "delivered" });
  });
});

describe("an API key", () => {
  test("[AUTH-09] an API key with write scope reads as well", async () => {
    const { accountId } = await createCustomer(service.app);
    const { secret } = await makeKey(service.app, accountId, { name: "writer" });
    for (const path of ["/api/jobs", "/api/models", "/api/credits/balance", "/api/credits/ledger"])
      expect((await service.call(path, { key: secret })).status).toBe(200);
  });
});

test("the audit is clean and no 5xx was logged after all tests", async () => {
  expect(await service.audit()).toEqual([]);
  expect(service.errors).toEqual([]);
});
