// The limit of open connections for one network address, at the port of gateway and tool endpoint.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { type HttpRole, startHttp } from "../../edge/role.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics, type Metrics } from "../../runtime/ops/metrics.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { waitFor } from "../support/wait-for.ts";

let http: HttpRole;
let port: number;
let metrics: Metrics;
/** Requests that reached the server. */
let heard: number;
afterEach(() => http.close());

async function serve(env: Record<string, string>): Promise<void> {
  port = await freePort();
  metrics = createMetrics();
  heard = 0;
  const config = loadConfig({
    ATELIER_SECRET: "a secret that only tests know, long enough",
    ATELIER_HTTP_PORT: String(port),
    ATELIER_MAX_CONNECTIONS_PER_ADDRESS: "2",
    ...env,
  });
  http = await startHttp(
    "mcp",
    [
      async (app) =>
        void app.get("/heard", async () => {
          heard++;
          return {};
        }),
    ],
    { config, log: createLog("silent", "test"), metrics, coreAddress: "127.0.0.1:1" },
  );
}

/** The response on a new connection, complete when the server closes it. */
async function ask(
  localAddress = "127.0.0.1",
): Promise<{ socket: Socket; status: string; text: () => string }> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.on("error", () => {}).on("data", (bytes: Buffer) => (text += bytes.toString("latin1")));
  socket.write("GET /heard HTTP/1.1\r\nhost: x\r\n\r\n");
  await waitFor("an answer", () => text.includes("\r\n\r\n"));
  return { socket, status: text.slice(9, 12), text: () => text };
}

async function refusals(): Promise<number> {
  return Number(/^atelier_connections_refused_total (\d+)$/m.exec(await metrics.registry.metrics())?.[1]);
}

test("an address above its connection limit gets 503 before its request is read; others, and the next one after a close, are served", async () => {
  await serve({});
  const [first, second] = [await ask(), await ask()];
  expect([first.status, second.status]).toEqual(["200", "200"]);

  const beyond = await ask();
  expect(beyond.status).toBe("503");
  await waitFor("its end", () => beyond.socket.closed);
  expect(beyond.text()).toMatch(/^retry-after: \d+\r$/m);
  expect(beyond.text()).toContain("Your network address has 2 open connections");
  expect([heard, await refusals()]).toEqual([2, 1]);

  expect((await ask("127.0.0.2")).status).toBe("200");
  first.socket.destroy();
  await waitFor("room for one more", async () => (await ask()).status === "200");
});

test.each([
  ["behind a proxy, whose connections are those of all clients", { ATELIER_TRUST_PROXY: "1" }],
  ["where rate limits are off", { ATELIER_RATE_LIMITS: "off" }],
])("connections of an address are unlimited %s", async (_where, env) => {
  await serve(env);
  const answers = [await ask(), await ask(), await ask()];
  expect(answers.map(({ status }) => status)).toEqual(["200", "200", "200"]);
});

// Elsewhere one socket listens, of which libuv accepts one connection in each turn.
test.runIf(process.platform === "linux")(
  "a burst of connections is accepted within half as many turns of the event loop",
  async () => {
    await serve({ ATELIER_RATE_LIMITS: "off" });
    const burst = 200;
    const sockets = Array.from({ length: burst }, () => connect({ port, host: "127.0.0.1" }));
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    for (const socket of sockets) socket.write("GET /heard HTTP/1.1\r\nhost: x\r\n\r\n");
    let turns = 0;
    for (; heard < burst; turns++) await new Promise(setImmediate);
    expect(turns).toBeLessThan(burst / 2);
  },
);

test("[LIM-42] the limit of all connections counts those of all sockets", async () => {
  await serve({ ATELIER_RATE_LIMITS: "off", ATELIER_MAX_CONNECTIONS: "20" });
  const sockets = Array.from({ length: 40 }, () => connect({ port, host: "127.0.0.1" }));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  for (const socket of sockets) socket.on("error", () => {}).write("GET /heard HTTP/1.1\r\nhost: x\r\n\r\n");
  await waitFor("the others to be closed", () => sockets.filter(({ closed }) => closed).length === 20);
  await waitFor("answers", () => heard === 20);
  sockets.find(({ closed }) => !closed)?.destroy();
  await waitFor("room for one more", async () => {
    const socket = connect({ port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {}).write("GET /heard HTTP/1.1\r\nhost: x\r\n\r\n");
    return Promise.race([once(socket, "data").then(() => true), once(socket, "close").then(() => false)]);
  });
  expect(heard).toBe(21);
});
