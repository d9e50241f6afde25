// The port of gateway and tool endpoint, on which several sockets listen.
import { once } from "node:events";
import { mkdtempSync, rmSync, existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createTokenVerifier } from "../../core/kernel/services/verify-token.ts";
import { type Routes, startHttp } from "../../edge/role.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { loadTrustedKeys } from "../../runtime/keys/service-token.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { serveJobs } from "../support/served.ts";

type Start = { port: number; host?: string; mayListen?: Promise<void>; onRoutes?: () => void };
const REQUEST = "GET /heard HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

function start({ port, host = "127.0.0.1", mayListen, onRoutes = () => {} }: Start) {
  const config = loadConfig({
    ATELIER_SECRET: "a secret that only tests know, long enough",
    ATELIER_HOST: host,
    ATELIER_HTTP_PORT: String(port),
    ATELIER_RATE_LIMITS: "off",
  });
  const log = createLog("silent", "test");
  const options = { config, log, metrics: createMetrics(), coreAddress: "127.0.0.1:1", mayListen };
  const routes: Routes = async (app) => {
    app.get("/heard", async () => ({}));
    onRoutes();
  };
  return startHttp("mcp", [routes], options);
}

/** Starts services on one port at the same time. A service whose core starts finds its port free long before it listens. */
async function startTogether(port: number, hosts: readonly string[]) {
  const go = Promise.withResolvers<void>();
  const starting: ReturnType<typeof start>[] = [];
  for (const host of hosts) {
    const found = Promise.withResolvers<void>();
    starting.push(start({ port, host, mayListen: go.promise, onRoutes: found.resolve }));
    await found.promise;
  }
  go.resolve();
  const started = await Promise.allSettled(starting);
  for (const one of started) if (one.status === "fulfilled") onTestFinished(() => one.value.close());
  return started;
}

test.each([
  ["one address", "127.0.0.1"],
  ["an address and all addresses", "0.0.0.0"],
])("of two services that start on one port at the same time, at %s, one is refused", async (_at, other) => {
  const port = await freePort();
  const started = await startTogether(port, ["127.0.0.1", other]);
  expect(started.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const refused: unknown = started.find(({ status }) => status === "rejected");
  expect(refused).toMatchObject({
    reason: { name: "StartupError", message: expect.stringContaining(`Port ${port} (HTTP) is taken`) },
  });
});

// On every Linux, and only there, all of 127.0.0.0/8 is the machine itself.
test.runIf(process.platform === "linux")(
  "services on one port of different addresses all start",
  async () => {
    const started = await startTogether(await freePort(), ["127.0.0.1", "127.0.0.2", "127.0.0.3"]);
    expect(started.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
  },
);

test("a stop answers requests on connections that only the system has accepted so far", async () => {
  const port = await freePort();
  const http = await start({ port });
  const sockets = Array.from({ length: 200 }, () => connect({ port, host: "127.0.0.1" }));
  const answers = sockets.map((socket) =>
    text(socket.on("connect", () => socket.write(REQUEST))).catch(String),
  );
  // By then the system has connected all, and the service has accepted a few.
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  await http.close();
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 200 /);
});

// An edge in core's process calls core without a socket.
test("a gateway in core's process gets its responses without a listening port, once core is up", async () => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-test-inner-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = loadConfig({ ATELIER_DATA_DIR: folder, ATELIER_HTTP_PORT: String(await freePort()) });
  const served = await serveJobs({}, { verifyToken: await createTokenVerifier(loadTrustedKeys(config)) });
  const up = Promise.withResolvers<typeof served.openCalls>();
  const face = await startHttp("gateway", [], {
    config,
    log: pino({ level: "silent" }),
    metrics: createMetrics(),
    coreAddress: "127.0.0.1:1",
    innerCore: up.promise,
  });
  onTestFinished(() => face.close());
  await expect(face.ready()).rejects.toMatchObject({ code: "service_unavailable" });
  up.resolve(served.openCalls);
  expect(await face.ready()).toBe(true);
});

// Ports for callers that must know theirs before they listen.
const RANGE = "/proc/sys/net/ipv4/ip_local_port_range";

test.skipIf(!existsSync(RANGE))(
  "a free port is outside the system's ephemeral range, so that no connection takes it before its caller listens",
  async () => {
    const [first = 0] = readFileSync(RANGE, "utf8").trim().split(/\s+/);
    const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
    for (const port of ports) expect(port).toBeLessThan(Number(first));
  },
);
