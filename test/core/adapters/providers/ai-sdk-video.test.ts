// Clips with handles: the SDK's own gateway package against a server that implements its start and status, with faults on request.
import { createServer, type Server, type ServerResponse, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test, afterEach } from "vitest";
import { createAiSdkProvider } from "../../../../core/adapters/providers/ai-sdk/provider.ts";
import { createVideoMaker, LOOP } from "../../../../core/adapters/providers/local/clip.ts";
import { createOutputLimits, createMemoryBudget } from "../../../../core/adapters/providers/memory-budget.ts";
import {
  type Polled,
  type Provider,
  type ProviderCall,
  ProviderError,
  type ProviderRequest,
  type ProviderOutput,
} from "../../../../core/adapters/providers/provider.ts";
import { systemClock } from "../../../../runtime/clock.ts";
import { createLog } from "../../../../runtime/log/log.ts";
import { callOf, madeBy } from "../../../support/providers.ts";
import { waitFor } from "../../../support/wait-for.ts";

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
    const both = ["clip", "away"].map((name) => ({
      type: "url",
      url: `${origin}/${name}.mp4`,
      mediaType: "",
    }));
    const partly = await ask(send({ status: "completed", videos: both }));
    await expect(collect(partly)).rejects.toMatchObject({ retryable: true });
    expect(await collect(partly, { isLast: true }), "the last time").toHaveLength(1);
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

// URLs that an AI SDK provider may return: files and redirects.
const servers: Server[] = [];
const providers: Provider[] = [];
beforeAll(async () => {
  const make = createVideoMaker(LOOP);
  const params = { width: 64, height: 48, duration_seconds: 1, fps: 5 };
  const [made] = await make({ prompt: "x", params, onProgress: () => {}, checkpoint: () => {} });
  clip = made?.bytes ?? new Uint8Array();
});
afterEach(async () => {
  await Promise.all(providers.splice(0).map((provider) => provider.close?.()));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Host = { origin: string; host: string; port: number; asked: string[] };

async function serve(answer: RequestListener): Promise<Host> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, port, asked };
}

const sendClip: RequestListener = (_request, response) => response.end(clip);

type Setup = { privateHosts?: string[]; baseURL?: string; resolve?: (name: string) => Promise<string[]> };

async function generate(
  file: string,
  { privateHosts = [], baseURL = "https://provider.example", resolve }: Setup = {},
  call: Partial<ProviderCall> = {},
): Promise<readonly ProviderOutput[]> {
  const entry = {
    package: new URL("fake-sdk.ts", import.meta.url).href,
    export: "createFakeSdk",
    // A function, because a URL in the options would be trusted as the operator's.
    options: { baseURL, asked: [], file: () => file },
    privateHosts,
  };
  const log = createLog("silent", "test");
  const provider = await createAiSdkProvider("films", entry, {
    log,
    clock: systemClock,
    ...(resolve && { resolve }),
  });
  providers.push(provider);
  return madeBy(
    provider.start(
      { modality: "video", model: "film-1", prompt: "a boat", params: {}, options: {} },
      callOf(call),
    ),
  );
}

const REFUSED = {
  failure: "provider_bad_answer",
  retryable: false,
  message: "The provider stores its result at an address that this service does not fetch from.",
};

test("[SEC-20] a file on loopback, in a private network or at a cloud's metadata address is not fetched", async () => {
  const inside = await serve(sendClip);
  for (const file of [
    `${inside.origin}/clip.mp4`,
    `http://localhost:${inside.port}/clip.mp4`,
    `http://[::ffff:127.0.0.1]:${inside.port}/clip.mp4`,
    `http://2130706433:${inside.port}/clip.mp4`,
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/clip.mp4",
  ])
    await expect(generate(file), file).rejects.toMatchObject(REFUSED);
  expect(inside.asked).toEqual([]);
});

test("[SEC-20] a file at a name with any inside address is not fetched", async () => {
  const inside = await serve(sendClip);
  for (const addresses of [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"]])
    await expect(
      generate(`http://files.example:${inside.port}/clip.mp4`, { resolve: async () => addresses }),
    ).rejects.toMatchObject(REFUSED);
  expect(inside.asked).toEqual([]);
});

test("[SEC-20] a redirect from the provider to an inside address is not followed", async () => {
  const inside = await serve(sendClip);
  const provider = await serve((_request, response) =>
    response.writeHead(302, { location: `${inside.origin}/clip.mp4` }).end(),
  );
  const file = `${provider.origin}/files/1`;
  await expect(generate(file, { baseURL: `${provider.origin}/v1` })).rejects.toMatchObject(REFUSED);
  expect([provider.asked, inside.asked]).toEqual([["/files/1"], []]);
});

test("[SEC-20] a file at the provider's own host, or at a private host of the configuration, is fetched", async () => {
  const inside = await serve(sendClip);
  const file = `${inside.origin}/clip.mp4`;
  const setups: Setup[] = [
    { baseURL: `${inside.origin}/v1` },
    { privateHosts: [inside.host] },
    { privateHosts: ["127.0.0.1"] },
  ];
  for (const setup of setups) expect(await generate(file, setup)).toMatchObject([{ mimeType: "video/mp4" }]);
  await expect(generate(file, { privateHosts: ["127.0.0.1:1"] })).rejects.toMatchObject(REFUSED);
});

test("a missing or truncated file is not generated again", async () => {
  const gone = await serve((_request, response) => response.writeHead(404).end("no such file"));
  const broken = await serve((_request, response) => {
    response.writeHead(200, { "content-length": "1000" }).write("half");
    setImmediate(() => response.destroy());
  });
  for (const { origin } of [gone, broken])
    await expect(generate(`${origin}/clip.mp4`, { baseURL: origin })).rejects.toMatchObject({
      failure: "provider_bad_answer",
      retryable: false,
    });
});

test("[JOB-17] large responses are read one after the other within the memory budget, small ones at any time", async () => {
  // A clip of 6 MiB: players ignore the bytes after the boxes that they read.
  const large = Buffer.concat([clip, Buffer.alloc(6 * MIB)]);
  const host = await serve((request, response) => response.end(request.url === "/small" ? clip : large));
  const room = createMemoryBudget(10 * MIB);
  const { signal } = new AbortController();
  const [first, second, third] = [1, 2, 3].map(() => createOutputLimits(room, 10 * MIB, signal));
  const setup = { baseURL: host.origin };
  expect(await generate(`${host.origin}/large`, setup, first)).toMatchObject([{ mimeType: "video/mp4" }]);
  let done = false;
  const waiting = generate(`${host.origin}/large`, setup, second).finally(() => (done = true));
  await waitFor("the second file to be asked for", () => host.asked.length === 2);
  expect(await generate(`${host.origin}/small`, setup, third)).toMatchObject([{ bytes: clip }]);
  expect([done, room.taken()]).toEqual([false, 10 * MIB]);
  first?.release();
  expect((await waiting)[0]?.bytes).toHaveLength(large.length);
});

test("[JOB-17] a response above the limit of its kind is refused, with or without Content-Length", async () => {
  const large = Buffer.concat([clip, Buffer.alloc(2 * MIB)]);
  const host = await serve((request, response) => {
    if (request.url === "/said") response.writeHead(200, { "content-length": String(large.length) });
    response.write(large.subarray(0, MIB));
    response.end(large.subarray(MIB));
  });
  for (const path of ["/said", "/unsaid"])
    await expect(
      generate(host.origin + path, { baseURL: host.origin }, { maxBytes: MIB }),
    ).rejects.toMatchObject({
      failure: "provider_bad_answer",
      message: expect.stringContaining("more data"),
    });
});
