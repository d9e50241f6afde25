// Queue providers, configured as in docs/operations/providers.md, against doubles of fal's and Replicate's queues.
import { afterEach, describe, expect, test } from "vitest";
import { createHttpQueueProvider } from "../../../../core/adapters/providers/http-queue/provider.ts";
import {
  type AcceptedCall,
  type Polled,
  type Provider,
  ProviderError,
  type ProviderOutput,
  type ProviderRequest,
  WebhookRefused,
} from "../../../../core/adapters/providers/provider.ts";
import { systemClock } from "../../../../runtime/clock.ts";
import { loadConfig } from "../../../../runtime/config/config.ts";
import type { HttpQueueEntry } from "../../../../runtime/config/http-queue-settings.ts";
import { createLog } from "../../../../runtime/log/log.ts";
import { callOf } from "../../../support/providers.ts";
import { documentedEntry, documentedEnv, documentedJson } from "../../../support/queues/documented.ts";
import { FAL_KEY, startFalQueue } from "../../../support/queues/fal.ts";
import { PNG } from "../../../support/queues/picture.ts";
import { FAULTS, type Queue, type QueueOptions, type Step } from "../../../support/queues/queue.ts";
import { REPLICATE_TOKEN, startReplicateQueue } from "../../../support/queues/replicate.ts";

const open: { close?: () => unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close?.();
});

function opened<T extends { close?: () => unknown }>(each: T): T {
  open.push(each);
  return each;
}

function connect(name: string, entry: HttpQueueEntry, timeoutMs = 60_000): Provider {
  const deps = { log: createLog("silent", "test"), clock: systemClock, timeoutMs };
  return opened(createHttpQueueProvider(name, entry, deps));
}

type Change = (entry: HttpQueueEntry) => HttpQueueEntry;
const same: Change = (entry) => entry;

async function fal(change = same, options: QueueOptions = {}, timeoutMs?: number) {
  const queue = opened(await startFalQueue(options));
  const entry = change(documentedEntry("fal", { fal: queue.origin }));
  return { queue, provider: connect("fal", entry, timeoutMs) };
}

async function replicate(change = same, options: QueueOptions = {}) {
  const queue = opened(await startReplicateQueue(options));
  const { origin, webhookSecret } = queue;
  const entry = change(documentedEntry("replicate", { replicate: origin, webhookSecret }));
  return { queue, provider: connect("replicate", entry) };
}

const REQUEST: ProviderRequest = {
  modality: "image",
  model: "fal-ai/flux/dev",
  prompt: "a boat",
  params: { count: 1, seed: 7 },
  options: { guidance: 3 },
};
const never = new AbortController().signal;

async function start(provider: Provider, request = REQUEST, call = callOf()): Promise<AcceptedCall> {
  const started = await provider.start(request, call);
  if (!("handle" in started)) throw new Error("no handle");
  return started;
}

/** A fake service's request that is made, with its handle. */
async function made(queue: Queue, provider: Provider, request = REQUEST): Promise<string> {
  const { handle } = await start(provider, request);
  await queue.move(queue.last(), "made");
  return handle;
}

async function poll(provider: Provider, handle: string, request = REQUEST): Promise<Polled> {
  if (!provider.poll) throw new Error("it cannot be polled");
  return provider.poll(handle, { request, signal: never });
}

async function collect(
  provider: Provider,
  handle: string,
  call = callOf(),
): Promise<readonly ProviderOutput[]> {
  const polled = await poll(provider, handle);
  if (polled.state !== "made") throw new Error(`it is ${polled.state}`);
  return polled.collect(call);
}

async function failureOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProviderError)) throw new Error(`no ProviderError: ${String(error)}`);
  // The job's owner sees no provider message, host or key.
  expect(error.message).not.toMatch(/127\.0\.0\.1|secret|token|Traceback|<html|sk-/i);
  return error;
}

