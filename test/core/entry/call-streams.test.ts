// Streams of calls: malformed frames, releases without streams, cores that start and stop, and many parallel calls.
import * as grpc from "@grpc/grpc-js";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type AnswerBatch,
  type CallBatch,
  type CallFrame,
  OPEN_CALLS,
  toEntries,
} from "../../../proto/calls/frames.ts";
import { createCoreClient } from "../../../proto/client.ts";
import { atelierV1 } from "../../../proto/load.ts";
import { freePort } from "../../../runtime/process/free-port.ts";
import { countAlone, type Served, serveJobs, untilStreaming } from "../../support/served.ts";
import { goodToken } from "../../support/start-served.ts";
import { drawn } from "../../support/thorough.ts";
import { waitFor } from "../../support/wait-for.ts";

const { Jobs } = atelierV1;
const GET_JOB = Jobs.service.GetJob;
const WANTED = { modality: "image", model_slug: "m", prompt: "", params_json: "{}", metadata: {} };

/** A raw stream of calls, frame by frame. */
function openRaw({ address }: Pick<Served, "address">, token = goodToken()) {
  const client = new grpc.Client(address, grpc.credentials.createInsecure());
  onTestFinished(() => client.close());
  const metadata = new grpc.Metadata();
  if (token) metadata.set("authorization", `Bearer ${token}`);
  const stream = client.makeBidiStreamRequest(
    OPEN_CALLS.path,
    // Lets a test send invalid batches.
    (batch: CallBatch | Buffer) => (Buffer.isBuffer(batch) ? batch : OPEN_CALLS.requestSerialize(batch)),
    OPEN_CALLS.responseDeserialize,
    metadata,
  );
  const answers = new Map<number, AnswerBatch["frames"]>();
  let isDraining = false;
  stream.on("data", ({ frames, draining }: AnswerBatch) => {
    if (draining) isDraining = true;
    for (const frame of frames) answers.set(frame.id, [...(answers.get(frame.id) ?? []), frame]);
  });
  stream.on("error", () => {});
  const ended = new Promise<grpc.StatusObject>((resolve) => stream.on("status", resolve));
  return {
    stream,
    ended,
    isDraining: () => isDraining,
    send: (...frames: CallFrame[]) => stream.write({ frames }),
    sendBytes: (bytes: Buffer) => stream.write(bytes),
    answerOf: (id: number) => waitFor(`the answer of ${id}`, () => answers.get(id)),
    countAnswers: () => answers.size,
    call: (id: number, more: Partial<CallFrame> = {}): CallFrame => ({
      id,
      method: GET_JOB.path,
      timeoutMs: 60_000,
      metadata: toEntries(metadata),
      payload: GET_JOB.requestSerialize({ job_id: `job_${id}` }),
      ...more,
    }),
  };
}

const echo = { GetJob: async ({ job_id }: { job_id: string }) => ({ job_id }) };
const { status } = grpc;
const never = () => new Promise<never>(() => {});

/** Its calls about one job wait for `go`; `began` says how many have come. */
async function serveHeldJobs() {
  const { promise, resolve: go } = Promise.withResolvers<void>();
  let began = 0;
  const held = async () => {
    began += 1;
    await promise;
    return { job_id: "late" };
  };
  return { served: await serveJobs({ GetJob: held, Generate: held }), go, began: () => began };
}

