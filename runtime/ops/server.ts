// The operator's port, on loopback by default: whether the process is alive, whether it is ready, its metrics, and a page that shows them.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { hostname } from "node:os";
import type { Registry } from "prom-client";
import type { Logger } from "../log/log.ts";
import { createRequestIds } from "../log/request-id.ts";
import { RELEASE } from "../release.ts";
import { createService, waitAtMost } from "../service.ts";
import { createOperatorHistory, type OperatorHistory, SAMPLE_EVERY_MS } from "./history.ts";
import { OPEN_METRICS_TYPE, wantsOpenMetrics, writeOpenMetrics } from "./open-metrics.ts";
import { type Assessment, OPERATOR_PAGE_HEADERS, operatorPage } from "./page.ts";
import { type Panel, readPanels } from "./panels.ts";

/**
 * A part that must be ready before this process accepts work. It is not ready if the check returns false or a text that says why, or
 * throws.
 */
export type ReadinessCheck = {
  name: string;
  check: () => Promise<boolean | string>;
  /** Without this part the process still does most of its work, so it stays ready and says what is wrong. */
  isMinor?: true;
};

export type OpsServer = { port: number; close(): Promise<void> };

/** A check that does not finish in this time counts as not ready. */
const CHECK_BOUND_MS = 2_000;
/** Enough connections for probes, a scraper and an operator's browser. */
const MAX_CONNECTIONS = 64;

export async function startOpsServer(options: {
  /** The address. The default is loopback. */
  host?: string;
  /** Names by which it may be called, in addition to those that always pass. */
  names?: readonly string[];
  /** The port. 0 chooses a free one. */
  port: number;
  /** What runs here, for people to read. */
  role: string;
  registry: Registry;
  checks: readonly ReadinessCheck[];
  /** A role's part of the page in addition to numbers. It may grow after the start, as `checks` may. */
  panels: readonly Panel[];
  log: Logger;
}): Promise<OpsServer> {
  const history = createOperatorHistory(options.registry);
  const sampling = createService(options);
  sampling.every(SAMPLE_EVERY_MS, "keep what the operator's page draws", history.sample);
  sampling.start();
  const newRequestId = createRequestIds();
  const { host = "127.0.0.1", names = [] } = options;
  const own = { host, names, hostname: hostname() };
  const changes = createReadinessLog(options.log);
  const server = createServer((request, response) => {
    const requestId = newRequestId();
    response.setHeader("x-request-id", requestId);
    if (!isOwnHost(request.headers.host, own)) {
      sendJson(response, 421, {
        error: "This port is not called by that name. Use its address, or add the name to ATELIER_OPS_NAMES.",
      });
      return;
    }
    answer(request, response, { ...options, history, changes, requestId }).catch((error: unknown) => {
      options.log.error(
        { err: error, request_id: requestId, route: request.url, status: 500 },
        "internal error",
      );
      if (response.headersSent) response.destroy();
      else
        sendJson(response, 500, {
          error: "This could not be answered; the log says why.",
          request_id: requestId,
        });
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(options.port, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      await sampling.stop();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

type Source = {
  role: string;
  registry: Registry;
  checks: readonly ReadinessCheck[];
  history: OperatorHistory;
  panels: readonly Panel[];
  changes: ReadinessLog;
  requestId: string;
};

async function answer(
  { url = "/", headers }: IncomingMessage,
  response: ServerResponse,
  source: Source,
): Promise<void> {
  const { role, registry, checks, history } = source;
  switch (url.split("?")[0]) {
    case "/": {
      const page = await operatorPage({
        role,
        uptimeSeconds: process.uptime(),
        checks: await assess(checks),
        history,
        panels: await readPanels(source.panels),
      });
      response.writeHead(200, OPERATOR_PAGE_HEADERS).end(page);
      return;
    }
    case "/healthz":
      return sendJson(response, 200, { alive: true, release: RELEASE });
    case "/readyz": {
      // Checks that the request excludes are not even run.
      const excluded = new URL(url, "http://ops").searchParams.getAll("exclude");
      const asked = checks.filter(({ name }) => !excluded.includes(name));
      const failed = (await assess(asked)).filter(({ passes }) => !passes);
      const notReady = failed.filter(({ isMinor }) => !isMinor);
      const degraded = failed.filter(({ isMinor }) => isMinor).map(({ name }) => name);
      const reasons = failed.flatMap(({ name, reason }) => (reason ? [`${name}: ${reason}`] : []));
      source.changes.note(asked, notReady, source.requestId);
      return sendJson(response, notReady.length === 0 ? 200 : 503, {
        ready: notReady.length === 0,
        not_ready: notReady.map(({ name }) => name),
        ...(degraded.length > 0 && { degraded }),
        ...(reasons.length > 0 && { reasons }),
      });
    }
    case "/metrics": {
      if (wantsOpenMetrics(headers.accept)) {
        const text = await writeOpenMetrics(registry);
        response.writeHead(200, { "content-type": OPEN_METRICS_TYPE }).end(text);
        return;
      }
      const metrics = await registry.metrics();
      response.writeHead(200, { "content-type": registry.contentType }).end(metrics);
      return;
    }
    default:
      return sendJson(response, 404, { error: "Only /, /healthz, /readyz and /metrics are here." });
  }
}

type ReadinessLog = {
  /** Logs when another part is missing than at the last request for the same parts, and when no part is missing any more. */
  note(asked: readonly ReadinessCheck[], notReady: readonly Assessment[], requestId: string): void;
};

/** Probes ask many times a second, each for its own parts; an unchanged result is not logged again. */
function createReadinessLog(log: Logger): ReadinessLog {
  const missing = new Map<string, string>();
  return {
    note: (asked, notReady, requestId) => {
      const question = asked.map(({ name }) => name).join();
      const answer = notReady.map(({ name }) => name).join();
      const before = missing.get(question) ?? "";
      missing.set(question, answer);
      if (answer === before) return;
      if (answer === "") log.info({ request_id: requestId, was_missing: before.split(",") }, "ready again");
      else log.warn({ not_ready: notReady, request_id: requestId, status: 503 }, "not ready");
    },
  };
}

async function assess(checks: readonly ReadinessCheck[]): Promise<Assessment[]> {
  return Promise.all(
    checks.map(async ({ name, check, isMinor = false }) => {
      const answer =
        (await waitAtMost(CHECK_BOUND_MS, Promise.resolve().then(check)).catch(() => false)) ?? false;
      return typeof answer === "string"
        ? { name, isMinor, passes: false, reason: answer }
        : { name, isMinor, passes: answer };
    }),
  );
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(body)}\n`);
}

export type OwnNames = {
  /** The address on which the port listens. */
  readonly host: string;
  /** The names of the machine. */
  readonly hostname: string;
  /** The names that the operator allows in addition. */
  readonly names: readonly string[];
};

/**
 * Returns whether a Host header can come only from the operator's own doing. An IP address passes: no website has one as its name, and a
 * cluster's probes and scrapers use them. A name without a dot passes, because it belongs to the local network, and so does a request
 * without the header, which no browser sends.
 */
export function isOwnHost(header: string | undefined, { host, hostname, names }: OwnNames): boolean {
  if (header === undefined || header === "") return true;
  const name = header.replace(/:\d*$/, "").toLowerCase();
  if (isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0) return true;
  return !name.includes(".") || [host, hostname, ...names].some((own) => own.toLowerCase() === name);
}