describe("fal's queue, as configured on the connect page", () => {
  test("[JOB-28] a request is queued, runs and returns its pictures, through the URLs of the response", async () => {
    const { queue, provider } = await fal(same, { files: 2 });
    const request = { ...REQUEST, params: { count: 2, seed: 7 } };
    const { handle } = await start(
      provider,
      request,
      callOf({ webhookUrl: "https://us.example/hook?a=1&b=2" }),
    );
    const asked = queue.last();
    expect(asked).toMatchObject({
      model: "fal-ai/flux/dev",
      body: { prompt: "a boat", num_images: 2, seed: 7, guidance: 3 },
      webhookUrl: "https://us.example/hook?a=1&b=2",
    });
    expect(asked.headers.authorization).toBe(`Key ${FAL_KEY}`);
    expect(await poll(provider, handle)).toEqual({ state: "running", position: 2 });
    await queue.move(asked, "running");
    expect(await poll(provider, handle)).toEqual({ state: "running" });
    await queue.move(asked, "made");
    const polled = await poll(provider, handle, request);
    expect(asked.asked).toMatchObject({ status: 3, result: 0, file: 0 });
    if (polled.state !== "made") throw new Error(polled.state);
    const outputs = await polled.collect(callOf());
    expect(outputs).toMatchObject([0, 1].map(() => ({ mimeType: "image/png", width: 1, height: 1 })));
    expect(outputs.map(({ bytes }) => PNG.equals(bytes))).toEqual([true, true]);
  });

  test("a cancelled request is stopped in time, and a finished one is not", async () => {
    const { queue, provider } = await fal();
    const early = await start(provider);
    await provider.cancel?.(early.handle, { request: REQUEST, signal: never });
    expect(await poll(provider, early.handle)).toEqual({ state: "cancelled" });
    const late = await start(provider);
    await queue.move(queue.last(), "made");
    await provider.cancel?.(late.handle, { request: REQUEST, signal: never });
    expect(await poll(provider, late.handle)).toMatchObject({ state: "made" });
  });

  test("a failure is reported in the service's own words", async () => {
    const { queue, provider } = await fal();
    for (const [theirs, failure, retryable] of [
      ["content_policy_violation", "provider_refused", false],
      ["runner_disconnected at /srv/secret", "provider_unavailable", true],
      ["Traceback: sk-1234", "provider_failed", false],
    ] as const) {
      const { handle } = await start(provider);
      await queue.move(queue.last(), "failed", theirs);
      const polled = await poll(provider, handle);
      expect(polled).toMatchObject({ state: "failed", error: { failure, retryable } });
      if (polled.state === "failed") expect(polled.error.message).not.toMatch(/runner|Traceback|srv/);
    }
  });

  test("a failure that only the result reports is permanent", async () => {
    const { queue, provider } = await fal();
    const handle = await made(queue, provider);
    queue.fail("result", FAULTS.json(422, { detail: [{ type: "content_policy_violation" }] }));
    expect(await failureOf(collect(provider, handle))).toMatchObject({
      failure: "provider_refused",
      retryable: false,
    });
    queue.fail("result", FAULTS.json(504, { detail: "late", error_type: "request_timeout" }));
    expect(await failureOf(collect(provider, handle))).toMatchObject({
      failure: "provider_unavailable",
      retryable: false,
    });
    expect(await collect(provider, handle)).toHaveLength(1);
  });

  test("a signed webhook restores a lost handle, and an unsigned one is refused", async () => {
    const { queue, provider } = await fal();
    const { handle } = await start(provider);
    const { id } = queue.last();
    await queue.move(queue.last(), "made");
    const body = JSON.stringify({ request_id: id, gateway_request_id: id, status: "OK", payload: {} });
    const tell = (headers: Record<string, string>, text = body) =>
      provider.webhook?.({ headers, body: Buffer.from(text) }, { request: REQUEST, signal: never });
    const given = await tell(queue.sign(body, id));
    expect(JSON.parse(given ?? "")).toEqual(JSON.parse(handle));
    expect(await collect(provider, given ?? "")).toHaveLength(1);
    const now = Math.floor(Date.now() / 1000);
    for (const [headers, text] of [
      [{}, body],
      [queue.sign(body, id), body.replace("OK", "KO")],
      [queue.sign(body, id, now - 301), body],
      [queue.sign(body, id, now + 301), body],
      [{ ...queue.sign(body, id), "x-fal-webhook-user-id": "user-2" }, body],
      [{ ...queue.sign(body, id), "x-fal-webhook-signature": "00" }, body],
      [queue.sign("no JSON", id), "no JSON"],
    ] as const)
      await expect(tell(headers, text)).rejects.toThrow(WebhookRefused);
    expect(await tell(queue.sign("{}", id), "{}")).toBeUndefined();
  });
});

