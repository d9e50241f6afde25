// Listens on several sockets of one port. libuv accepts one connection of a listening socket in each turn of the event loop. With one socket,
// a burst of a thousand connections to a busy process takes a thousand turns, which are seconds, and while they wait, more are made.
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { openShared } from "../../runtime/process/free-port.ts";

/** The system gives each connection to one of them. */
const SOCKETS = 64;
/** In these turns of the event loop a stop accepts what waits: hundreds of connections. */
const MOST_TURNS = 50;
/** Only there do sockets with the same port share its connections. */
const canShare = process.platform === "linux";

export type Listening = {
  /** Closes the app. Resolves when all connections have ended. */
  close(): Promise<void>;
};

/**
 * Starts the app's server. Its limit of connections applies to those of all sockets together. Throws StartupError if another process has
 * the port.
 */
export async function listen(app: FastifyInstance, at: { host: string; port: number }): Promise<Listening> {
  if (canShare)
    return openShared({ ...at, what: "HTTP", variable: "ATELIER_HTTP_PORT" }, () => listenOnAll(app, at));
  await app.listen(at);
  return { close: () => app.close() };
}

async function listenOnAll(app: FastifyInstance, at: { host: string; port: number }): Promise<Listening> {
  const shared = { ...at, reusePort: true };
  await app.listen(shared);
  const { server } = app;
  const { address: host, port } = server.address() as AddressInfo;
  // As node's own server of HTTP makes its connections.
  const others = Array.from({ length: SOCKETS - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }),
  );
  shareLimit(server, others);
  for (const other of others) {
    other.on("connection", (socket) => server.emit("connection", socket));
    other.listen({ host, port, reusePort: true });
  }
  await Promise.all(others.map((other) => once(other, "listening")));
  return {
    close: async () => {
      await acceptWaiting(server);
      const ended = others.map((other) => new Promise((resolve) => other.close(resolve)));
      await Promise.all([app.close(), ...ended]);
    },
  };
}

/** Accepts the connections that wait in the sockets, which would be reset with the sockets. Under load there are always some. */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0;
  const count = (): void => void (accepted += 1);
  server.on("connection", count);
  // The rest of the current turn accepts nothing.
  for (let turns = 0, without = 0; turns < MOST_TURNS && without < 2; turns++) {
    accepted = 0;
    await new Promise(setImmediate);
    without = accepted === 0 ? without + 1 : 0;
  }
  server.off("connection", count);
}

/** Each server may have as many connections as it has and all together may still get. */
function shareLimit(server: Server, others: readonly Server[]): void {
  const most = server.maxConnections;
  let open = 0;
  const own = new Map(others.map((other) => [other, 0]));
  const adapt = (): void => {
    const left = most - open;
    let ofOthers = 0;
    for (const [other, count] of own) {
      other.maxConnections = count + left;
      ofOthers += count;
    }
    server.maxConnections = open - ofOthers + left;
  };
  const count = (socket: Socket, add: (difference: 1 | -1) => void): void => {
    add(1);
    socket.once("close", () => {
      add(-1);
      adapt();
    });
  };
  for (const other of others)
    other.on("connection", (socket) =>
      count(socket, (difference) => own.set(other, (own.get(other) ?? 0) + difference)),
    );
  // The connections of all of them arrive here.
  server.on("connection", (socket) => {
    count(socket, (difference) => (open += difference));
    adapt();
  });
  adapt();
}
