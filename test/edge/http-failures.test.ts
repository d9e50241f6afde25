// Every 5xx and every broken response leaves one log line with its cause and the request id.
import { once } from "node:events";
import { Readable } from "node:stream";
import type { FastifyInstance, RouteHandlerMethod } from "fastify";
import { afterEach, expect, test } from "vitest";
import { clientGone } from "../../edge/http/client-gone.ts";
import { createHttpServer } from "../../edge/http/server.ts";
import { AppError } from "../../proto/codes.ts";
import { fromGrpcError } from "../../proto/errors.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { startOpsServer } from "../../runtime/ops/server.ts";
import { serveGateway } from "../gateway/serve-gateway.ts";
import { waitFor } from "../support/wait-for.ts";

type Line = {
  level: number;
  msg: string;
  request_id?: string;
  status?: number;
  err?: { message: string; stack: string };
};

const ERROR = 50;
const WARN = 40;
const HEADERS = { "x-request-id": "req_from_the_client_1" };

let close: () => Promise<unknown> = async () => {};
afterEach(() => close());

const lines: Line[] = [];
const log = createLog("warn", "test", { write: (line: string) => void lines.push(JSON.parse(line)) });

async function serve(addRoutes: (app: FastifyInstance) => void): Promise<string> {
  lines.length = 0;
  const app = createHttpServer({ config: loadConfig({}), log });
  addRoutes(app);
  close = () => app.close();
  return app.listen({ host: "127.0.0.1", port: 0 });
}

const unavailable = fromGrpcError(
  Object.assign(new Error("14 UNAVAILABLE: no connection"), {
    code: 14,
    details: "",
    metadata: undefined,
  }) as never,
);

const throws = (error: unknown) => () => {
  throw error;
};
const rejects = (error: unknown) => async () => {
  throw error;
};

test.each<[string, RouteHandlerMethod, number, number, string]>([
  ["a thrown bug", throws(new Error("a bug")), 500, ERROR, "a bug"],
  ["a rejection", rejects(new Error("a bug")), 500, ERROR, "a bug"],
  ["a response that cannot be written as JSON", async () => ({ big: 1n }), 500, ERROR, "BigInt"],
  [
    "a status without an error",
    async (_request, reply) => reply.code(502).send("no"),
    502,
    WARN,
    "without a cause",
  ],
  ["a refusal by a bug of core", rejects(new AppError("internal")), 500, ERROR, "AppError"],
  ["an outage of core", rejects(unavailable), 503, WARN, "no connection"],
])("[OPS-20] %s is logged once, with its cause and the request id", async (_name, handler, ...expected) => {
  await expectLogged((app) => app.get("/", handler), ...expected);
});

test("[OPS-20] an error handler with a bug is logged once, with its cause and the request id", async () => {
  const addRoutes = (app: FastifyInstance) => {
    app.setErrorHandler(throws(new Error("handler")));
    app.get("/", rejects(new Error("first")));
  };
  await expectLogged(addRoutes, 500, ERROR, "handler");
});

async function expectLogged(
  addRoutes: (app: FastifyInstance) => void,
  status: number,
  level: number,
  cause: string,
): Promise<void> {
  const url = await serve(addRoutes);
  expect((await fetch(url, { headers: HEADERS })).status).toBe(status);
  await waitFor("the log", () => lines.length);
  expect(lines.map(({ level: found, request_id }) => [found, request_id])).toEqual([
    [level, "req_from_the_client_1"],
  ]);
  expect(lines[0]?.err?.stack).toContain(cause);
}

test("[OPS-20] a stream that breaks after its headers is logged", async () => {
  async function* broken(): AsyncGenerator<string> {
    yield "a beginning";
    await new Promise((resolve) => setImmediate(resolve));
    throw new Error("half way");
  }
  const url = await serve((app) =>
    app.get("/", async (_request, reply) => reply.send(Readable.from(broken()))),
  );
  const response = await fetch(url, { headers: HEADERS });
  await expect(response.text()).rejects.toThrow("terminated");
  await waitFor("the log", () => lines.length);
  expect(lines).toMatchObject([
    { level: ERROR, request_id: "req_from_the_client_1", err: { message: "half way" } },
  ]);
});

