import { createServer, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import { cutWhenStalled } from "../../edge/http/slow-connections.ts";
import { streamEvents, type StreamedEvent } from "../../gateway/http/event-stream.ts";
import { createSessionCookies } from "../../gateway/site/session/session-cookie.ts";
import { AppError } from "../../proto/codes.ts";
import { generateApiKey } from "../../runtime/keys/api-key.ts";
import { untilAborted } from "../support/fake-core.ts";
import { newForEachTest } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { COMPLETED_EVENT, COMPLETED_JOB, DEBITED_EVENT, RESERVED_EVENT, RUNNING_JOB } from "./messages.ts";
import { type Gateway, PERSON, serveGateway } from "./serve-gateway.ts";

const ALL = [RESERVED_EVENT, DEBITED_EVENT, COMPLETED_EVENT];
const RESERVED_TEXT = `id: 1\nevent: reserved\ndata: {"seq":1,"type":"reserved","state":"reserved","at":"${RESERVED_EVENT.at}","ledger_entry_id":"led_1","detail":{"credits":4}}\n\n`;
const DEBITED_TEXT = `id: 2\nevent: debited\ndata: {"seq":2,"type":"debited","state":"running","at":"${DEBITED_EVENT.at}","ledger_entry_id":"led_2","detail":{}}\n\n`;
const COMPLETED_TEXT = `id: 3\nevent: completed\ndata: {"seq":3,"type":"completed","state":"completed","at":"${COMPLETED_EVENT.at}","detail":{"outputs":1}}\n\n`;

const gateway = newForEachTest(() => serveGateway());
beforeEach(async () => {
  gateway.answer("jobs.GetJob", () => RUNNING_JOB);
  gateway.answer("jobs.WatchJob", async function* (request) {
    yield* ALL.filter(({ seq }) => seq > (request.after_seq ?? 0));
  });
});

/** A gateway with limits, whose jobs run until no client watches them. */
async function serveBusy(env: Record<string, string>): Promise<Gateway> {
  const busy = await serveGateway({ ATELIER_RATE_LIMITS: "on", ...env });
  busy.admit();
  busy.answer("sessions.CheckSession", ({ account_id = "", session_id = "" }) => ({
    ...PERSON,
    account_id,
    session_id,
  }));
  busy.answer("jobs.GetJob", (request, options) =>
    request.wait_seconds ? untilAborted(options.signal) : RUNNING_JOB,
  );
  busy.answer("jobs.WatchJob", async function* (_request, options) {
    yield RESERVED_EVENT;
    await untilAborted(options.signal);
  });
  return busy;
}

describe("the event stream of a job", () => {
  test("[JOB-06] sends the first to the last event, then ends", async () => {
    const response = await gateway.call("/api/jobs/job_1/events");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(await response.text()).toBe(`retry: 2000\n${RESERVED_TEXT}${DEBITED_TEXT}${COMPLETED_TEXT}`);
  });

  test.each([
    ["Last-Event-ID", "/api/jobs/job_1/events", { "last-event-id": "2" }],
    ["after", "/api/jobs/job_1/events?after=2", {}],
    ["Last-Event-ID rather than after", "/api/jobs/job_1/events?after=0", { "last-event-id": "2" }],
  ])("[JOB-06] resumes by %s", async (_name, path, headers) => {
    const response = await gateway.call(path, { headers });
    expect(await response.text()).toBe(`retry: 2000\n${COMPLETED_TEXT}`);
    expect(gateway.calls.at(-1)?.request).toEqual({ job_id: "job_1", after_seq: 2 });
  });

  test("ends with 204 for a reader that has seen an ended job, which stops an EventSource", async () => {
    gateway.answer("jobs.GetJob", () => COMPLETED_JOB);
    const response = await gateway.call("/api/jobs/job_1/events", { headers: { "last-event-id": "3" } });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
  });

  test("sends events as they happen", async () => {
    const happened = Promise.withResolvers<void>();
    gateway.answer("jobs.WatchJob", async function* () {
      yield RESERVED_EVENT;
      await happened.promise;
      yield COMPLETED_EVENT;
    });
    const reader = (await gateway.call("/api/jobs/job_1/events")).body
      ?.pipeThrough(new TextDecoderStream())
      .getReader();
    let text = "";
    while (!text.includes(RESERVED_TEXT)) text += (await reader?.read())?.value ?? "";
    expect(text).not.toContain("completed");
    happened.resolve();
    while (!text.includes(COMPLETED_TEXT)) text += (await reader?.read())?.value ?? "";
  });

  test("starts before the first event", async () => {
    gateway.answer("jobs.WatchJob", async function* (_request, options) {
      options.onBegin?.();
      await untilAborted(options.signal);
      yield RESERVED_EVENT;
    });
    const response = await gateway.call("/api/jobs/job_1/events?after=2");
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  test("[LIM-20] is limited with waits for an address, over all keys, until one ends", async () => {
    const busy = await serveBusy({ ATELIER_OPEN_PER_ADDRESS: "2" });
    const client = new AbortController();
    const stream = await busy.call("/api/jobs/job_1/events", { signal: client.signal });
    busy.call("/api/jobs/job_1?wait=60", { signal: client.signal }).catch(() => {});
    await waitFor("the wait", () => busy.calls.find(({ request }) => request["wait_seconds"]));
    for (const path of ["/api/jobs/job_2/events", "/api/jobs/job_2?wait=1"]) {
      const refused = await busy.call(path, {
        headers: { authorization: `Bearer ${generateApiKey("gen")}` },
      });
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
      expect(await refused.json()).toMatchObject({
        code: "rate_limited",
        message:
          "There are already 2 event streams and waits open from this address, which is the most there may be.",
      });
    }
    expect((await busy.call("/api/jobs/job_2")).status).toBe(200);
    client.abort();
    await stream.text().catch(() => {});
    const again = await waitFor("a place", async () => {
      const tried = await busy.call("/api/jobs/job_2/events");
      return tried.status === 200 && tried;
    });
    await again.body?.cancel();
    await busy.close();
  });

  test("[LIM-20] is limited for a key, and refused before core is called", async () => {
    const busy = await serveBusy({ ATELIER_OPEN_PER_ACCOUNT: "2" });
    const client = new AbortController();
    for (let i = 0; i < 2; i++)
      expect((await busy.call("/api/jobs/job_1/events", { signal: client.signal })).status).toBe(200);
    const asked = busy.calls.length;
    for (const path of [
      "/api/jobs/job_2/events",
      "/api/jobs/job_2/events?after=nonsense",
      "/api/jobs/job_2?wait=1",
    ]) {
      const refused = await busy.call(path);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
      expect(await refused.json()).toMatchObject({
        message:
          "There are already 2 event streams and waits open for this account, which is the most there may be.",
      });
    }
    expect(busy.calls).toHaveLength(asked);
    const headers = { authorization: `Bearer ${generateApiKey("gen")}` };
    const other = await busy.call("/api/jobs/job_1/events", { headers, signal: client.signal });
    expect(other.status).toBe(200);
    client.abort();
    await busy.close();
  });

  test("[LIM-20] of a person's pages counts with the person's others, and for no other person", async () => {
    const busy = await serveBusy({ ATELIER_OPEN_PER_ACCOUNT: "2" });
    const cookies = createSessionCookies(["a secret that only tests know, long enough"], true, 30);
    const client = new AbortController();
    const watch = async (accountId: string) => {
      const [cookie = ""] = (await cookies.issue({ accountId, sessionId: `ses_${accountId}` })).split(";");
      return fetch(`${busy.url}/account/api/jobs/job_1/events`, {
        headers: { cookie },
        signal: client.signal,
      });
    };
    expect([(await watch("acc_1")).status, (await watch("acc_1")).status]).toEqual([200, 200]);
    const refused = await watch("acc_1");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(busy.calls.filter(({ method }) => method === "jobs.WatchJob")).toHaveLength(2);
    expect((await watch("acc_2")).status).toBe(200);
    client.abort();
    const again = await waitFor("a place", async () => {
      const tried = await fetch(`${busy.url}/account/api/jobs/job_1/events`, {
        headers: {
          cookie: (await cookies.issue({ accountId: "acc_1", sessionId: "ses_1" })).split(";")[0] ?? "",
        },
      });
      return tried.status === 200 && tried;
    });
    await again.body?.cancel();
    await busy.close();
  });

  test("[LIM-20] is refused by core before it starts", async () => {
    gateway.answer("jobs.WatchJob", async function* () {
      yield* [];
      throw new AppError("rate_limited", { retryAfterSeconds: 5 });
    });
    const response = await gateway.call("/api/jobs/job_1/events");
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(await response.json()).toMatchObject({ ok: false, code: "rate_limited" });
  });

  test("of an unknown job is refused before it starts", async () => {
    gateway.fail("jobs.GetJob", () => new AppError("job_not_found"));
    const response = await gateway.call("/api/jobs/job_2/events");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ ok: false, code: "job_not_found" });
  });

  test("cannot resume after a value that is not a number", async () => {
    gateway.admit();
    const response = await gateway.call("/api/jobs/job_1/events", { headers: { "last-event-id": "latest" } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      issues: [{ path: "last-event-id", message: "must be a number" }],
    });
  });

  test("ends cleanly when core goes away, so that the client resumes", async () => {
    gateway.answer("jobs.WatchJob", async function* () {
      yield RESERVED_EVENT;
      throw new AppError("service_unavailable", { retryAfterSeconds: 2 });
    });
    expect(await (await gateway.call("/api/jobs/job_1/events")).text()).toBe(`retry: 2000\n${RESERVED_TEXT}`);
    expect(gateway.errors).toEqual([]);
  });

  test("stops watching when the client disconnects", async () => {
    let signal: AbortSignal | undefined;
    gateway.answer("jobs.WatchJob", async function* (_request, options) {
      signal = options.signal;
      yield RESERVED_EVENT;
      await untilAborted(signal);
    });
    const client = new AbortController();
    const response = await gateway.call("/api/jobs/job_1/events", { signal: client.signal });
    await waitFor("core to be asked", () => signal);
    client.abort();
    await waitFor("core's stream to be cancelled", () => signal?.aborted);
    await expect(response.text()).rejects.toThrow("aborted");
    expect(gateway.errors).toEqual([]);
  });

  test("ends when the server drains, and a long wait then returns the current job", async () => {
    gateway.answer("jobs.WatchJob", async function* (_request, options) {
      yield RESERVED_EVENT;
      await untilAborted(options.signal);
    });
    const stream = await gateway.call("/api/jobs/job_1/events");
    let waits = 0;
    gateway.answer("jobs.GetJob", (request, options) => {
      if (!request.wait_seconds) return RUNNING_JOB;
      waits += 1;
      return untilAborted(options.signal);
    });
    const waiting = gateway.call("/api/jobs/job_1?wait=60");
    await waitFor("the wait to begin", () => waits);
    await gateway.close();
    expect(await stream.text()).toBe(`retry: 2000\n${RESERVED_TEXT}`);
    expect(await (await waiting).json()).toMatchObject({ ok: true, result: { state: "running" } });
  });

  test("responds to HEAD without watching", async () => {
    const response = await gateway.call("/api/jobs/job_1/events", { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.has("content-length")).toBe(false);
    expect(gateway.calls.map(({ method }) => method)).toEqual(["jobs.GetJob"]);
  });
});

describe("an event stream", () => {
  const times = { heartbeatMs: 60_000, retryMs: 1 };

  test("sends heartbeats while there are no events", async () => {
    const beats = Promise.withResolvers<void>();
    let text = "";
    await withResponse(
      async (response) => {
        await streamEvents(response, eventAfter(beats.promise), { ...times, heartbeatMs: 5 });
      },
      (socket) =>
        socket.setEncoding("utf8").on("data", (chunk) => {
          text += String(chunk);
          if (text.includes(":\n\n") && text.split(":\n\n").length > 3) beats.resolve();
        }),
    );
    expect(text).toContain("event: a");
  });

  test("pauses its source for a slow reader, then cuts it off", async () => {
    let made = 0;
    async function* endless(): AsyncGenerator<StreamedEvent> {
      for (;;) {
        made += 1;
        yield { id: made, type: "big", data: "x".repeat(10_000) };
      }
    }
    await withResponse(
      async (response) => {
        cutWhenStalled(response, 300);
        await streamEvents(response, endless(), times);
        expect(response.destroyed).toBe(true);
      },
      (socket) => socket.pause(),
    );
    // What fits into the buffers of two sockets, and no more.
    expect(made).toBeLessThan(5_000);
  });
});

/** Serves one request with `serve`, whose client handles its socket with `read`. */
async function withResponse(
  serve: (response: ServerResponse) => Promise<void>,
  read: (socket: Socket) => void,
): Promise<void> {
  const served = Promise.withResolvers<void>();
  const server = createServer(
    (_request, response) => void serve(response).then(served.resolve, served.reject),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () =>
    socket.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"),
  );
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => {});
  read(socket);
  try {
    await served.promise;
  } finally {
    if (socket.isPaused()) socket.destroy();
    await ended;
    server.close();
  }
}

async function* eventAfter(moment: Promise<void>): AsyncGenerator<StreamedEvent> {
  await moment;
  yield { id: 1, type: "a", data: {} };
}
