// The JavaScript client in dist/ against a running service, over HTTP and through broken connections.
import { generateKeyPairSync } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import {
  Atelier,
  AtelierError,
  AtelierJobError,
  AtelierWorkflowError,
  checkLedger,
  type Job,
  type LedgerEntry,
  verifyCallback,
  verifyEvent,
  type VerifyEvent,
  verifyReceipt,
} from "../../clients/js/dist/index.js";
import { signingHeaders } from "../../core/studio/webhooks/sign.ts";
import { generateApiKey } from "../../runtime/keys/api-key.ts";
import { toSigningKey } from "../../runtime/keys/signing-keys.ts";
import { picture } from "../core/studio/uploads/pictures.ts";
import { SMALL_OUTPUT } from "../support/providers.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { openClientFixture } from "./client-world.ts";

const PICTURE = { model: "picture", prompt: "a lighthouse at dawn" };

let atelier: Atelier;
const world = sharedByTests(() => openClientFixture());
beforeAll(async () => {
  atelier = new Atelier({ baseUrl: world.service.url, apiKey: world.key });
});

/** A client that counts its requests. */
function counting(baseUrl: string, answer: typeof fetch = fetch): { client: Atelier; sent: string[] } {
  const sent: string[] = [];
  const client = new Atelier({
    baseUrl,
    apiKey: world.key,
    fetch: (input, init) => {
      sent.push(`${init?.method} ${new URL(input as URL).pathname}`);
      return answer(input, init);
    },
  });
  return { client, sent };
}

async function jobsOf(order: string): Promise<Job[]> {
  const found: Job[] = [];
  for await (const job of atelier.jobs({ metadata: { order } })) found.push(job);
  return found;
}

async function refusalOf(call: Promise<unknown>): Promise<AtelierError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AtelierError)) throw new Error("it was not refused", { cause: error });
  return error;
}

test("the client creates a job, waits for it and downloads its file", async () => {
  const job = await atelier.generateAndWait({ ...PICTURE, params: { count: 1 }, metadata: { order: "one" } });
  expect(job).toMatchObject({ state: "completed", modality: "image", metadata: { order: "one" } });
  const [output] = job.outputs;
  const bytes = await atelier.download(output ?? expect.unreachable());
  expect(Buffer.from(bytes)).toEqual(Buffer.from(SMALL_OUTPUT.bytes));
});

