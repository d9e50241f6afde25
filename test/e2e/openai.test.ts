// Tools for OpenAI's API against the whole service with the embedded models' schemas: their requests and responses, and that each is a
// normal job.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCAL_MODELS } from "../../core/studio/models/seed.ts";
import { insertMissingModels } from "../../core/studio/models/store.ts";
import type { JobResource } from "../../proto/resources/job.ts";
import { picture } from "../core/studio/uploads/pictures.ts";
import { createCustomer } from "../support/app.ts";
import type { Answer, CallInit, HttpCalls } from "../support/http-calls.ts";
import { createScriptedProvider, type ScriptedProvider, SMALL_OUTPUT } from "../support/providers.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

type Images = { created: number; data: { url?: string; b64_json?: string }[] };
type Video = { id: string; object: string; status: string; prompt: string; model: string } & Times;
type Times = { created_at: number; expires_at: number | null };
type Videos = { data: Video[]; last_id: string | null; has_more: boolean };
type Refusal = { error: { message: string; type: string; param: string | null; code: string } };

let provider: ScriptedProvider;
let service: WholeService;
/** One has an operator's alias. */
let named: HttpCalls;
let key: string;

beforeAll(async () => {
  provider = createScriptedProvider({
    answer: ({ prompt, modality, params }, { signal }) =>
      prompt === "never"
        ? new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)))
        : Array.from({ length: Number(params["count"] ?? 1) }, () =>
            modality === "audio" ? { ...SMALL_OUTPUT, mimeType: "audio/wav" } : SMALL_OUTPUT,
          ),
  });
  // It replaces the embedded provider.
  const local = { ...provider, name: "local" };
  service = await startWholeService({ providers: [local] });
  await service.app.mongo.db.collection("models").deleteMany({});
  const at = new Date();
  await insertMissingModels(
    service.app.mongo.db,
    LOCAL_MODELS.map((model, order) => ({
      ...model,
      status: "live",
      provider: "local",
      run_timeout_ms: 60_000,
      provider_options: {},
      order,
      created_at: at,
      updated_at: at,
    })),
  );
  await waitFor("the models to be known", async () => (await service.app.models()).has("atelier-canvas"));
  named = await service.openEdge({ ATELIER_OPENAI_MODELS: '{"house-style":"atelier-vector"}' });
  ({ key } = await createCustomer(service.app, { plan: "studio" }));
});
afterAll(() => service.close());

const post = <Body>(
  path: string,
  body: object,
  init: CallInit & { on?: HttpCalls } = {},
): Promise<Answer<Body>> => (init.on ?? service).call<Body>(path, { key, method: "POST", body, ...init });
const images = <Body = Images>(body: object, init?: CallInit & { on?: HttpCalls }) =>
  post<Body>("/v1/images/generations", { prompt: "a lighthouse at dawn", ...body }, init);
const speech = <Body = undefined>(body: object, init?: CallInit) =>
  post<Body>("/v1/audio/speech", { input: "Good evening.", ...body }, init);

/** The job in a response's Location. */
async function jobOf({ headers }: Answer<unknown>): Promise<JobResource> {
  const { pathname } = new URL(headers.get("location") ?? "");
  return service.read<JobResource>(pathname, key);
}

