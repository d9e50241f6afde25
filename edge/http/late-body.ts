// Cuts off request bodies that arrive too slowly. Node has one limit for all requests, but files may take longer than other bodies.
import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";

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