describe("malformed frames", () => {
  test("a stream without a valid service token is refused with the reason", async () => {
    const served = await serveJobs(echo);
    expect((await openRaw(served, "").ended).code).toBe(status.UNAUTHENTICATED);
    const { code, metadata } = await openRaw(served, "no-token").ended;
    expect(code).toBe(status.UNAUTHENTICATED);
    expect(String(metadata.get("grpc-status-details-bin")[0])).toContain("service_token_invalid");
  });

  test("a call without a token of its own is refused, whatever token opened the stream", async () => {
    const raw = openRaw(await serveJobs(echo));
    raw.send(raw.call(1, { metadata: [] }), raw.call(2));
    expect((await raw.answerOf(1))[0]?.status?.code).toBe(status.UNAUTHENTICATED);
    expect((await raw.answerOf(2))[0]?.status).toBe(null);
  });

  test("an unknown method, a damaged request and invalid gRPC metadata fail only their own call", async () => {
    const raw = openRaw(await serveJobs(echo));
    raw.send(
      raw.call(1, { method: "/atelier.v1.Jobs/Nothing" }),
      raw.call(2, { method: Jobs.service.WatchJob.path }),
      raw.call(3, { method: Jobs.service.VerifyFile.path }),
      raw.call(4, { payload: Buffer.from([255, 255, 255]) }),
      raw.call(5, { metadata: [{ name: "a name", text: "no" }] }),
      { id: 6, payload: Buffer.from("a part of no call") },
      { id: 7, cancel: true },
      raw.call(8),
    );
    await raw.answerOf(8);
    const codes = [];
    for (const id of [1, 2, 3, 4, 5]) codes.push((await raw.answerOf(id))[0]?.status?.code);
    const { UNIMPLEMENTED, INTERNAL } = status;
    expect(codes).toEqual([UNIMPLEMENTED, UNIMPLEMENTED, UNIMPLEMENTED, INTERNAL, INTERNAL]);
    expect(raw.countAnswers()).toBe(6);
  });

  test.each([
    ["arrives during the first's response", {}],
    ["arrives before the first is complete", { more: true }],
  ])(
    "two calls with one id end the stream, and its open calls are cancelled: the second %s",
    async (_when, first) => {
      const signals: AbortSignal[] = [];
      const raw = openRaw(
        await serveJobs({
          GetJob: (_request, { signal }) => {
            signals.push(signal);
            return never();
          },
        }),
      );
      raw.send(raw.call(1));
      await waitFor("it to be answered", () => signals.length === 1);
      raw.send(raw.call(2, first), raw.call(2));
      expect(await raw.ended).toMatchObject({
        code: status.INVALID_ARGUMENT,
        details: expect.stringContaining("2"),
      });
      await waitFor("it to be cancelled", () => signals.every(({ aborted }) => aborted));
    },
  );

  test("bytes that are no frames, and a message that is too large, end the stream", async () => {
    const served = await serveJobs(echo);
    const damaged = openRaw(served);
    damaged.sendBytes(Buffer.from([255, 255, 255, 255]));
    expect((await damaged.ended).code).toBe(status.INTERNAL);
    const large = openRaw(served);
    large.send(large.call(1, { payload: Buffer.alloc(1_100_000) }));
    expect((await large.ended).code).toBe(status.RESOURCE_EXHAUSTED);
  });

  test("a request in parts is answered once it is complete; one that grows too large is refused alone", async () => {
    const raw = openRaw(
      await serveJobs({ GetJob: async ({ job_id }) => ({ prompt: String(job_id.length) }) }),
    );
    const whole = GET_JOB.requestSerialize({ job_id: "x".repeat(300) });
    raw.send(raw.call(1, { payload: whole.subarray(0, 100), more: true }), raw.call(2));
    raw.send(
      { id: 1, payload: whole.subarray(100, 200), more: true },
      { id: 1, payload: whole.subarray(200) },
    );
    const [answer] = await raw.answerOf(1);
    expect(GET_JOB.responseDeserialize(Buffer.from(answer?.payload ?? [])).prompt).toBe("300");
    const part = { payload: Buffer.alloc(600_000), more: true };
    raw.send(raw.call(4, part));
    raw.send({ id: 4, ...part });
    raw.send({ id: 4, ...part });
    expect((await raw.answerOf(4))[0]?.status).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
  });

  test("incomplete requests are buffered up to a limit", async () => {
    const raw = openRaw(await serveJobs(echo));
    for (let id = 1; id <= 20; id++) raw.send(raw.call(id, { payload: Buffer.alloc(600_000), more: true }));
    expect((await raw.ended).code).toBe(status.RESOURCE_EXHAUSTED);
  });

  test("core refuses calls beyond 2,000 in flight and asks the client to retry", async () => {
    const raw = openRaw(await serveJobs({ GetJob: never }));
    raw.send(...Array.from({ length: 1_999 }, (_one, at) => raw.call(at + 1)));
    // The client has cancelled these calls, which still run in core.
    raw.send({ id: 1, cancel: true }, raw.call(2_000), raw.call(2_001));
    const [refused] = await raw.answerOf(2_001);
    expect(refused?.status).toMatchObject({ code: status.UNAVAILABLE });
    expect(refused?.status?.metadata[0]?.name).toBe("grpc-status-details-bin");
    expect(raw.countAnswers()).toBe(1);
  });
});

