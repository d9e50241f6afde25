// A gateway on a free loopback port with the test's own core.
import type { FastifyInstance } from "fastify";
import { createRateLimits } from "../../edge/http/rate-limit.ts";
import { createHttpServer } from "../../edge/http/server.ts";
import { gatewayRoutes } from "../../gateway/app.ts";
import { type Config, loadConfig } from "../../runtime/config/config.ts";
import { generateApiKey } from "../../runtime/keys/api-key.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics, type Metrics, observeHttp } from "../../runtime/ops/metrics.ts";
import { createFakeCore, type FakeCore } from "../support/fake-core.ts";
import { type RawAnswer, sendRaw } from "./send-raw.ts";

/** The owner of every key. */
export const IDENTITY = { account_id: "acc_1", key_id: "key_1", scope: "write", plan: "pro" };

/** Whoever is signed in. */
export const PERSON = {
  fresh: true,
  account_id: "acc_1",
  session_id: "ses_1",
  email: "ada@example.com",
  name: "Ada",
  plan: "pro",
  credits_available: 100,
  time_zone: "",
};

export type Gateway = FakeCore & {
  url: string;
  /** A well-formed generation key. */
  key: string;
  server: FastifyInstance;
  metrics: Metrics;
  /** Log lines at error level, as objects. */
  errors: { msg: string; err?: { message: string; stack: string }; request_id?: string }[];
  /** A request with the key, unless the headers say otherwise. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** POST with the key: a string or bytes unchanged, anything else as JSON. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** A request without the key, and its raw response. */
  get(path: string, headers?: Record<string, string>, method?: "GET" | "HEAD"): Promise<RawAnswer>;
  /** Core accepts every key from now on. */
  admit(): void;
  close(): Promise<void>;
};

/** `prepare` sets core's results from the start. */
export async function serveGateway(
  env: Record<string, string> = {},
  prepare: (fake: FakeCore) => void = () => {},
): Promise<Gateway> {
  const key = generateApiKey("gen");
  const fake = createFakeCore();
  prepare(fake);
  const config: Config = loadConfig({
    ATELIER_RATE_LIMITS: "off",
    ATELIER_SECRET: "a secret that only tests know, long enough",
    ...env,
  });
  const errors: Gateway["errors"] = [];
  const log = createLog("error", "gateway", { write: (line: string) => void errors.push(JSON.parse(line)) });
  const server = createHttpServer({ config, log });
  const baseUrl = "https://generate.example.com";
  const metrics = createMetrics();
  observeHttp(server, metrics);
  await server.register(gatewayRoutes, {
    core: fake.client,
    config,
    limits: createRateLimits(config, metrics),
    baseUrl,
    generationBaseUrl: baseUrl,
  });
  const url = await server.listen({ host: "127.0.0.1", port: 0 });
  const call: Gateway["call"] = (path, init = {}) =>
    fetch(url + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
    });
  return {
    ...fake,
    url,
    key,
    server,
    metrics,
    errors,
    call,
    post: (path, body, headers) =>
      call(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        ...(body !== undefined && {
          body:
            typeof body === "string" || Buffer.isBuffer(body)
              ? (body as NonNullable<RequestInit["body"]>)
              : JSON.stringify(body),
        }),
      }),
    get: (path, headers, method) => sendRaw(url, path, { headers, method }),
    admit: () => fake.answer("accounts.Authenticate", () => IDENTITY),
    close: () => server.close(),
  };
}
