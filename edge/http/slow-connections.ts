// Cuts off clients that are too slow: bodies that arrive late, and readers that stop reading. Node has one limit for all requests, but
// files may take longer than other bodies.
import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";

/** Checks during that time, so that a reader is cut off soon after it is over. */
const LOOKS = 6;

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Whether the whole body has arrived, read or not. */
export function hasArrived({ complete, readableLength, headers }: IncomingMessage): boolean {
  return complete || readableLength === Number(headers["content-length"]);
}

/** Calls `onLate` if the body is incomplete after `timeoutMs` and the request is still open. */
export function cutLateBody(request: IncomingMessage, timeoutMs: number, onLate: () => void): void {
  // Injected requests have no connection to cut.
  if (!hasBody(request) || !(request.socket instanceof Socket)) return;
  // A body that arrived with its headers is available by then and needs no timer.
  process.nextTick(() => {
    if (hasArrived(request) || request.destroyed) return;
    const timer = setTimeout(() => {
      if (!request.complete && !request.socket.destroyed) onLate();
    }, timeoutMs).unref();
    request.once("end", () => clearTimeout(timer)).once("close", () => clearTimeout(timer));
  });
}

/** Watches from now until the response is closed. Only a piece taken whole counts, so pieces should be small. */
export function cutWhenStalled(response: ServerResponse, stallMs: number): void {
  const { socket } = response;
  let taken = -1;
  let stalledLooks = 0;
  const timer = setInterval(() => {
    if (!socket || socket.destroyed) return;
    // bytesWritten counts what waits in the socket, too.
    const now = socket.bytesWritten - socket.writableLength;
    const waits = socket.writableLength > 0 || response.writableLength > 0;
    stalledLooks = waits && now === taken ? stalledLooks + 1 : 0;
    taken = now;
    if (stalledLooks >= LOOKS) socket.destroy();
  }, stallMs / LOOKS).unref();
  response.once("close", () => clearInterval(timer));
}