/** A core of the release before: it answers calls and has no streams. */
async function serveAlone(port: number): Promise<{ answered(): number; close(): void }> {
  let answered = 0;
  const server = new grpc.Server();
  server.addService({ GetJob: GET_JOB } as unknown as grpc.ServiceDefinition, {
    GetJob: (_call: unknown, callback: grpc.sendUnaryData<object>) => {
      answered += 1;
      callback(null, { job_id: "alone" });
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, grpc.ServerCredentials.createInsecure(), (error) =>
      error ? reject(error) : resolve(),
    );
  });
  onTestFinished(() => server.forceShutdown());
  return { answered: () => answered, close: () => server.forceShutdown() };
}

function clientOf(...ports: number[]) {
  const address = `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(",")}`;
  const client = createCoreClient({ address, serviceToken: async () => goodToken() });
  onTestFinished(() => client.close());
  return client;
}

const portOf = ({ address }: Pick<Served, "address">) => Number(address.split(":")[1]);

describe("two releases next to each other", () => {
  test("a client calls a core without streams unary, until one with streams replaces it", async () => {
    const port = await freePort();
    const before = await serveAlone(port);
    const client = clientOf(port);
    for (let i = 0; i < 20; i++)
      expect(await client.jobs.GetJob({ job_id: "j" })).toMatchObject({ job_id: "alone" });
    expect(before.answered()).toBe(20);
    before.close();
    await serveJobs(echo, { port });
    await untilStreaming(client);
    expect(await client.jobs.GetJob({ job_id: "j" })).toMatchObject({ job_id: "j" });
  });

  test("a client without streams calls unary", async () => {
    const { address } = await serveJobs(echo);
    const old = new Jobs(address, grpc.credentials.createInsecure());
    onTestFinished(() => old.close());
    const metadata = new grpc.Metadata();
    metadata.set("authorization", `Bearer ${goodToken()}`);
    const reply = await new Promise((resolve, reject) => {
      old.GetJob({ job_id: "j" }, metadata, (error, answer) => (error ? reject(error) : resolve(answer)));
    });
    expect(reply).toMatchObject({ job_id: "j" });
  });

  test("next to a core with streams, one without still gets its share of calls", async () => {
    const port = await freePort();
    const before = await serveAlone(port);
    const served = await serveJobs(echo);
    const client = clientOf(port, portOf(served));
    const alone = countAlone();
    const used = await waitFor("both ways to be used", async () => {
      const [calls, old] = [alone(), before.answered()];
      for (let i = 0; i < 8; i++) await client.jobs.GetJob({ job_id: "j" });
      const wentAlone = alone() - calls;
      return before.answered() > old && wentAlone < 8 && { wentAlone };
    });
    expect(used.wentAlone).toBeGreaterThan(0);
  });
});

