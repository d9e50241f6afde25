// Refusals during overload that bypass the routes: each must be the one that its route would send.
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createKeyGuard } from "../../edge/http/key-guard.ts";
import { createRateLimits } from "../../edge/http/rate-limit.ts";
import { BODY_LIMIT_BYTES, createHttpServer } from "../../edge/http/server.ts";
import { shedOverload } from "../../edge/http/shed.ts";
import { gatewayRoutes } from "../../gateway/app.ts";
import { mcpRoutes } from "../../mcp/app.ts";
import { AppError } from "../../proto/codes.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { createFakeCore } from "../support/fake-core.ts";

let server: FastifyInstance;
let url: string;
let ofRoutes = 0;
beforeAll(async () => {
  const config = loadConfig({ ATELIER_SECRET: "a secret that only tests know, long enough" });
  const { client: core } = createFakeCore();
  server = createHttpServer({ config, log: createLog("silent", "test") });
  const limits = createRateLimits(config, createMetrics(), {
    load: { begin: () => () => {}, isFull: () => true },
  });
  shedOverload(server, { config, limits, maxBytes: BODY_LIMIT_BYTES });
  server.addHook("onRequest", async () => void (ofRoutes += 1));
  const baseUrl = "https://generate.example.com";
  const options = { core, config, limits, baseUrl, generationBaseUrl: baseUrl };
  await server.register(gatewayRoutes, options);
  await server.register(mcpRoutes, options);
  url = await server.listen({ host: "127.0.0.1", port: 0 });
});
beforeEach(() => void (ofRoutes = 0));
afterAll(() => server.close());

const ID = "a-request";

async function ask(target: string, init: RequestInit & { duplex?: "half" } = {}) {
  const [method = "", path = ""] = target.split(" ");
  const answer = await fetch(url + path, {
    method,
    ...init,
    headers: { "x-request-id": ID, "content-type": "application/json", ...(init.headers as object) },
  });
  // These depend on what is left of the request's body, or on the time.
  const { date: _d, connection: _c, "keep-alive": _k, ...headers } = Object.fromEntries(answer.headers);
  return { status: answer.status, headers, body: await answer.text() };
}

test("during overload every path without parameters is refused as its route would refuse it", async () => {
  expect([...server.sheds.keys()]).toEqual(
    expect.arrayContaining(["POST /api/v1/connect/generate", "GET /api/jobs", "GET /v1/models", "POST /mcp"]),
  );
  for (const target of server.sheds.keys()) {
    const early = await ask(target);
    expect(ofRoutes, target).toBe(0);
    // Routes take requests with an Origin, and those whose body comes in chunks.
    const isTool = target.endsWith("/mcp");
    const late = await ask(
      target,
      isTool
        ? { body: new Blob(["{}"]).stream(), duplex: "half" }
        : { headers: { origin: "https://a.example" } },
    );
    expect(ofRoutes, target).toBe(1);
    ofRoutes = 0;
    expect(early, target).toEqual(late);
    expect(early, target).toMatchObject({
      status: 503,
      headers: { "retry-after": "1", "x-request-id": ID, "cache-control": "no-store" },
    });
    if (!target.startsWith("HEAD")) expect(early.body).toContain("service_unavailable");
  }
});

test.each(["application/problem+json", "text/html, application/problem+json"])(
  "a client that accepts %s gets the form of the routes",
  async (accept) => {
    const answer = await ask("GET /api/jobs", { headers: { accept } });
    expect(ofRoutes).toBe(1);
    expect(answer).toMatchObject({ status: 503, headers: { "content-type": "application/problem+json" } });
  },
);

test("a tool call whose headers name a cancel is not refused during overload", async () => {
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "cancel_job",
  };
  expect(await ask("POST /api/mcp", { headers, body: "{}" })).toMatchObject({ status: 401 });
  expect(await ask("POST /api/mcp", { body: "{}" })).toMatchObject({ status: 503 });
});

// How often core is called for unknown keys.
const BURST = 2_000;
/** The limit, the first seconds, and the waiting requests. */
const MOST_ASKED = 600;

test.each([
  ["from one address above its limit", false],
  ["from browsers' pages", true],
])(
  "a burst of unknown keys %s makes a bounded number of calls to core, and a valid key is accepted afterwards",
  async (_whose, isFromPage) => {
    const limits = createRateLimits(loadConfig({ ATELIER_RATE_FAILED_KEYS: "5" }), createMetrics());
    const guard = createKeyGuard(limits);
    let asked = 0;
    const prove = (keySha256: string, isGood = false) =>
      guard.prove(
        { keySha256, address: "192.0.2.1", isFromPage },
        async () => {
          asked += 1;
          if (!isGood) throw new AppError("invalid_key");
          return "let in";
        },
        limits.enforce,
      );
    const settled = await Promise.allSettled(Array.from({ length: BURST }, (_, i) => prove(`bad ${i}`)));
    const codes = settled.map((one) =>
      one.status === "rejected" ? (one.reason as AppError).code : "let in",
    );
    expect(codes.filter((code) => code === "rate_limited").length).toBeGreaterThan(BURST - MOST_ASKED);
    expect(codes).not.toContain("let in");
    expect(asked).toBeLessThan(MOST_ASKED);
    expect(await prove("good", true)).toBe("let in");
  },
);