describe("[CLIENT-01] a wait", () => {
  test("survives a lost connection, with one job", async () => {
    const { client, sent } = counting(world.shakyUrl);
    const prompt = "held through a cut";
    const done = client.generateAndWait({ ...PICTURE, prompt, metadata: { order: "cut" } });
    const held = await world.held(prompt);
    await world.proxy.cut();
    const before = sent.length;
    await waitFor("the client to try again", () => sent.length > before);
    await world.proxy.restore();
    held.finish();
    expect(await done).toMatchObject({ state: "completed", prompt });
    expect(await jobsOf("cut")).toHaveLength(1);
  });

  test("survives a restart of the service", async () => {
    const prompt = "held through a restart";
    const restarted = new Atelier({ baseUrl: world.restartedUrl, apiKey: world.key });
    const done = restarted.generateAndWait({ ...PICTURE, prompt, metadata: { order: "restart" } });
    const held = await world.held(prompt);
    await world.restart();
    held.finish();
    expect(await done).toMatchObject({ state: "completed", prompt });
    expect(await jobsOf("restart")).toHaveLength(1);
  });

  test.each([429, 503])("survives %s with Retry-After, under the same Idempotency-Key", async (status) => {
    const keys: (string | null)[] = [];
    const { client, sent } = counting(world.service.url, (input, init) => {
      if (init?.method !== "POST") return fetch(input, init);
      keys.push(new Headers(init.headers).get("idempotency-key"));
      const body = JSON.stringify({ code: "service_unavailable", message: "Later." });
      const busy = new Response(body, { status, headers: { "retry-after": "1" } });
      return keys.length === 1 ? Promise.resolve(busy) : fetch(input, init);
    });
    await client.generateAndWait(PICTURE);
    expect(sent.filter((line) => line.startsWith("POST"))).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  test("ends after its timeout or by its signal, and the job continues", async () => {
    const prompt = "held for long";
    const { job_id } = await atelier.generate({ ...PICTURE, prompt });
    const held = await world.held(prompt);
    expect(await refusalOf(atelier.wait(job_id, { timeoutMs: 1 }))).toMatchObject({
      code: "wait_timeout",
      jobId: job_id,
    });
    const stop = new AbortController();
    const waiting = atelier.wait(job_id, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    held.finish();
    expect((await atelier.wait(job_id)).state).toBe("completed");
  });

  test("throws an error with the job when the job fails or is cancelled", async () => {
    const failing = refusalOf(atelier.generateAndWait({ ...PICTURE, prompt: "held to fail" }));
    (await world.held("held to fail")).fail();
    expect(await failing).toMatchObject({ code: "job_failed", message: "Nobody can make this." });
    const { job_id } = await atelier.generate({ ...PICTURE, prompt: "held to cancel" });
    await world.held("held to cancel");
    expect(["cancelling", "cancelled"]).toContain((await atelier.cancel(job_id)).state);
    const cancelled = await refusalOf(atelier.wait(job_id));
    expect(cancelled).toBeInstanceOf(AtelierJobError);
    expect(cancelled).toMatchObject({ code: "job_cancelled", job: { credits_charged: 0 } });
  });

  test("does not repeat a request that is not idempotent", async () => {
    const { client, sent } = counting(world.service.url, () => Promise.reject(new TypeError("gone")));
    expect(await refusalOf(client.testCallback("https://receiver.invalid/"))).toMatchObject({
      code: "connection_failed",
    });
    expect(sent).toHaveLength(1);
  });
});

describe("[CLIENT-02] events", () => {
  test("resume after a lost connection without gaps or repeats", async () => {
    const prompt = "held while events are told";
    const shaky = new Atelier({ baseUrl: world.shakyUrl, apiKey: world.key });
    const { job_id } = await shaky.generate({ ...PICTURE, prompt });
    const seen: number[] = [];
    const told = (async () => {
      for await (const { seq } of shaky.events(job_id)) seen.push(seq);
    })();
    const held = await world.held(prompt);
    await waitFor("the first events", () => seen.length >= 3);
    await world.proxy.cut();
    await world.proxy.restore();
    held.finish();
    await told;
    const { events } = await atelier.job(job_id);
    expect(seen).toEqual(events.map(({ seq }) => seq));
    const rest: string[] = [];
    for await (const { type } of atelier.events(job_id, { after: events.length - 1 })) rest.push(type);
    expect(rest).toEqual(["completed"]);
    for await (const event of atelier.events(job_id, { after: events.length }))
      expect.unreachable(event.type);
  });

  test("are passed to the onEvent option of a wait", async () => {
    const types: string[] = [];
    await atelier.generateAndWait(PICTURE, { onEvent: ({ type }) => types.push(type) });
    expect(types).toEqual(["reserved", "debited", "running", "completed"]);
  });
});

describe("[FLOW-06] a workflow", () => {
  const stepsOf = (name: string) => [
    { id: "drawing", model: "picture", prompt: `${name} drawing` },
    { id: "ink", model: "atelier-restyle", prompt: `${name} ink`, params: { image: "step:drawing" } },
  ];

  test("is created and waited for through a lost connection, once", async () => {
    const { client, sent } = counting(world.shakyUrl);
    const metadata = { order: "flow" };
    const done = client.runWorkflowAndWait({ steps: stepsOf("held"), metadata });
    const first = await world.held("held drawing");
    await world.proxy.cut();
    const before = sent.length;
    await waitFor("the client to try again", () => sent.length > before);
    await world.proxy.restore();
    first.finish();
    (await world.held("held ink")).finish();
    const workflow = await done;
    expect(workflow).toMatchObject({
      state: "completed",
      credits_charged: 13,
      steps: [{}, { needs: ["drawing"] }],
    });
    const found: string[] = [];
    for await (const one of atelier.workflows({ limit: 1 }))
      if (one.metadata["order"] === "flow") found.push(one.workflow_id);
    expect(found).toEqual([workflow.workflow_id]);
    expect((await atelier.job(workflow.steps[1]?.job_id ?? "")).workflow_id).toBe(workflow.workflow_id);
  });

  test("a workflow that exceeds the timeout can be waited for again, and a cancelled one is thrown with all its steps", async () => {
    const { workflow_id } = await atelier.runWorkflow({ steps: stepsOf("held long") });
    const first = await world.held("held long drawing");
    const late = await refusalOf(atelier.waitForWorkflow(workflow_id, { timeoutMs: 1 }));
    expect(late).toMatchObject({ code: "wait_timeout", workflowId: workflow_id });
    await atelier.cancelWorkflow(workflow_id);
    first.finish();
    const error = await refusalOf(atelier.waitForWorkflow(workflow_id));
    expect(error).toBeInstanceOf(AtelierWorkflowError);
    expect(error).toMatchObject({
      code: "workflow_cancelled",
      workflow: { workflow_id, state: "cancelled" },
    });
  });

  test("a workflow that fails names the failed step and the reason", async () => {
    const failing = refusalOf(atelier.runWorkflowAndWait({ steps: stepsOf("held badly") }));
    (await world.held("held badly drawing")).fail();
    expect(await failing).toMatchObject({
      code: "workflow_failed",
      message: "The workflow failed at drawing: Nobody can make this.",
      workflow: { credits_charged: 0 },
    });
  });

  test("a workflow that is invalid names the wrong step, and creates nothing", async () => {
    const [drawing, ink] = stepsOf("circle");
    if (!drawing || !ink) throw new Error("there are two steps");
    const steps = [{ ...drawing, after: ["ink"] }, ink];
    const error = await refusalOf(atelier.runWorkflow({ steps }));
    expect(error).toMatchObject({
      code: "invalid_request",
      issues: [{ path: expect.stringMatching(/^steps\./) }],
    });
  });
});

describe("[CLIENT-03] a webhook", () => {
  const secret = `whsec_${Buffer.from("a secret of thirty-two bytes, yes").toString("base64")}`;
  const old = `whsec_${Buffer.from("the secret that was there before").toString("base64")}`;
  const body = JSON.stringify({ event: "job.completed", delivery_id: "dlv_1", job: { job_id: "job_1" } });
  const signed = (secrets: string[], at = new Date()) =>
    signingHeaders(
      { deliveryId: "dlv_1", event: "job.completed", body: Buffer.from(body), at },
      { plain: secrets[0] ?? "", standard: secrets },
    );

  test.each([
    ["with its secret", signed([secret]), secret],
    ["signed with a new and an old one", signed([secret, old]), old],
    ["to who knows the new one already", signed([old]), [secret, old]],
    ["as Headers", new Headers(signed([secret])), secret],
  ])("a webhook that is genuine is parsed: %s", async (_how, headers, known) => {
    expect(await verifyCallback({ secret: known, headers, body: Buffer.from(body) })).toEqual(
      JSON.parse(body),
    );
  });

  test("[FLOW-06] a webhook of a workflow is parsed in the same way", async () => {
    const end = JSON.stringify({
      event: "workflow.failed",
      delivery_id: "dlv_2",
      workflow: { state: "failed" },
    });
    const message = {
      deliveryId: "dlv_2",
      event: "workflow.failed",
      body: Buffer.from(end),
      at: new Date(),
    } as const;
    const headers = signingHeaders(message, { plain: secret, standard: [secret] });
    const said = await verifyCallback({ secret, headers, body: end });
    expect(said.event === "workflow.failed" && said.workflow?.state).toBe("failed");
    expect((await refusalOf(verifyCallback({ secret: old, headers, body: end }))).code).toBe(
      "callback_refused",
    );
  });

  test.each([
    ["forged", { headers: signed([old]) }],
    ["altered", { headers: signed([secret]), body: body.replace("job_1", "job_2") }],
    ["old", { headers: signed([secret], new Date(Date.now() - 301_000)) }],
    ["of the future", { headers: signed([secret], new Date(Date.now() + 4_000_000)) }],
    ["not signed", { headers: {} }],
    ["signed by nothing", { headers: { ...signed([secret]), "webhook-signature": "v1," } }],
    ["without a time", { headers: { ...signed([secret]), "webhook-timestamp": "soon" } }],
  ])("a webhook that is %s is refused", async (_how, given) => {
    const error = await refusalOf(verifyCallback({ secret, body, ...given }));
    expect(error.code).toBe("callback_refused");
    expect(error.message).not.toContain(secret);
  });

  test("cannot be verified with a malformed secret", async () => {
    await expect(verifyCallback({ secret: "guess", headers: signed([secret]), body })).rejects.toThrow(
      TypeError,
    );
  });
});

/** A message to an endpoint of acc_1, and what each change of it or of the caller's knowledge makes of it. */
describe("[CLIENT-03] [EVT-02] an event of an account", () => {
  const secret = `whsec_${Buffer.from("the secret of an endpoint, so it is").toString("base64")}`;
  const [ours, others] = [1, 2].map(() => toSigningKey(generateKeyPairSync("ed25519").privateKey));
  const body = JSON.stringify({ event: "credits.low", delivery_id: "dlv_1", account_id: "acc_1", data: {} });
  const sign = () =>
    signingHeaders(
      { deliveryId: "dlv_1", event: "credits.low", body: Buffer.from(body), at: new Date() },
      { plain: secret, standard: [secret] },
      ours?.privateKey,
    );
  const [known, unknown] = [[others, ours], [others]].map((keys) => keys.flatMap((key) => key ?? []));
  const verifying = (change: object) =>
    verifyEvent({ accountId: "acc_1", headers: sign(), body, ...change } as VerifyEvent);

  test.each([
    ["by the public keys", { keys: known }],
    ["by the secret", { secret }],
  ])("that is genuine is read %s", async (_how, given) => {
    expect(await verifying(given)).toEqual(JSON.parse(body));
  });

  test.each([
    ["for another account, by the public keys", { keys: known, accountId: "acc_2" }],
    ["for another account, by the secret", { secret, accountId: "acc_2" }],
    ["signed by another key", { keys: unknown }],
    ["altered", { keys: known, body: body.replace("credits.low", "key.created") }],
  ])("that is %s is refused", async (_how, given) => {
    expect((await refusalOf(verifying(given))).code).toBe("callback_refused");
  });

  test("[EVT-04] is listed after its number, and each once", async () => {
    const numbers = async (after?: number) => {
      const found = await Array.fromAsync(
        atelier.accountEvents({ limit: 1, ...(after !== undefined && { after }) }),
      );
      return found.map(({ seq, event }) => `${seq} ${event}`);
    };
    const before = await numbers();
    const jobs = await Promise.all([1, 2].map(() => atelier.generate(PICTURE)));
    await Promise.all(jobs.map(({ job_id }) => atelier.wait(job_id)));
    const next = [1, 2].map((n) => `${before.length + n} job.completed`);
    expect(await numbers()).toEqual([...before, ...next]);
    expect(await numbers(before.length + 1)).toEqual(next.slice(1));
  });
});

describe("[CLIENT-04] the client", () => {
  test("iterates over pages to the end", async () => {
    for (let i = 0; i < 5; i++) await atelier.generate({ ...PICTURE, metadata: { order: "paged" } });
    const { client, sent } = counting(world.service.url);
    const ids = new Set<string>();
    for await (const { job_id } of client.jobs({ limit: 2, metadata: { order: "paged" } })) ids.add(job_id);
    expect(ids.size).toBe(5);
    expect(sent).toHaveLength(3);
    for await (const { job_id } of client.jobs({ limit: 1 })) {
      expect(typeof job_id).toBe("string");
      break;
    }
    expect(sent).toHaveLength(4);
  });

  test("verifies the whole ledger, and finds a changed entry", async () => {
    expect(await atelier.verifyLedger()).toMatchObject({ ok: true });
    const entries: LedgerEntry[] = [];
    for await (const entry of atelier.ledger({ limit: 100 })) entries.unshift(entry);
    expect(await checkLedger(entries)).toMatchObject({ ok: true, entries: entries.length });
    const changed = entries.map((entry) => (entry.seq === 3 ? { ...entry, memo: "nothing to see" } : entry));
    expect(await checkLedger(changed)).toEqual({ ok: false, seq: 3 });
    expect(await checkLedger(entries.filter(({ seq }) => seq !== 2))).toEqual({ ok: false, seq: 2 });
    const { client } = counting(world.service.url, async (input, init) => {
      const response = await fetch(input, init);
      if (!(input as URL).pathname.endsWith("/balance")) return response;
      const { result } = (await response.json()) as { result: object };
      return Response.json({ ok: true, result: { ...result, ledger_hash: "0".repeat(64) } });
    });
    expect(await client.verifyLedger()).toMatchObject({ ok: false });
  });

  test("verifies a receipt, and refuses each forgery with its own message", async () => {
    const job = await atelier.generateAndWait(PICTURE);
    const receipt = (await atelier.receipt(job.job_id)) ?? "";
    const keys = await atelier.receiptKeys();
    const issuer = world.service.app.generationBaseUrl;
    const { credits, outputs } = await verifyReceipt(receipt, { keys, issuer });
    expect(credits.captured).toBe(job.credits_charged);
    expect(outputs.map(({ sha256 }) => sha256)).toEqual(job.outputs.map(({ sha256 }) => sha256));
    const [head = "", body = "", signature = ""] = receipt.split(".");
    const part = (text: string, change: object) =>
      Buffer.from(
        JSON.stringify({ ...JSON.parse(Buffer.from(text, "base64url").toString()), ...change }),
      ).toString("base64url");
    const forged = (change: object) => `${part(head, change)}.${body}.${signature}`;
    const stranger = { ...keys[0], x: Buffer.alloc(32, 9).toString("base64url") } as (typeof keys)[0];
    const cases: [string, RegExp, object?][] = [
      [`${head}.${body}`, /2 parts/],
      [`?.${body}.${signature}`, /not base64url/],
      [`${body.slice(4)}.${body}.${signature}`, /not a JSON object/],
      [forged({ alg: "none" }), /algorithm is none/],
      [forged({ typ: "JWT" }), /type is JWT/],
      [forged({ crit: ["b64"] }), /critical headers/],
      [forged({ kid: "other" }), /key other is none of the 1 keys/],
      [`${head}.${part(body, { state: "failed" })}.${signature}`, /signature is not valid/],
      [`${head}.${body}.`, /signature is not valid/],
      [receipt, /signature is not valid/, { keys: [stranger] }],
      [receipt, /issuer is .*, not https:\/\/other.example/, { issuer: "https://other.example" }],
    ];
    for (const [given, message, change] of cases)
      expect(await refusalOf(verifyReceipt(given, { keys, issuer, ...change }))).toMatchObject({
        code: "receipt_refused",
        message: expect.stringMatching(message),
      });
  });

  test("throws errors with code, wrong fields and request id", async () => {
    expect(await refusalOf(atelier.generate({ ...PICTURE, params: { count: 9 } }))).toMatchObject({
      code: "invalid_request",
      status: 400,
      issues: [{ path: "params.count", message: expect.any(String) }],
      requestId: expect.stringMatching(/^req_/),
      hint: expect.any(String),
    });
    const stranger = new Atelier({ baseUrl: world.service.url, apiKey: generateApiKey("gen") });
    expect(await refusalOf(stranger.me())).toMatchObject({ code: "invalid_key", status: 401 });
    const lost = new Atelier({ baseUrl: "http://127.0.0.1:1", apiKey: world.key, retryForMs: 0 });
    expect(await refusalOf(lost.me())).toMatchObject({ code: "connection_failed", status: undefined });
    const page = new Atelier({ baseUrl: world.service.url, fetch: async () => new Response("<html>") });
    expect(await refusalOf(page.me())).toMatchObject({ code: "unreadable_answer" });
    expect(await refusalOf(atelier.generate({ ...PICTURE, expiresIn: 0, keepDays: 0 }))).toMatchObject({
      issues: [{ path: "expires_in" }, { path: "keep_days" }],
    });
    expect(await refusalOf(atelier.generate({ ...PICTURE, maxCredits: 1 }))).toMatchObject({
      code: "spend_limit_reached",
      body: { limit: 1 },
    });
  });

  test("reads prices, files, models, plans and the catalog", async () => {
    const upload = await atelier.upload(new Uint8Array(await picture()));
    expect(upload).toMatchObject({ kind: "image", mime_type: "image/png" });
    const anyone = new Atelier({ baseUrl: world.service.url });
    expect(await anyone.verifyFile(new Uint8Array(await picture()))).toMatchObject({
      state: "none",
      mime_type: "image/png",
      record: { made: false },
    });
    expect(await atelier.estimate({ ...PICTURE, params: { count: 2 } })).toMatchObject({
      credits: 20,
      units: 2,
    });
    expect((await atelier.models({ modality: "audio" })).map(({ model_slug }) => model_slug)).toContain(
      "tune",
    );
    expect((await atelier.plans()).map(({ plan }) => plan)).toContain("studio");
    expect(await atelier.me()).toMatchObject({ plan: { plan: "studio" } });
    for await (const product of atelier.products({ search: "nothing has this name" }))
      expect.unreachable(product.slug);
    expect(await refusalOf(atelier.product("nothing"))).toMatchObject({ code: "product_not_found" });
  });
});