describe("cores that start and stop", () => {
  /** Answers with its own name. */
  const named = (name: string, port?: number) =>
    serveJobs({ GetJob: async () => ({ job_id: name }) }, port === undefined ? {} : { port });

  test("calls rotate over all cores, including new and remaining ones", async () => {
    const late = await freePort();
    const [a, b] = await Promise.all([named("a"), named("b")]);
    const client = clientOf(portOf(a), portOf(b), late);
    const alone = countAlone();
    /** The order of the cores that answered, when all calls used streams. */
    const answering = async () => {
      const before = alone();
      const names = [];
      for (let i = 0; i < 12; i++) names.push((await client.jobs.GetJob({ job_id: "j" })).job_id);
      return alone() > before ? "" : [...new Set(names)].sort().join("");
    };
    await waitFor("both to answer", async () => (await answering()) === "ab");
    await named("c", late);
    await waitFor("all three to answer", async () => (await answering()) === "abc");
    // In equal shares.
    const shares = { a: 0, b: 0, c: 0 };
    for (let i = 0; i < 30; i++)
      shares[(await client.jobs.GetJob({ job_id: "j" })).job_id as keyof typeof shares] += 1;
    for (const share of Object.values(shares)) expect(share).toBeGreaterThan(5);
    await a.close(1_000);
    await waitFor("the other two to answer", async () => (await answering()) === "bc");
  });

  test("a core that stops under load answers its open calls, and no call is lost", async () => {
    const slow = (name: string) => ({
      Generate: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
        return { job_id: name };
      },
    });
    const [a, b] = await Promise.all([serveJobs(slow("a")), serveJobs(slow("b"))]);
    const client = clientOf(portOf(a), portOf(b));
    await untilStreaming(client);
    let isOver = false;
    const names: string[] = [];
    const failures: unknown[] = [];
    // A call without an Idempotency-Key is not repeated.
    const callers = Array.from({ length: 50 }, async () => {
      while (!isOver)
        await client.jobs.Generate(WANTED).then(
          ({ job_id }) => names.push(job_id),
          (error: unknown) => failures.push(error),
        );
    });
    await waitFor("both to answer", () => names.includes("a") && names.includes("b"));
    await a.close(10_000);
    const then = names.length;
    await waitFor("the other to answer", () => names.length > then + 500);
    isOver = true;
    await Promise.all(callers);
    expect(failures).toEqual([]);
    expect(new Set(names.slice(then + 100))).toEqual(new Set(["b"]));
  });

  test("a client that closes gets its responses, and no stream stays open", async () => {
    const { served, go, began } = await serveHeldJobs();
    const client = served.client();
    await untilStreaming(client);
    const alone = countAlone();
    const asked = client.jobs.GetJob({ job_id: "j" });
    await waitFor("it to begin", () => began() === 1);
    client.close();
    go();
    expect(await asked).toMatchObject({ job_id: "late" });
    expect(alone()).toBe(0);
    // It would wait longer than the test may take.
    await served.close(600_000);
  });

  test("a core in the same process answers its open calls before it stops, and then accepts no more", async () => {
    const { served, go, began } = await serveHeldJobs();
    const client = served.client({ isInner: true });
    await client.models.ListPlans({});
    const asked = client.jobs.Generate(WANTED);
    await waitFor("it to begin", () => began() === 1);
    let isClosed = false;
    const closing = served.close(20_000).then(() => (isClosed = true));
    await expect(client.jobs.Generate(WANTED)).rejects.toMatchObject({ code: "service_unavailable" });
    expect([isClosed, began()]).toEqual([false, 1]);
    go();
    expect(await asked).toMatchObject({ job_id: "late" });
    await closing;
  });
});