describe("OpenAI picture generation", () => {
  test("[OAI-01] uses the model behind a common name, at the same price, and returns URLs", async () => {
    const answer = await images({
      model: "dall-e-3",
      n: 2,
      size: "512x768",
      quality: "standard",
      user: "u-1",
    });
    expect(answer.status).toBe(200);
    const job = await jobOf(answer);
    expect(job).toMatchObject({
      model_slug: "atelier-canvas",
      params: { width: 512, height: 768, count: 2 },
      metadata: { user: "u-1" },
      source: "api",
      credits_charged: 8,
    });
    expect(answer.body).toEqual({
      created: Math.floor(Date.parse(job.ended_at ?? "") / 1000),
      data: job.outputs.map(({ url }) => ({ url })),
    });
    const file = await fetch(answer.body.data[0]?.url ?? "");
    expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(SMALL_OUTPUT.bytes));
    const entries = await service.ledger(key, job.job_id);
    expect(entries.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual(["debit -8", "reserve 0"]);
  });

  test.each([
    ["requested", { response_format: "b64_json" }],
    ["OpenAI's default for the name", { model: "gpt-image-1" }],
  ])("[OAI-01] returns base64 when it is %s", async (_why, body) => {
    const answer = await images(body);
    expect(answer.body.data).toEqual([{ b64_json: Buffer.from(SMALL_OUTPUT.bytes).toString("base64") }]);
  });

  test("[OAI-02] accepts a model's slug, an operator's alias, or no name", async () => {
    const slugs = await Promise.all(
      [images({ model: "atelier-vector" }), images({ model: "house-style" }, { on: named }), images({})].map(
        async (answer) => (await jobOf(await answer)).model_slug,
      ),
    );
    expect(slugs).toEqual(["atelier-vector", "atelier-vector", "atelier-canvas"]);
  });

  test.each([
    ["size", "32x32", "must be auto, or like 1024x768 with a width of 64 to 2048 in steps of 2"],
    ["size", "large", "must be auto, or like 1024x768"],
    ["n", 5, "must be 1 to 4"],
    ["quality", "hd", "must be one of auto, standard"],
    ["style", "natural", "must be vivid"],
    ["output_format", "webp", "must be png"],
    ["response_format", "file", "must be one of url, b64_json"],
    ["background", "transparent", "must be one of auto, opaque"],
    ["stream", true, "must be false"],
    ["seed", 7, "is not a known field"],
    ["prompt", " ", "must not be empty"],
  ])("[OAI-03] refuses %s %s with the supported values", async (field, value, words) => {
    const { status, body, headers } = await images<Refusal>({ [field]: value });
    expect(status).toBe(400);
    expect(body.error).toEqual({
      message: expect.stringContaining(`${field} ${words}`),
      type: "invalid_request_error",
      param: field,
      code: "invalid_request",
    });
    expect(headers.get("x-should-retry")).not.toBe("true");
  });

  test("[OAI-03] accepts fields with neutral values, and null", async () => {
    const neutral = {
      size: "auto",
      n: 1,
      quality: "auto",
      style: "vivid",
      background: "auto",
      moderation: "auto",
    };
    const answer = await images({ ...neutral, output_format: "png", user: null, stream: false });
    expect(answer.status).toBe(200);
  });

  test("[OAI-04] makes one job of a repeated Idempotency-Key, in parallel too", async () => {
    const headers = { "idempotency-key": "the-same" };
    const [first, second] = await Promise.all([images({}, { headers }), images({}, { headers })]);
    const third = await images({}, { headers });
    expect(third.status).toBe(200);
    expect(first.body).toEqual(third.body);
    expect(second.body).toEqual(third.body);
    expect(third.headers.get("idempotency-replayed")).toBe("true");
  });

  test("[OAI-04] leaves a job running after a timeout, and the SDK does not repeat it", async () => {
    const headers = { prefer: "wait=1" };
    const answer = await images<Refusal>({ prompt: "never" }, { headers });
    expect(answer.status).toBe(504);
    expect(answer.headers.get("x-should-retry")).toBe("false");
    const job = await jobOf(answer);
    expect(job.state).toBe("running");
    expect(answer.body.error).toMatchObject({ code: "deadline_exceeded", type: "server_error" });
    expect(answer.body.error.message).toContain(job.job_id);
    const again = await images<Refusal>(
      { prompt: "never" },
      { headers: { ...headers, "idempotency-key": "k" } },
    );
    expect(again.headers.get("x-should-retry")).toBe("true");
    for (const { job_id } of [job, await jobOf(again)])
      await service.call(`/api/jobs/${job_id}/cancel`, { key, method: "POST" });
  });

  test("[OAI-04] completes and charges a job once when its client disconnects", async () => {
    const leaving = new AbortController();
    const sent = fetch(`${service.url}/v1/images/generations`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ prompt: "never", user: "left" }),
      signal: leaving.signal,
    });
    const left = async () =>
      (await service.read<{ data: JobResource[] }>("/api/jobs?metadata[user]=left", key)).data;
    await waitFor("the job to run", async () => (await left())[0]?.state === "running");
    leaving.abort();
    await expect(sent).rejects.toThrow(/abort/);
    const [job, ...others] = await left();
    expect(others).toEqual([]);
    expect(job).toMatchObject({ state: "running", credits_charged: 4 });
    await service.call(`/api/jobs/${job?.job_id}/cancel`, { key, method: "POST" });
  });
});