test("[OPS-20] an error page that fails to render is logged and replaced by JSON without the cause", async () => {
  const url = await serve((app) => {
    app.errorPages.make = async () => {
      throw new Error("no such icon");
    };
    app.get("/", async () => "fine");
  });
  const response = await fetch(`${url}/nowhere`, { headers: { ...HEADERS, accept: "text/html" } });
  expect(await response.json()).toMatchObject({ code: "not_found" });
  expect(lines).toMatchObject([
    { level: ERROR, request_id: "req_from_the_client_1", err: { message: "no such icon" } },
  ]);
});

test("a refusal and a disconnect of the client are not logged as errors", async () => {
  let ended = 0;
  const url = await serve((app) => {
    app.get("/", async () => {
      throw new AppError("job_not_found");
    });
    app.get("/stream", async (_request, reply) => {
      reply.raw.once("close", () => (ended += 1));
      return reply.send(
        new Readable({
          read() {
            this.push("x".repeat(1000));
          },
        }),
      );
    });
  });
  expect((await fetch(url)).status).toBe(404);
  const client = new AbortController();
  await fetch(`${url}/stream`, { signal: client.signal });
  client.abort();
  await waitFor("the end of the stream", () => ended);
  expect(lines).toEqual([]);
});

test("work that a disconnect of the client cancels is not logged, also if its response has not begun", async () => {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const url = await serve((app) => {
    app.get("/", async (_request, reply) => {
      const signal = clientGone(reply);
      begun.resolve();
      await once(signal, "abort");
      setImmediate(ended.resolve);
      return signal.throwIfAborted();
    });
  });
  const client = new AbortController();
  const response = fetch(url, { signal: client.signal });
  await begun.promise;
  client.abort();
  await expect(response).rejects.toThrow("aborted");
  await ended.promise;
  expect(lines).toEqual([]);
});

test("[OPS-20] an event stream that core breaks with a bug is logged by the gateway", async () => {
  const gateway = await serveGateway();
  close = gateway.close;
  gateway.answer("jobs.GetJob", () => ({ job_id: "job_1", state: "running", events: [] }) as never);
  gateway.answer("jobs.WatchJob", async function* (_request, options) {
    options.onBegin?.();
    await new Promise((resolve) => setImmediate(resolve));
    yield* [];
    throw new AppError("internal");
  });
  await (await gateway.call("/api/jobs/job_1/events", { headers: HEADERS })).text();
  await waitFor("the log", () => gateway.errors.length);
  expect(gateway.errors).toMatchObject([{ request_id: "req_from_the_client_1", status: 500 }]);
});

test("[OPS-20] the operations port logs why it could not answer, and which parts are not ready", async () => {
  lines.length = 0;
  const { registry } = createMetrics();
  registry.metrics = async () => {
    throw new Error("a metric");
  };
  const checks = [{ name: "core", check: async () => false }];
  const server = await startOpsServer({ port: 0, role: "core", registry, checks, panels: [], log });
  close = server.close;
  const failed = await fetch(`http://127.0.0.1:${server.port}/metrics`);
  const unready = await fetch(`http://127.0.0.1:${server.port}/readyz`);
  expect([failed.status, unready.status]).toEqual([500, 503]);
  expect(await failed.json()).toMatchObject({ request_id: failed.headers.get("x-request-id") });
  expect(lines).toMatchObject([
    { level: ERROR, request_id: failed.headers.get("x-request-id"), err: { message: "a metric" } },
    { level: WARN, request_id: unready.headers.get("x-request-id"), not_ready: [{ name: "core" }] },
  ]);
});
