// A role that is reached over HTTP: the server, a client of core, and the routes of gateway, mcp or both.
import type { FastifyInstance } from "fastify";
import type { OpenCalls } from "../proto/calls/frames.ts";
import type { CoreClient } from "../proto/client.ts";
import { checkSkew } from "../runtime/clock.ts";
import type { Config } from "../runtime/config/config.ts";
import type { OwnService } from "../runtime/config/service-names.ts";
import type { Logger } from "../runtime/log/log.ts";
import type { Tracing } from "../runtime/log/tracing.ts";
import { limitHeapGrowth } from "../runtime/ops/memory.ts";
import { type Metrics, observeHttp } from "../runtime/ops/metrics.ts";
import type { ReadinessCheck } from "../runtime/ops/server.ts";
import { assertPortFree } from "../runtime/process/free-port.ts";
import { runProcess } from "../runtime/process/run.ts";
import { publicUrls } from "../runtime/public-urls.ts";
import { connectCore } from "./core-connection.ts";
import { limitConnections } from "./http/connection-limit.ts";
import { listen } from "./http/listen.ts";
import { createLoad, measureTurns, TICK_MS } from "./http/load.ts";
import { createRateLimits, type RateLimits } from "./http/rate-limit.ts";
import { BODY_LIMIT_BYTES, createHttpServer } from "./http/server.ts";
import { connectSharedCounters } from "./http/shared-counters.ts";
import { shedOverload } from "./http/shed.ts";

export type RouteOptions = {
  core: CoreClient;
  config: Config;
  limits: RateLimits;
  /** Public URLs, without a trailing slash. */
  baseUrl: string;
  generationBaseUrl: string;
  tracing?: Tracing | undefined;
};

/** A fastify plugin of gateway/app.ts or mcp/app.ts. */
export type Routes = (app: FastifyInstance, options: RouteOptions) => Promise<void>;

export type HttpRole = {
  baseUrl: string;
  generationBaseUrl: string;
  /** Whether core responds. */
  ready(): Promise<boolean>;
  /** Whether this machine's clock is close enough to the database's time, by which core decides. */
  clockCheck: ReadinessCheck;
  /** Still serves requests, but closes each connection after its response, so that the client opens the next one elsewhere. */
  leave(): void;
  /** Accepts no more requests, lets those in flight finish, then closes the connection to core. */
  close(): Promise<void>;
};

const READY_DEADLINE_MS = 1_500;
/** Requests have this time to finish; then their connections are closed. */
const CLOSE_MS = 5_000;

/** Listens on config.httpPort. Throws StartupError if the port is taken. */
export async function startHttp(
  name: Exclude<OwnService, "cli">,
  routes: readonly Routes[],
  {
    config,
    log,
    metrics,
    tracing,
    coreAddress,
    innerCore,
    mayListen,
  }: {
    config: Config;
    log: Logger;
    metrics: Metrics;
    tracing?: Tracing | undefined;
    coreAddress: string;
    /** Core in this process, once it has started. */
    innerCore?: Promise<OpenCalls | undefined> | undefined;
    /** The server does not listen until this resolves. If it rejects, so does this function. */
    mayListen?: Promise<unknown> | undefined;
  },
): Promise<HttpRole> {
  await assertPortFree(config.httpPort, config.host, "HTTP", "ATELIER_HTTP_PORT");
  const load = createLoad();
  const core = connectCore(config, name, { address: coreAddress, tracing, inner: innerCore, load });
  const { baseUrl, generationBaseUrl } = publicUrls(config);
  const app = createHttpServer({ config, log, tracing });
  limitConnections(app.server, config, metrics);
  observeHttp(app, metrics);
  const shared =
    config.rateLimits && config.redisUrl !== undefined
      ? await connectSharedCounters(config.redisUrl, { log, metrics })
      : undefined;
  const limits = createRateLimits(config, metrics, { shared, load });
  shedOverload(app, { config, limits, maxBytes: BODY_LIMIT_BYTES });
  const options = { core, config, limits, baseUrl, generationBaseUrl, tracing };
  for (const group of routes) await app.register(group, options);
  await app.ready();
  await mayListen;
  const listening = await listen(app, { host: config.host, port: config.httpPort });
  const turnMs = measureTurns();
  const ticks = setInterval(() => load.tick(turnMs()), TICK_MS);

  return {
    baseUrl,
    generationBaseUrl,
    ready: async () => {
      await core.models.ListPlans({}, { deadlineMs: READY_DEADLINE_MS });
      return true;
    },
    clockCheck: {
      name: "clock",
      check: async () => {
        const coreNow = await askTime(core);
        // ready() reports that core does not respond.
        return coreNow === undefined || checkSkew(Date.now() - coreNow);
      },
    },
    leave: () => {
      app.server.prependListener("request", (_request, response) => {
        // Node then sends `connection: close` with every response.
        response.shouldKeepAlive = false;
      });
    },
    close: async () => {
      const timer = setTimeout(() => app.server.closeAllConnections(), CLOSE_MS);
      await listening.close();
      clearTimeout(timer);
      clearInterval(ticks);
      core.close();
      shared?.close();
    },
  };
}

/** Runs a process that is only a gateway or only a tool server, with core elsewhere. */
export async function runEdge(name: "gateway" | "mcp", routes: Routes, whenUp: string): Promise<void> {
  await runProcess(name, async ({ config, log, metrics, tracing, shutdown, checks, startOps }) => {
    limitHeapGrowth(100);
    const coreAddress = coreAddressOf(config);
    const http = await startHttp(name, [routes], { config, log, metrics, tracing, coreAddress });
    shutdown.add("http", http.close);
    shutdown.announce(http.leave);
    checks.push(http.clockCheck, { name: "core", check: http.ready });
    await startOps();
    log.info({ base_url: http.baseUrl, core: coreAddress }, whenUp);
  });
}

/** The time by which core decides, in milliseconds; undefined if core does not say. */
async function askTime(core: CoreClient): Promise<number | undefined> {
  try {
    for await (const { now } of core.catalog.WatchCatalog({}, { deadlineMs: READY_DEADLINE_MS }))
      return now === "" ? undefined : Date.parse(now);
  } catch {}
  return undefined;
}

/** The address of core for gateway and mcp, unless configured. */
export function coreAddressOf(config: Config): string {
  return config.coreAddress ?? `127.0.0.1:${config.grpcPort}`;
}