describe("OpenAI speech", () => {
  test("[OAI-01] returns the file itself, in the voice behind OpenAI's name", async () => {
    const answer = await speech({ model: "tts-1", voice: "onyx", speed: 1.5, response_format: "wav" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("audio/wav");
    expect(answer.text).toBe(Buffer.from(SMALL_OUTPUT.bytes).toString());
    expect(await jobOf(answer)).toMatchObject({
      model_slug: "atelier-voice",
      prompt: "Good evening.",
      params: { voice: "rms", speed: 1.5, pitch: 1 },
    });
  });

  test.each([
    ["voice", "kal16", "kal16"],
    ["voice", "alloy", "slt"],
    ["voice", "fable", "awb"],
  ])("[OAI-02] maps the %s %s to %s", async (_field, voice, own) => {
    expect((await jobOf(await speech({ voice }))).params["voice"]).toBe(own);
  });

  test.each([
    ["voice", "nobody", "must be one of slt, rms, awb, kal16, alloy"],
    ["speed", 4, "must be 0.5 to 2"],
    ["response_format", "mp3", "must be wav"],
    ["instructions", "whisper", "must be left out: atelier-voice has no choice of it"],
    ["stream_format", "sse", "must be audio"],
    ["input", "", "must not be empty"],
  ])("[OAI-03] refuses %s %s with the supported values", async (field, value, words) => {
    const { status, body } = await speech<Refusal>({ [field]: value });
    expect(status).toBe(400);
    expect(body.error.message).toContain(`${field} ${words}`);
    expect(body.error.param).toBe(field);
  });

  test("[OAI-03] names the request's field when core finds the text too long", async () => {
    const { body } = await speech<Refusal>({ input: "a".repeat(4001) });
    expect(body.error).toMatchObject({ param: "input", code: "invalid_request" });
  });
});

/** A form as OpenAI's libraries send it. */
async function sendForm<Body>(
  path: string,
  fields: Record<string, string | Uint8Array>,
  init: CallInit = {},
): Promise<Answer<Body>> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    form.append(
      name,
      typeof value === "string" ? value : new Blob([Buffer.from(value)], { type: "image/png" }),
    );
  const sent = new Response(form);
  const body = new Uint8Array(await sent.arrayBuffer());
  const headers = { "content-type": sent.headers.get("content-type"), ...init.headers };
  return service.call<Body>(path, { key, method: "POST", body, headers });
}

describe("OpenAI picture edits", () => {
  test("[OAI-01] accept a form with a file, and make one job of a repeated Idempotency-Key", async () => {
    const fields = {
      model: "gpt-image-1",
      prompt: "as ink",
      n: "1",
      stream: "false",
      "image[]": await picture(),
    };
    const headers = { "idempotency-key": "edit-once" };
    const first = await sendForm<Images>("/v1/images/edits", fields, { headers });
    expect(first.body.data).toEqual([{ b64_json: expect.any(String) }]);
    const job = await jobOf(first);
    expect(job).toMatchObject({ model_slug: "atelier-restyle", state: "completed", prompt: "as ink" });
    expect(job.params["image"]).toMatch(/^upl_/);
    const again = await sendForm<Images>("/v1/images/edits", fields, { headers });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await jobOf(again)).job_id).toBe(job.job_id);
    const other = { ...fields, "image[]": await picture("png", 48) };
    expect((await sendForm("/v1/images/edits", other, { headers })).status).toBe(422);
  });

  test.each([
    ["mask", { mask: "https://127.0.0.1/mask.png" }, "must be left out: atelier-restyle has no choice of it"],
    ["image", { image: ["https://a.example/1.png", "https://a.example/2.png"] }, "must be at most 1"],
    ["image", { image: null }, "must be a string"],
    ["image", { model: "atelier-vector" }, "must be left out: atelier-vector takes no picture"],
    ["n", { n: 2 }, "must be 1"],
  ])("[OAI-03] refuse %s %j with the supported values", async (field, change, words) => {
    const body = { prompt: "as ink", image: "https://a.example/1.png", ...change };
    const { status, body: refusal } = await post<Refusal>("/v1/images/edits", body);
    expect(status).toBe(400);
    expect(refusal.error).toMatchObject({ param: field, message: expect.stringContaining(words) });
  });

  test("[OAI-03] refuse a file that is no picture", async () => {
    const fields = { prompt: "as ink", image: new Uint8Array(100) };
    const { body } = await sendForm<Refusal>("/v1/images/edits", fields);
    expect(body.error).toMatchObject({ code: "unsupported_input" });
  });
});

