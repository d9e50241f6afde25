// The port of gateway and tool endpoint, on which several sockets listen.
import { expect, onTestFinished, test } from "vitest";
import { startHttp } from "../../edge/role.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { freePort } from "../../runtime/process/free-port.ts";

type Start = { port: number; host?: string; mayListen?: Promise<void>; onRoutes?: () => void };

function start({ port, host = "127.0.0.1", mayListen, onRoutes = () => {} }: Start) {
  const config = loadConfig({
    ATELIER_SECRET: "a secret that only tests know, long enough",
    ATELIER_HOST: host,
    ATELIER_HTTP_PORT: String(port),
  });
  const log = createLog("silent", "test");
  const options = { config, log, metrics: createMetrics(), coreAddress: "127.0.0.1:1", mayListen };
  return startHttp("mcp", [async () => onRoutes()], options);
}

// A service whose core starts finds its port free long before it listens.
test.each([
  ["one address", "127.0.0.1"],
  ["an address and all addresses", "0.0.0.0"],
])(
  "of two services that start on one port at the same time, at %s, one is refused",
  async (_at, otherHost) => {
    const port = await freePort();
    const go = Promise.withResolvers<void>();
    const starting: ReturnType<typeof start>[] = [];
    for (const host of ["127.0.0.1", otherHost]) {
      const found = Promise.withResolvers<void>();
      starting.push(start({ port, host, mayListen: go.promise, onRoutes: found.resolve }));
      await found.promise;
    }
    go.resolve();
    const started = await Promise.allSettled(starting);
    for (const one of started) if (one.status === "fulfilled") onTestFinished(() => one.value.close());
    expect(started.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused: unknown = started.find(({ status }) => status === "rejected");
    expect(refused).toMatchObject({
      reason: { name: "StartupError", message: expect.stringContaining(`Port ${port} (HTTP) is taken`) },
    });
  },
);
