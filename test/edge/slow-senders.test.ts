// Clients that send byte by byte, on routes and tool endpoints: each is cut off at its deadline, and many of them do not affect others.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect, type Socket, type AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { createRateLimits } from "../../edge/http/rate-limit.ts";
import { createHttpServer } from "../../edge/http/server.ts";
import { cutLateBody, hasBody } from "../../edge/http/slow-connections.ts";
import { gatewayRoutes } from "../../gateway/app.ts";
import { mcpRoutes } from "../../mcp/app.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { generateApiKey } from "../../runtime/keys/api-key.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { createFakeCore } from "../support/fake-core.ts";
import { waitFor } from "../support/wait-for.ts";

const DRIP_MS = 200;
const ARRIVAL = { headersMs: 5_000, requestMs: 5_000, checkMs: 200 };
const SLOW = 64;
/** All other clients. */
const ROOM = 4;
const PATHS = ["/api/v1/connect/generate", "/mcp", "/api/mcp", "/api/member/mcp"];

let server: FastifyInstance;
let url: URL;
beforeEach(async () => {
  const config = loadConfig({
    ATELIER_RATE_LIMITS: "off",
    ATELIER_SECRET: "a secret that only tests know, long enough",
    ATELIER_MAX_CONNECTIONS: String(SLOW + ROOM),
  });
  const { client: core, answer } = createFakeCore();
  answer("models.ListPlans", () => ({ plans: [] }));
  answer("accounts.Authenticate", () => ({
    account_id: "acc_1",
    key_id: "key_1",
    scope: "write",
    plan: "pro",
  }));
  answer("memberships.Authenticate", () => ({
    account_id: "acc_1",
    key_id: "key_1",
    tier: "member",
    plan: "pro",
    plan_includes_api: false,
  }));
  server = createHttpServer({ config, log: createLog("silent", "test"), arrival: ARRIVAL });
  const baseUrl = "https://generate.example.com";
  const limits = createRateLimits(config, createMetrics());
  const options = { core, config, limits, baseUrl, generationBaseUrl: baseUrl };
  await server.register(gatewayRoutes, options);
  await server.register(mcpRoutes, options);
  url = new URL(await server.listen({ host: "127.0.0.1", port: 0 }));
});
afterEach(() => server.close());

/** Sends `head`, then `rest` byte by byte until the connection is closed. Returns the response. */
function drip(head: string, rest: string): Promise<string> {
  const socket: Socket = connect(Number(url.port), url.hostname);
  let text = "";
  let sent = 0;
  socket.on("error", () => {}).on("data", (bytes: Buffer) => (text += bytes.toString("latin1")));
  socket.write(head);
  const timer = setInterval(() => socket.write(rest[sent++ % rest.length] ?? " "), DRIP_MS);
  onTestFinished(() => void socket.destroy());
  return new Promise((resolve) => {
    socket.once("close", () => {
      clearInterval(timer);
      resolve(text);
    });
  });
}

function slowBody(path: string): Promise<string> {
  const head = [
    `POST ${path} HTTP/1.1`,
    "host: generate.example.com",
    `authorization: Bearer ${generateApiKey(path.includes("member") ? "mem" : "gen")}`,
    "content-type: application/json",
    "accept: application/json, text/event-stream",
    "content-length: 1000",
    "",
    "",
  ].join("\r\n");
  return drip(head, " ");
}

async function plansStatus(): Promise<number> {
  const response = await fetch(new URL("/api/plans", url), { headers: { connection: "close" } });
  await response.arrayBuffer();
  return response.status;
}

test("64 slow senders of bodies, on the API and each tool endpoint, or of headers are refused with 408 at their deadline, and all other requests are served", async () => {
  let over = 0;
  const slow = Array.from({ length: SLOW }, (_, i) => {
    const path = PATHS[(i >> 1) % PATHS.length] ?? "";
    const ended = i % 2 === 0 ? slowBody(path) : drip(`GET ${path} HTTP/1.1\r\nhost: x\r\nx-slow: `, "a");
    return ended.finally(() => (over += 1));
  });
  const others: number[] = [];
  while (over === 0) others.push(await plansStatus());
  expect(others.length).toBeGreaterThan(0);
  expect(new Set(others)).toEqual(new Set([200]));
  const answers = await Promise.all(slow);
  expect(new Set(answers.map((text) => text.slice(0, 12)))).toEqual(new Set(["HTTP/1.1 408"]));
  // On a busy machine, some of so many requests may take as long as a slow sender's.
  await waitFor("as many others to be served together", async () =>
    (await Promise.all(Array.from({ length: SLOW }, plansStatus))).every((status) => status === 200),
  );
});

// Incomplete bodies are cut off at their deadline; complete ones and requests without a body are not.
const LATE_MS = 50;

/** Sends these bytes. Returns whether the request had a body, and whether that was cut off. */
async function ask(bytes: string): Promise<{ body: boolean; late: boolean; whole: boolean }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  const asked = once(server, "request") as Promise<[IncomingMessage]>;
  socket.write(bytes);
  const [request] = await asked;
  let late = false;
  let past = false;
  cutLateBody(request, LATE_MS, () => (late = true));
  request.resume();
  // Later than the limit by any clock: timers of one length fire in order, and this one is created after the limit's.
  process.nextTick(() => setTimeout(() => (past = true), LATE_MS));
  await waitFor("the time to be over", async () => past);
  return { body: hasBody(request), late, whole: request.complete };
}

test("a body that stalls is cut off, with or without Content-Length", async () => {
  const head = "POST / HTTP/1.1\r\nhost: a\r\n";
  expect(await ask(`${head}content-length: 10\r\n\r\nhalf`)).toEqual({
    body: true,
    late: true,
    whole: false,
  });
  expect(await ask(`${head}transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n`)).toEqual({
    body: true,
    late: true,
    whole: false,
  });
});

test("a complete body, and a request without one, have no time limit", async () => {
  const whole = { late: false, whole: true };
  expect(await ask("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\nhalf")).toEqual({
    body: true,
    ...whole,
  });
  expect(await ask("GET / HTTP/1.1\r\nhost: a\r\n\r\n")).toEqual({ body: false, ...whole });
  expect(await ask("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n")).toEqual({
    body: false,
    ...whole,
  });
});
