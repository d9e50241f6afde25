// Replaces a missing Caddy: TLS in front of gateways and tool endpoints as in deploy/Caddyfile. Argument: the port. Sends each request to
// the next process that was not leaving a moment ago; repeats only undelivered requests.
import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_EVERY_MS = 1_000;
const LOOK_BOUND_MS = 3_000;
const TRY_FOR_MS = 5_000;
const TRY_EVERY_MS = 100;
const TOOLS = new Set(["/mcp", "/api/mcp", "/api/member/mcp"]);

type Upstream = { readonly host: string; readonly port: number; isOpen: boolean };
type Pool = { readonly all: readonly Upstream[]; turn: number };

// oxlint-disable-next-line node/no-process-env -- it has the Caddyfile's settings
const { ATELIER_GATEWAYS = "", ATELIER_TOOLS = "", ATELIER_OPS_PORT = "", CERT = "", KEY = "" } = process.env;
const agent = new Agent({ keepAlive: true });
const gateways = poolOf(ATELIER_GATEWAYS);
const tools = poolOf(ATELIER_TOOLS);
for (const upstream of [...gateways.all, ...tools.all]) void watch(upstream);
createServer({ cert: readFileSync(CERT), key: readFileSync(KEY) }, (incoming, outgoing) => {
  void pass(incoming, outgoing);
}).listen(Number(process.argv[2]), "127.0.0.1");

function poolOf(addresses: string): Pool {
  const all = addresses.split(" ").map((address) => {
    const [host = "", port = ""] = address.split(":");
    return { host, port: Number(port), isOpen: true };
  });
  return { all, turn: 0 };
}

async function watch(upstream: Upstream): Promise<void> {
  for (;;) {
    try {
      const answer = await fetch(`http://${upstream.host}:${ATELIER_OPS_PORT}/readyz?exclude=core`, {
        signal: AbortSignal.timeout(LOOK_BOUND_MS),
      });
      upstream.isOpen = answer.ok;
      await answer.body?.cancel();
    } catch {
      upstream.isOpen = false;
    }
    await sleep(POLL_EVERY_MS);
  }
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const path = incoming.url?.split("?")[0] ?? "";
  const pool = TOOLS.has(path) ? tools : gateways;
  const untilMs = performance.now() + TRY_FOR_MS;
  while (performance.now() < untilMs) {
    const open = pool.all.filter(({ isOpen }) => isOpen);
    const upstream = open[pool.turn++ % open.length];
    if (upstream && (await deliver(upstream, incoming, outgoing))) return;
    await sleep(TRY_EVERY_MS);
  }
  outgoing.writeHead(503).end();
}

/** False when there was no connection, so that nothing was sent. */
function deliver(
  { host, port }: Upstream,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const headers = {
    ...incoming.headers,
    "x-forwarded-for": incoming.socket.remoteAddress ?? "",
    "x-forwarded-proto": "https",
  };
  const onward = httpRequest(
    { agent, host, port, method: incoming.method, path: incoming.url, headers },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on("error", () => outgoing.destroy()).pipe(outgoing);
      resolve(true);
    },
  );
  onward.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "ECONNREFUSED") return resolve(false);
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end();
    resolve(true);
  });
  // A body flows once it is read.
  onward.on("socket", (socket) => {
    if (socket.connecting) socket.once("connect", () => incoming.pipe(onward));
    else incoming.pipe(onward);
  });
  outgoing.on("close", () => onward.destroy());
  return promise;
}