describe("Replicate's predictions, as configured on the connect page", () => {
  const request = { ...REQUEST, model: "black-forest-labs/flux-schnell" };

  test("[JOB-28] a prediction starts, runs and returns its output", async () => {
    const { queue, provider } = await replicate();
    const input = {
      mimeType: "image/png",
      bytes: 1,
      read: async () => PNG,
      url: "https://us.example/in.png",
    };
    const inputs = new Map([["image", input]]);
    const { handle } = await start(
      provider,
      request,
      callOf({ webhookUrl: "https://us.example/hook", inputs }),
    );
    expect(queue.last()).toMatchObject({
      model: request.model,
      body: {
        input: { prompt: "a boat", num_outputs: 1, seed: 7, guidance: 3, image: "https://us.example/in.png" },
        webhook: "https://us.example/hook",
        webhook_events_filter: ["completed"],
      },
    });
    expect(queue.last().headers.authorization).toBe(`Bearer ${REPLICATE_TOKEN}`);
    expect(await poll(provider, handle)).toEqual({ state: "running" });
    await queue.move(queue.last(), "made");
    expect(await collect(provider, handle)).toMatchObject([{ mimeType: "image/png" }]);
    expect(queue.last().asked).toMatchObject({ status: 2, file: 1 });
  });

  test("a request without a webhook URL of the service asks for no webhook", async () => {
    const { queue, provider } = await replicate();
    await start(provider, request);
    expect(queue.last().body).not.toHaveProperty("webhook");
  });

  test("failed, cancelled and refused predictions are reported as such", async () => {
    const { queue, provider } = await replicate();
    const ends = async (state: "failed" | "cancelled", error?: string) => {
      const { handle } = await start(provider, request);
      await queue.move(queue.last(), state, error);
      return poll(provider, handle, request);
    };
    expect(await ends("failed", "CUDA out of memory")).toMatchObject({
      error: { failure: "provider_failed" },
    });
    expect(await ends("failed", "NSFW content detected")).toMatchObject({
      error: { failure: "provider_refused" },
    });
    expect(await ends("failed", "Prediction interrupted; please retry (code: PA)")).toMatchObject({
      error: { failure: "provider_unavailable", retryable: true },
    });
    expect(await ends("cancelled")).toEqual({ state: "cancelled" });
    const { handle } = await start(provider, request);
    await provider.cancel?.(handle, { request, signal: never });
    expect(await poll(provider, handle)).toEqual({ state: "cancelled" });
  });

  test("a webhook is accepted only with its signature", async () => {
    const { queue, provider } = await replicate();
    const { handle } = await start(provider, request);
    const body = JSON.stringify({ id: queue.last().id, status: "succeeded" });
    const tell = (headers: Record<string, string>, text = body) =>
      provider.webhook?.({ headers, body: Buffer.from(text) }, { request, signal: never });
    expect(await tell(queue.sign(body))).toBe(handle);
    const signed = queue.sign(body);
    // While a secret is rotated, both are valid.
    expect(await tell({ ...signed, "webhook-signature": `v1,AAAA ${signed["webhook-signature"]}` })).toBe(
      handle,
    );
    for (const headers of [
      {},
      queue.sign(`${body} `),
      queue.sign(body, Math.floor(Date.now() / 1000) - 301),
      { ...signed, "webhook-id": "msg_other" },
      { ...signed, "webhook-signature": "v1," },
    ])
      await expect(tell(headers)).rejects.toThrow(WebhookRefused);
  });
});