describe("many calls at the same time", () => {
  test(`${drawn(10)},000 calls of all sizes, some cancelled, each get their own response`, async () => {
    const served = await serveJobs({
      GetJob: async ({ job_id }) => {
        const [, size = "0", ms = "0"] = job_id.split(":");
        if (ms !== "0") await new Promise((resolve) => setTimeout(resolve, Number(ms)));
        return { job_id, prompt: "y".repeat(Number(size)) };
      },
    });
    const streaming = served.client();
    await untilStreaming(streaming);
    const one = fc.record({
      asks: fc.oneof({ weight: 20, arbitrary: fc.nat(300) }, { weight: 1, arbitrary: fc.nat(200_000) }),
      gets: fc.oneof({ weight: 20, arbitrary: fc.nat(300) }, { weight: 1, arbitrary: fc.nat(200_000) }),
      ms: fc.nat(3),
      givesUpAfterMs: fc.option(fc.nat(4), { freq: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1_000, maxLength: 1_000 }), async (calls) => {
        const outcomes = await Promise.all(
          calls.map(async ({ asks, gets, ms, givesUpAfterMs }, i) => {
            const name = `${i}:${gets}:${ms}:${"x".repeat(asks)}`;
            const stop = new AbortController();
            if (givesUpAfterMs !== null) setTimeout(() => stop.abort("enough"), givesUpAfterMs);
            const { job_id, prompt } = await streaming.jobs
              .GetJob({ job_id: name }, { signal: stop.signal, deadlineMs: 60_000 })
              .catch((error: unknown) => ({ job_id: error, prompt: "" }));
            if (job_id === "enough") return givesUpAfterMs !== null;
            return job_id === name && prompt.length === gets;
          }),
        );
        return outcomes.every(Boolean);
      }),
      { numRuns: drawn(10) },
    );
    // Nothing of the cancelled calls stays in memory.
    expect(await streaming.jobs.GetJob({ job_id: "last" })).toMatchObject({ job_id: "last" });
  });

  test("a stream carries at most 1,000 calls; further ones are unary", async () => {
    const { served, go, began } = await serveHeldJobs();
    const client = served.client();
    await untilStreaming(client);
    const alone = countAlone();
    const asked = Array.from({ length: 1_100 }, () =>
      client.jobs.GetJob({ job_id: "j" }, { deadlineMs: 60_000 }),
    );
    await waitFor("all to begin", () => began() === 1_100);
    go();
    await Promise.all(asked);
    // The stream is replaced after two seconds at the earliest, which frees slots.
    expect(alone()).toBeGreaterThan(0);
    expect(alone()).toBeLessThanOrEqual(100);
  });

  test("hundreds of calls with much metadata fit on a stream", async () => {
    const served = await serveJobs({
      Generate: async (_request, { operatorContext }) => ({ job_id: String(operatorContext.reason.length) }),
    });
    const client = served.client({ operatorContext: { operator: "Grace", reason: "x".repeat(3_000) } });
    await untilStreaming(client);
    const replies = await Promise.all(Array.from({ length: 900 }, () => client.jobs.Generate(WANTED)));
    expect(new Set(replies.map(({ job_id }) => job_id))).toEqual(new Set(["3000"]));
  });

  test("core starts no further calls of a client that does not read its responses", async () => {
    let began = 0;
    const served = await serveJobs({
      GetJob: async ({ job_id }) => {
        if (job_id === "other") return {};
        began += 1;
        return { prompt: "x".repeat(200_000) };
      },
    });
    const raw = openRaw(served);
    raw.stream.pause();
    for (let id = 1; id <= 400; id++) raw.send(raw.call(id));
    const other = served.client();
    await waitFor("some to begin", () => began > 20);
    for (let i = 0; i < 200; i++) await other.jobs.GetJob({ job_id: "other" });
    expect(began).toBeLessThan(300);
    raw.stream.resume();
    await waitFor("all to be answered", () => raw.countAnswers() === 400);
  });

  test("a small response does not wait behind large ones", async () => {
    const served = await serveJobs({
      GetJob: async ({ job_id }) => ({ prompt: "x".repeat(Number(job_id)) }),
    });
    const raw = openRaw(served);
    const ids: number[] = [];
    raw.stream.on("data", ({ frames }: AnswerBatch) => ids.push(...frames.map(({ id }) => id)));
    const wanting = (id: number, size: number) =>
      raw.call(id, { payload: GET_JOB.requestSerialize({ job_id: String(size) }) });
    raw.send(wanting(1, 3_000_000), wanting(2, 3_000_000), wanting(3, 10));
    await waitFor("all of them", () => ids.length > 180 && ids.includes(3));
    expect(ids.indexOf(3)).toBeLessThan(4);
  });
});
