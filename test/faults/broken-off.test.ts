// A call whose stream is reset, as by a killed core: idempotent calls are repeated, and other callers get an error that asks for a repeat.
import { once } from "node:events";
import { createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { OPEN_CALLS } from "../../proto/calls/frames.ts";
import { type CoreClient, createCoreClient } from "../../proto/client.ts";
import { AppError } from "../../proto/codes.ts";
import { serveJobs, untilStreaming } from "../support/served.ts";
import { waitFor } from "../support/wait-for.ts";

test.each([
  ["without an error", 0],
  ["as an internal error", 2],
  ["as cancelled", 8],
])("a stream that is reset %s is service_unavailable", async (_how, resetCode) => {
  const server = createServer().on("stream", (stream) => stream.on("error", () => {}).close(resetCode));
  const core = await callerOf(server);
  await expect(core.jobs.CancelJob({ job_id: "job_1" })).rejects.toMatchObject({
    code: "service_unavailable",
    retryAfterSeconds: 2,
  });
});

/** A client of this server, for as long as the test runs. */
async function callerOf(server: Http2Server): Promise<CoreClient> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const core = createCoreClient({ address: `127.0.0.1:${port}`, serviceToken: async () => "a token" });
  onTestFinished(() => {
    core.close();
    server.close();
  });
  return core;
}

/** A core without streams that resets the first calls and answers the next ones with empty messages. */
async function startLossyCore(losses: number): Promise<{ core: CoreClient; calls(): number }> {
  let calls = 0;
  const server = createServer().on("stream", (stream, headers) => {
    stream.on("error", () => {});
    if (headers[":path"] === OPEN_CALLS.path) {
      const unimplemented = { ":status": 200, "content-type": "application/grpc", "grpc-status": "12" };
      stream.respond(unimplemented, { endStream: true });
      return;
    }
    if (++calls <= losses) {
      stream.close(8);
      return;
    }
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.end(Buffer.alloc(5));
  });
  const core = await callerOf(server);
  return { core, calls: () => calls };
}

const WANTED = {
  modality: "image",
  model_slug: "picture",
  prompt: "a pier",
  params_json: "{}",
  metadata: {},
};

test("a lost read is repeated, and a request with an Idempotency-Key too", async () => {
  const reading = await startLossyCore(2);
  expect(await reading.core.models.ListPlans({})).toEqual({ plans: [] });
  const making = await startLossyCore(1);
  await making.core.jobs.Generate({ ...WANTED, idempotency_key: "order-7" });
  expect([reading.calls(), making.calls()]).toEqual([3, 2]);
});

test.each([false, true])(
  "a read is repeated when core reports that it is away; a request with an Idempotency-Key is not (in one process: %s)",
  async (isInner) => {
    const calls = { GetJob: 0, Generate: 0 };
    const served = await serveJobs({
      GetJob: async () => {
        if (++calls.GetJob < 3) throw new AppError("service_unavailable", { retryAfterSeconds: 1 });
        return { job_id: "at last" };
      },
      Generate: async () => {
        calls.Generate += 1;
        throw new AppError("service_unavailable", { retryAfterSeconds: 1 });
      },
    });
    const client = served.client({ isInner });
    await untilStreaming(client);
    expect(await client.jobs.GetJob({ job_id: "j" })).toMatchObject({ job_id: "at last" });
    await expect(client.jobs.Generate({ ...WANTED, idempotency_key: "order-7" })).rejects.toThrow(AppError);
    expect(calls).toEqual({ GetJob: 3, Generate: 1 });
  },
);

test.each([
  ["reset", false],
  ["ended", true],
])("a read on a stream that is %s is repeated, and a write without a key is not", async (_how, ends) => {
  const made = { alone: 0, onStreams: 0 };
  const core = await callerOf(
    createServer().on("stream", (stream, headers) => {
      stream.on("error", () => {});
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      if (headers[":path"] === OPEN_CALLS.path)
        stream.on("data", () => {
          made.onStreams += 1;
          if (ends) stream.end();
          else stream.close(8);
        });
      else {
        made.alone += 1;
        stream.end(Buffer.alloc(5));
      }
    }),
  );
  /** Repeats the call until one uses a stream. Returns its outcome, and the number of unary calls meanwhile. */
  const overStream = (call: () => Promise<object>) =>
    waitFor("a call to go over a stream", async () => {
      const { onStreams, alone } = made;
      const outcome = await call().catch((error: unknown) => ({ error }));
      return made.onStreams > onStreams && { outcome, alone: made.alone - alone };
    });
  expect(await overStream(() => core.models.ListPlans({}))).toEqual({ outcome: { plans: [] }, alone: 1 });
  expect(await overStream(() => core.jobs.CancelJob({ job_id: "j" }))).toMatchObject({
    outcome: { error: { code: "service_unavailable", retryAfterSeconds: 2 } },
    alone: 0,
  });
});

test("a write without a key is never sent twice, and no call is repeated forever", async () => {
  const first = await startLossyCore(1);
  await expect(first.core.jobs.Generate(WANTED)).rejects.toMatchObject({ code: "service_unavailable" });
  await expect((await startLossyCore(1)).core.jobs.CancelJob({ job_id: "job_1" })).rejects.toThrow(
    "unavailable",
  );
  const always = await startLossyCore(100);
  await expect(always.core.models.ListPlans({})).rejects.toMatchObject({ code: "service_unavailable" });
  expect([first.calls(), always.calls()]).toEqual([1, 3]);
});