describe("a start request", () => {
  test.each([
    ["no JSON", FAULTS.text(200, "<html>secret</html>"), "provider_bad_answer", false],
    ["an error with status 200", FAULTS.json(200, { error: "sk-1234" }), "provider_failed", false],
    ["no id", FAULTS.json(200, { status: "IN_QUEUE" }), "provider_bad_answer", false],
    ["a redirect", FAULTS.text(307, "", { location: "http://127.0.0.1:1/" }), "provider_bad_answer", false],
    ["an invalid key", FAULTS.json(401, { detail: "sk-1234" }), "provider_failed", false],
    ["no such model", FAULTS.json(404, {}), "provider_failed", false],
    [
      "refused content",
      FAULTS.json(422, { detail: [{ type: "content_policy_violation" }] }),
      "provider_refused",
      false,
    ],
    ["a server error", FAULTS.text(500, "Traceback secret"), "provider_unavailable", true],
    ["a status that is too long", FAULTS.endless(), "provider_bad_answer", false],
  ])(
    "a start request that is answered with %s fails with a clear error",
    async (_what, fault, failure, retryable) => {
      const { queue, provider } = await fal();
      queue.fail("submit", fault);
      expect(await failureOf(start(provider))).toMatchObject({ failure, retryable });
    },
  );

  test("a start request that meets a full queue reports the retry delay", async () => {
    const { queue, provider } = await fal();
    queue.fail("submit", FAULTS.json(429, {}, { "retry-after": "7" }));
    expect(await failureOf(start(provider))).toMatchObject({ retryable: true, retryAfterMs: 7000 });
  });

  test("a start request that may have arrived is not repeated, unless the provider deduplicates it", async () => {
    for (const fault of [FAULTS.hangUp(), FAULTS.never(), FAULTS.cutOff()]) {
      const { queue, provider } = await fal(same, {}, 300);
      queue.fail("submit", fault);
      expect(await failureOf(start(provider))).toMatchObject({
        failure: "provider_unavailable",
        retryable: false,
        outcomeUnknown: true,
      });
    }
    const { queue, provider } = await fal((entry) => ({
      ...entry,
      submit: { ...entry.submit, idempotencyHeader: "Idempotency-Key" },
    }));
    queue.fail("submit", FAULTS.hangUp());
    expect(await failureOf(start(provider))).toMatchObject({ retryable: true, outcomeUnknown: false });
    await start(provider);
    expect(queue.last().headers["idempotency-key"]).toBe("job_1");
    expect(provider.safeToRepeat).toBe(true);
  });

  test("a start request that cannot have arrived is repeated", async () => {
    const { queue, provider } = await fal();
    await queue.close();
    expect(await failureOf(start(provider))).toMatchObject({ retryable: true, outcomeUnknown: false });
  });

  test("yields no handle when its response names another host, and the API key is not sent there", async () => {
    const other = opened(await startFalQueue());
    const { queue, provider } = await fal();
    const url = `${other.origin}/fal-ai/flux/requests/1`;
    queue.fail(
      "submit",
      FAULTS.json(200, { request_id: "1", status_url: url, response_url: url, cancel_url: url }),
    );
    expect(await failureOf(start(provider))).toMatchObject({
      failure: "provider_bad_answer",
      retryable: false,
    });
    expect(other.requests).toEqual([]);
  });

  test("cannot leave its path through a param or an id", async () => {
    const { queue, provider } = await replicate();
    queue.fail("submit", FAULTS.json(201, { id: "../../v1/account?x=" }));
    const { handle } = await start(provider, { ...REQUEST, model: "a/b" });
    expect(await poll(provider, handle)).toMatchObject({ state: "failed" });
    expect(queue.requests).toEqual([]);
  });
});