describe("OpenAI videos", () => {
  const get = <Body = Video>(path: string) => service.call<Body>(`/v1/videos${path}`, { key });

  test("[OAI-05] are jobs that are created, read, fetched, listed and deleted", async () => {
    const made: string[] = [];
    for (const prompt of ["waves", "clouds"]) {
      const asked = { model: "sora-2", prompt, seconds: "2", size: "640x360", keep_days: "1" };
      const { status, body } = await sendForm<Video>("/v1/videos", asked);
      expect([status, body.object, body.prompt]).toEqual([200, "video", prompt]);
      made.unshift(body.id);
    }
    const [second = "", first = ""] = made;
    await waitFor("the videos", async () => {
      const all = await Promise.all(made.map((id) => get(`/${id}`)));
      return all.every(({ body }) => body.status === "completed");
    });
    expect((await get(`/${first}`)).body).toMatchObject({
      model: "atelier-motion",
      progress: 100,
      seconds: "2",
      size: `${SMALL_OUTPUT.width}x${SMALL_OUTPUT.height}`,
      error: null,
    });
    const { created_at: madeAt, expires_at: endsAt } = (await get(`/${second}`)).body;
    expect((endsAt ?? 0) - madeAt, "keep_days").toBeLessThan(2 * 86_400);
    const file = await get<undefined>(`/${first}/content`);
    expect(file.text).toBe(Buffer.from(SMALL_OUTPUT.bytes).toString());
    const pages = [await get<Videos>("?limit=1"), await get<Videos>(`?limit=1&after=${second}`)];
    expect(pages.map(({ body }) => [body.data.map(({ id }) => id), body.last_id, body.has_more])).toEqual([
      [[second], second, true],
      [[first], first, false],
    ]);
    const foreign = (await get<Refusal>("?after=x")).body.error;
    expect(foreign).toMatchObject({ param: "after", message: expect.stringMatching(/^after is not/) });
    const gone = await service.call(`/v1/videos/${first}`, { key, method: "DELETE" });
    expect(gone.body).toEqual({ id: first, object: "video.deleted", deleted: true });
    expect((await get(`/${first}`)).status).toBe(404);
    expect((await get<Videos>("")).body.data.map(({ id }) => id)).toEqual([second]);
  });

  test("[OAI-05] start with a picture from the form, with a model that accepts one", async () => {
    const fields = { prompt: "slowly", seconds: "3", input_reference: await picture() };
    const { body } = await sendForm<Video>("/v1/videos", fields);
    expect(body).toMatchObject({ model: "atelier-drift", seconds: "3" });
  });

  test.each([
    ["seconds", "99", "must be 1 to 10"],
    ["seconds", "-4", "must be 1 to 10"],
    ["seconds", "100000", "must be 1 to 10"],
    ["seconds", "long", "must be a number of seconds, such as 4"],
    ["size", "9x9", "must be auto, or like 1024x768"],
    ["remix_video_id", "x", "is not a known field"],
  ])("[OAI-03] refuse %s %s with the supported values", async (field, value, words) => {
    const { status, body } = await post<Refusal>("/v1/videos", { prompt: "waves", [field]: value });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ param: field, message: expect.stringContaining(words) });
  });
});

test("[OAI-02] OpenAI's list of models has all slugs, and each alias", async () => {
  const { body } = await service.call<{ data: { id: string }[] }>("/v1/models", { key });
  const ids = body.data.map(({ id }) => id);
  expect(ids).toEqual(
    expect.arrayContaining(["atelier-canvas", "atelier-voice", "gpt-image-1", "dall-e-3", "tts-1"]),
  );
  const own = await named.call<{ data: { id: string }[] }>("/v1/models", { key });
  expect(own.body.data.map(({ id }) => id)).toContain("house-style");
});

test("[OAI-03] unknown OpenAI paths are refused in OpenAI's error shape", async () => {
  const { status, body } = await post<Refusal>("/v1/chat/completions", {});
  expect(status).toBe(404);
  expect(body.error).toMatchObject({ code: "not_found", param: null });
});

test("[OAI-03] no field is named when the whole body is wrong", async () => {
  const { body } = await post<Refusal>("/v1/images/generations", []);
  expect(body.error).toMatchObject({ message: expect.stringMatching(/^The body must be/), param: null });
  // This body has none.
  expect(body.error.message).not.toContain("issues");
});
