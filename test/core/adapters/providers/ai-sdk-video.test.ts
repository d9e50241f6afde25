// Clips with handles: the SDK's own gateway package against a server that implements its start and status, with faults on request.
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAiSdkProvider } from "../../../../core/adapters/providers/ai-sdk/provider.ts";
import { createVideoMaker, LOOP } from "../../../../core/adapters/providers/local/clip.ts";
import {
  type Polled,
  type Provider,
  type ProviderCall,
  ProviderError,
  type ProviderRequest,
} from "../../../../core/adapters/providers/provider.ts";
import { systemClock } from "../../../../runtime/clock.ts";
import { createLog } from "../../../../runtime/log/log.ts";
import { callOf } from "../../../support/providers.ts";

const MIB = 2 ** 20;
const never = new AbortController().signal;
const REQUEST: ProviderRequest = {
  modality: "video",
  model: "films/film-1",
  prompt: "a boat",
  params: { duration_seconds: 1 },
  options: {},
};
const OPERATION = { id: "op_1", region: "here" };

type Said = { path: string; idempotencyKey: string | undefined; body: Record<string, unknown> };

let server: Server;
let origin: string;
let provider: Provider;
let clip: Uint8Array;
let status: (response: ServerResponse) => void;
let said: Said[] = [];

const send =
  (body: unknown, code = 200) =>
  (response: ServerResponse) => {
    response.writeHead(code, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };

beforeAll(async () => {
  const make = createVideoMaker(LOOP);
  const params = { width: 64, height: 48, duration_seconds: 1, fps: 5 };
  const [made] = await make({ prompt: "x", params, onProgress: () => {}, checkpoint: () => {} });
  clip = made?.bytes ?? new Uint8Array();
  server = createServer((request, response) => {
    void (async () => {
      const [path = "", body] = [request.url, await text(request)];
      if (path.endsWith("/clip.mp4")) return response.end(clip);
      if (path.endsWith("/away.mp4")) return send({}, 503)(response);
      const { "idempotency-key": key } = request.headers;
      said.push({ path, idempotencyKey: key?.toString(), body: JSON.parse(body) as Said["body"] });
      return path.endsWith("/start") ? send({ operation: OPERATION })(response) : status(response);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  provider = await createAiSdkProvider(
    "films",
    {
      package: "@ai-sdk/gateway",
      export: "createGateway",
      options: { baseURL: `${origin}/v4/ai`, apiKey: "key" },
    },
    { log: createLog("silent", "test"), clock: systemClock },
  );
});
beforeEach(() => {
  said = [];
});
afterAll(async () => {
  await provider.close?.();
  server.closeAllConnections();
  server.close();
});

async function begin(): Promise<string> {
  const started = await provider.start(REQUEST, callOf());
  if (!("handle" in started)) throw new Error("it was made at once");
  return started.handle;
}

async function ask(answer: typeof status): Promise<Polled> {
  status = answer;
  const polled = await provider.poll?.(await begin(), { request: REQUEST, signal: never });
  if (!polled) throw new Error("it cannot be asked");
  return polled;
}

async function collect(polled: Polled, change: Partial<ProviderCall> = {}) {
  if (polled.state !== "made") throw new Error(`it is ${polled.state}`);
  return polled.collect(callOf(change));
}

test("a clip is started once, with the job's key, and polled by the SDK's handle", async () => {
  expect(await ask(send({ status: "pending" }))).toEqual({ state: "running" });
  expect(said.map(({ path }) => path)).toEqual(["/v4/ai/video-model/start", "/v4/ai/video-model/status"]);
  expect(said[0]).toMatchObject({
    idempotencyKey: "job_1",
    body: { prompt: "a boat", duration: 1, n: 1 },
  });
  expect(said[1]?.body).toEqual({ operation: OPERATION });
});

describe("the result of a clip", () => {
  test("is fetched from the provider's URL", async () => {
    const videos = [{ type: "url", url: `${origin}/clip.mp4`, mediaType: "video/mp4" }];
    const polled = await ask(send({ status: "completed", videos }));
    expect(await collect(polled)).toMatchObject([{ mimeType: "video/mp4", width: 64, height: 48 }]);
    expect(said).toHaveLength(2);
  });

  test("may be in the response itself", async () => {
    const videos = [{ type: "base64", data: Buffer.from(clip).toString("base64"), mediaType: "video/mp4" }];
    const [made] = await collect(await ask(send({ status: "completed", videos })));
    expect(Buffer.from(made?.bytes ?? []).equals(clip)).toBe(true);
    expect(said).toHaveLength(2);
  });

  test("the result of a clip that is large in the response waits for the memory budget, and is limited for its kind", async () => {
    const large = Buffer.concat([clip, Buffer.alloc(6 * MIB)]).toString("base64");
    const polled = await ask(
      send({ status: "completed", videos: [{ type: "base64", data: large, mediaType: "video/mp4" }] }),
    );
    expect(said).toHaveLength(2);
    let rooms = 0;
    const reserveMemory = async () => {
      rooms += 1;
    };
    const [made] = await collect(polled, { reserveMemory });
    expect(made?.bytes.length).toBe(clip.length + 6 * MIB);
    expect(rooms).toBeGreaterThan(0);
    await expect(collect(polled, { maxBytes: 5 * MIB })).rejects.toMatchObject({
      failure: "provider_bad_answer",
      retryable: false,
    });
  });

  test("is fetched again after a temporary failure; a file that is no video is refused", async () => {
    const at = (url: string) => send({ status: "completed", videos: [{ type: "url", url, mediaType: "" }] });
    await expect(collect(await ask(at(`${origin}/away.mp4`)))).rejects.toMatchObject({
      failure: "provider_unavailable",
      retryable: true,
    });
    await expect(collect(await ask(at("nowhere")))).rejects.toMatchObject({ retryable: false });
    await expect(collect(await ask(send({ status: "completed", videos: [] })))).rejects.toMatchObject({
      failure: "provider_bad_answer",
    });
  });
});

describe("a failed clip", () => {
  test.each([
    ["something broke", "provider_failed"],
    ["blocked: content_policy", "provider_refused"],
  ])("because of %j is reported as %s, in the service's own words", async (error, failure) => {
    const polled = await ask(send({ status: "error", error }));
    if (polled.state !== "failed") throw new Error(polled.state);
    expect(polled.error).toMatchObject({ failure, retryable: false });
    expect(polled.error.message).not.toContain(error);
  });

  test("a failed clip that the provider no longer knows has failed", async () => {
    expect(await ask(send({ error: { message: "gone" } }, 404))).toMatchObject({ state: "failed" });
  });

  test.each([
    ["429", send({}, 429)],
    ["503", send({}, 503)],
    ["an invalid key", send({ error: { message: "no", type: "authentication_error" } }, 401)],
    ["an HTML page", (response: ServerResponse) => response.end("<html>")],
    ["a cut connection", (response: ServerResponse) => response.destroy()],
  ])("is polled again after %s", async (_what, answer) => {
    const error: unknown = await ask(answer).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ failure: "provider_unavailable", retryable: true });
  });

  test("is reported when the model does not exist", async () => {
    const mute = await createAiSdkProvider(
      "openai",
      { package: "@ai-sdk/openai", export: "createOpenAI", options: { apiKey: "key" } },
      { log: createLog("silent", "test"), clock: systemClock },
    );
    await expect(mute.poll?.("{}", { request: REQUEST, signal: never })).rejects.toMatchObject({
      failure: "provider_failed",
    });
  });
});