describe("a poll of a call", () => {
  test.each([
    ["no JSON", FAULTS.text(200, "<html>"), "provider_bad_answer"],
    ["a truncated body", FAULTS.cutOff(), "provider_unavailable"],
    ["an unknown status", FAULTS.json(200, { status: "SOMETHING" }), "provider_bad_answer"],
    ["an error with status 200", FAULTS.json(200, { error: "internal" }), "provider_bad_answer"],
    ["nothing", FAULTS.never(), "provider_unavailable"],
    ["a server error", FAULTS.text(500, "Traceback"), "provider_unavailable"],
    ["an invalid key", FAULTS.json(401, {}), "provider_unavailable"],
    ["a redirect", FAULTS.text(302, "", { location: "http://127.0.0.1:1/" }), "provider_unavailable"],
  ])(
    "a poll of a call that is answered with %s is repeated, and the result is not lost",
    async (_what, fault, failure) => {
      const { queue, provider } = await fal(same, {}, 300);
      const handle = await made(queue, provider);
      queue.fail("status", fault);
      expect(await failureOf(poll(provider, handle))).toMatchObject({ failure, retryable: true });
      expect(await collect(provider, handle)).toHaveLength(1);
    },
  );

  test("a poll of a call that is answered without an end is cut off", async () => {
    const { queue, provider } = await fal();
    const { handle } = await start(provider);
    queue.fail("status", FAULTS.endless());
    expect(await failureOf(poll(provider, handle))).toMatchObject({ failure: "provider_bad_answer" });
  });

  test("of an unknown call reports a failure", async () => {
    const { queue, provider } = await fal();
    const { handle } = await start(provider);
    queue.requests.length = 0;
    expect(await poll(provider, handle)).toMatchObject({
      state: "failed",
      error: { failure: "provider_failed" },
    });
  });

  test("reports progress and the next poll time", async () => {
    const { queue, provider } = await fal((entry) => ({
      ...entry,
      progress: { at: "done.percent", of: 100 },
      pollAfterMs: 1500,
      pollAfterSecondsAt: "eta",
    }));
    const { handle, pollAfterMs } = await start(provider);
    expect(pollAfterMs).toBe(1500);
    const status = { status: "IN_PROGRESS" };
    queue.fail(
      "status",
      FAULTS.json(202, { ...status, done: { percent: 40 } }),
      FAULTS.json(202, { ...status, done: { percent: 400 }, eta: 9 }),
      FAULTS.json(202, { ...status, done: { percent: "soon" }, eta: 9 }, { "retry-after": "30" }),
    );
    expect(await poll(provider, handle)).toEqual({ state: "running", progress: 0.4, pollAfterMs: 1500 });
    expect(await poll(provider, handle)).toEqual({ state: "running", progress: 1, pollAfterMs: 9000 });
    expect(await poll(provider, handle)).toEqual({ state: "running", pollAfterMs: 30_000 });
  });

  test("ends by its caller's signal", async () => {
    const { queue, provider } = await fal();
    const { handle } = await start(provider);
    queue.fail("status", FAULTS.never());
    const stop = new AbortController();
    const asked = provider.poll?.(handle, { request: REQUEST, signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  });
});

describe("the result of a call", () => {
  const BAD = { failure: "provider_bad_answer", retryable: false };
  const AWAY = { failure: "provider_unavailable", retryable: true };
  test.each<[string, Step, Parameters<Queue["fail"]>[1], object]>([
    ["whose result is not JSON", "result", FAULTS.text(200, "<html>"), BAD],
    ["whose result names no file", "result", FAULTS.json(200, { images: [] }), BAD],
    ["whose result is temporarily unavailable", "result", FAULTS.text(503, ""), AWAY],
    ["whose result is truncated", "result", FAULTS.cutOff(), AWAY],
    ["whose file is gone", "file", FAULTS.text(404, ""), BAD],
    ["whose file is not ready", "file", FAULTS.text(503, ""), AWAY],
    ["whose file is not a picture", "file", FAULTS.text(200, "<svg onload=alert(1)>"), BAD],
    ["whose file redirects in a loop", "file", FAULTS.text(302, "", { location: "/files/x/y.png" }), BAD],
    ["whose file redirects without a location", "file", FAULTS.text(302, "", { location: "http://" }), BAD],
  ])("fails with a clear error for a call %s", async (_what, step, fault, failure) => {
    const { queue, provider } = await fal();
    const handle = await made(queue, provider);
    queue.failAlways(step, fault);
    expect(await failureOf(collect(provider, handle))).toMatchObject(failure);
  });

  test("may have fewer files than requested", async () => {
    const { queue, provider } = await fal();
    const request = { ...REQUEST, params: { count: 2 } };
    const handle = await made(queue, provider, request);
    const polled = await poll(provider, handle, request);
    if (polled.state !== "made") throw new Error(polled.state);
    expect(await polled.collect(callOf())).toHaveLength(1);
  });

  test("is what can be fetched, the last time", async () => {
    const { queue, provider } = await fal();
    const handle = await made(queue, provider);
    const url = `data:image/png;base64,${PNG.toString("base64")}`;
    const images = [{ url }, { url: "http://127.0.0.1:1/a.png" }];
    queue.failAlways("result", FAULTS.json(200, { images }));
    expect(await failureOf(collect(provider, handle))).toMatchObject(AWAY);
    expect(await collect(provider, handle, callOf({ isLast: true }))).toHaveLength(1);
  });

  test("is limited in size for its kind", async () => {
    const { queue, provider } = await fal();
    const handle = await made(queue, provider);
    queue.fail("file", FAULTS.endless());
    expect(await failureOf(collect(provider, handle, callOf({ maxBytes: 300_000 })))).toMatchObject({
      failure: "provider_bad_answer",
      message: expect.stringContaining("more data"),
    });
  });

  test("[SEC-20] is not fetched from an inside address, and the API key goes to no other host", async () => {
    const other = opened(await startFalQueue());
    const seen: unknown[] = [];
    other.failAlways("file", (response, { headers }) => {
      seen.push(headers.authorization);
      response.end(PNG);
    });
    const file = { images: [{ url: `${other.origin}/files/1/0.png` }] };
    const inside = await fal();
    const handle = await made(inside.queue, inside.provider);
    inside.queue.fail("result", FAULTS.json(200, file));
    expect(await failureOf(collect(inside.provider, handle))).toMatchObject({
      failure: "provider_bad_answer",
    });
    inside.queue.fail("file", FAULTS.text(302, "", { location: `${other.origin}/files/1/0.png` }));
    expect(await failureOf(collect(inside.provider, handle))).toMatchObject({
      failure: "provider_bad_answer",
    });
    expect(seen).toEqual([]);

    const trusting = await fal((entry) => ({ ...entry, privateHosts: ["127.0.0.1"] }));
    const again = await made(trusting.queue, trusting.provider);
    trusting.queue.fail("result", FAULTS.json(200, file));
    expect(await collect(trusting.provider, again)).toHaveLength(1);
    trusting.queue.fail("file", FAULTS.text(302, "", { location: `${other.origin}/files/1/0.png` }));
    expect(await collect(trusting.provider, again)).toHaveLength(1);
    expect(seen).toEqual([undefined, undefined]);
  });

  test("may be in the response itself", async () => {
    const { queue, provider } = await fal();
    const handle = await made(queue, provider);
    queue.fail(
      "result",
      FAULTS.json(200, { image: { url: `data:image/png;base64,${PNG.toString("base64")}` } }),
    );
    expect(await collect(provider, handle)).toMatchObject([{ mimeType: "image/png", width: 1, height: 1 }]);
  });
});

describe("the provider setting", () => {
  const load = (change: (entry: Record<string, unknown>) => unknown) => () => {
    const { fal: entry } = JSON.parse(documentedJson("fal")) as { fal: Record<string, unknown> };
    const text = JSON.stringify({ fal: change(entry) });
    return loadConfig({ ATELIER_HTTP_QUEUE_PROVIDERS: text, FAL_KEY: "a-secret-key" });
  };

  test.each<[RegExp, (entry: Record<string, unknown>) => unknown]>([
    [/fal: Invalid input/, () => "sk-1234"],
    [/fal\.address: /, ({ address: _, ...rest }) => rest],
    [/fal\.address: must not hold/, (e) => ({ ...e, address: "https://a:sk-1234@b.example" })],
    [/Unrecognized key: "adress"/, (e) => ({ ...e, adress: "sk-1234" })],
    [/fal\.status\.path: must begin with/, (e) => ({ ...e, status: { path: "status" } })],
    [
      /fal\.status\.path: \{other\} is nothing that is known there/,
      (e) => ({ ...e, status: { path: "/{other}" } }),
    ],
    [/fal\.submit\.path: \{modle\}/, (e) => ({ ...e, submit: { path: "/{modle}" } })],
    [/fal\.webhook\.handle: says nothing of status/, (e) => ({ ...e, webhook: { handle: { id: "{id}" } } })],
    [/fal\.states\.made: /, (e) => ({ ...e, states: { at: "status", made: [] } })],
    [
      /ATELIER_HTTP_QUEUE_PROVIDERS: NO_SUCH is named in it but not set/,
      (e) => ({ ...e, headers: { a: "${env.NO_SUCH}" } }),
    ],
  ])("refuses settings with %s, and quotes no value", (expected, change) => {
    expect(load(change)).toThrow(expected);
    expect(load(change)).not.toThrow(/sk-1234|a-secret-key/);
  });

  test("refuses invalid JSON, the embedded provider's name, and a name of the AI SDK settings", () => {
    const entry = JSON.parse(documentedJson("fal")) as { fal: unknown };
    const one =
      (value: unknown, more = {}) =>
      () =>
        loadConfig({ ATELIER_HTTP_QUEUE_PROVIDERS: JSON.stringify(value), FAL_KEY: "x", ...more });
    expect(() => loadConfig({ ATELIER_HTTP_QUEUE_PROVIDERS: "{sk-1234" })).toThrow(/not valid JSON/);
    expect(one({ local: entry.fal })).toThrow(/local is the embedded provider/);
    expect(one({ Fal: entry.fal })).toThrow(/lower-case words/);
    const both = { ATELIER_AI_SDK_PROVIDERS: '{"fal":{"package":"a","export":"b"}}' };
    expect(one(entry, both)).toThrow(/names a provider fal too/);
  });

  test("refuses a malformed signing secret when the provider is created", () => {
    const env = documentedEnv({ replicate: "https://api.example", webhookSecret: "whsec_short" });
    const entry = loadConfig(env).httpQueueProviders["replicate"];
    expect(() => connect("replicate", entry as HttpQueueEntry)).toThrow(/its webhook's secret is not one/);
  });
});
