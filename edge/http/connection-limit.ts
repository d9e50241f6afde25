// Limits how many connections one network address keeps open, so that it cannot use up the connections of the port. Connections above the
// limit are refused before anything is read from them.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { AppError } from "../../proto/codes.ts";
import { toApiError } from "../../proto/resources/error.ts";
import type { Config } from "../../runtime/config/config.ts";
import { createRequestIds } from "../../runtime/log/request-id.ts";
import { addressSubject } from "../../runtime/networks.ts";
import type { Metrics } from "../../runtime/ops/metrics.ts";

/** The time in which a refused client can read the response. */
const LINGER_MS = 1_000;
const RETRY_AFTER_SECONDS = 10;

/** Does nothing behind a proxy: there, every connection is the proxy's and has no single client behind it. */
export function limitConnections(
  server: Server,
  { trustProxy, rateLimits, maxConnectionsPerAddress: most }: Config,
  metrics: Metrics,
): void {
  if (trustProxy || !rateLimits) return;
  const refused = metrics.counter(
    "connections_refused_total",
    "Connections refused because their network address had as many open as one may have.",
    [],
  );
  const newRequestId = createRequestIds();
  const open = new Map<string, number>();
  // Node's own listener, which reads requests. It gets only connections below the limit.
  const [serve] = server.listeners("connection");
  if (!serve) throw new Error("an HTTP server reads from its connections");
  server.removeListener("connection", serve as (socket: Socket) => void);
  server.prependListener("connection", (socket) => {
    const address = addressSubject(socket.remoteAddress ?? "");
    const before = open.get(address) ?? 0;
    if (before >= most) {
      refused.inc();
      return refuse(socket, newRequestId(), most);
    }
    open.set(address, before + 1);
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    serve.call(server, socket);
  });
}

function refuse(socket: Socket, requestId: string, most: number): void {
  const error = new AppError("service_unavailable", {
    message: `Your network address has ${most} open connections, which is the limit for an address.`,
    hint: "Close connections that you do not need, or use each for several requests, and try again.",
  });
  const body = JSON.stringify(toApiError(error, requestId));
  socket.on("error", () => {});
  // Bytes that arrive after the refusal are discarded. If they stayed unread, they would reset the connection and the client would lose the
  // response.
  socket.resume();
  socket.setTimeout(LINGER_MS, () => socket.destroy());
  socket.end(
    [
      "HTTP/1.1 503 Service Unavailable",
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      `retry-after: ${RETRY_AFTER_SECONDS}`,
      `x-request-id: ${requestId}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
