// The operator's port, on loopback only: is the process alive, is it ready for work, and its metrics.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";

/** One part that must be ready before this process takes work. False or an error means that it is not. */
export type ReadinessCheck = { name: string; check: () => Promise<boolean> };

export type OpsServer = { port: number; close(): Promise<void> };

/** A check that hangs counts as not ready. */
const CHECK_BOUND_MS = 2_000;
const HOST = "127.0.0.1";

export async function startOpsServer(options: {
  /** 0 picks a free one. */
  port: number;
  registry: Registry;
  checks: readonly ReadinessCheck[];
}): Promise<OpsServer> {
  const server = createServer((request, response) => {
    answer(request.url ?? "/", response, options).catch(() => response.destroy());
  });
  server.listen(options.port, HOST);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function answer(
  url: string,
  response: ServerResponse,
  { registry, checks }: { registry: Registry; checks: readonly ReadinessCheck[] },
): Promise<void> {
  switch (url.split("?")[0]) {
    case "/healthz":
      return sendJson(response, 200, { alive: true });
    case "/readyz": {
      const notReady = await failing(checks);
      return sendJson(response, notReady.length === 0 ? 200 : 503, {
        ready: notReady.length === 0,
        not_ready: notReady,
      });
    }
    case "/metrics":
      response.writeHead(200, { "content-type": registry.contentType }).end(await registry.metrics());
      return;
    default:
      return sendJson(response, 404, { error: "Only /healthz, /readyz and /metrics are here." });
  }
}

/** Names of the checks that do not pass, in their order. */
async function failing(checks: readonly ReadinessCheck[]): Promise<string[]> {
  const results = await Promise.all(checks.map(({ check }) => passes(check)));
  return checks.filter((_, i) => !results[i]).map(({ name }) => name);
}

async function passes(check: ReadinessCheck["check"]): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), CHECK_BOUND_MS);
  try {
    return await Promise.race([check(), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(body)}\n`);
}
