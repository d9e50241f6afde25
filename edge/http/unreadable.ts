// Responses to bytes that are not a readable HTTP request, or do not arrive in time.
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { AppError } from "../../proto/codes.ts";
import { toApiError } from "../../proto/resources/error.ts";
import { SECURITY_HEADERS } from "./standard-headers.ts";

/** Node would respond without a body. */
export function refuseExpectation(response: ServerResponse, requestId: string): void {
  const error = unreadable("The Expect header asks for what this server does not do; it knows 100-continue.");
  response
    .writeHead(417, {
      ...SECURITY_HEADERS,
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-request-id": requestId,
      connection: "close",
    })
    .end(JSON.stringify(toApiError(error, requestId)));
}

export function unreadable(message: string): AppError {
  return new AppError("invalid_request", {
    message,
    hint: "Check the request line and the headers, then send the request again.",
  });
}

/** Responds to a request whose body does not arrive in time. */
export function refuseLate(socket: Socket, requestId: string): void {
  // The same form in which node responds to late headers.
  refuseUnreadable(
    Object.assign(new Error("the request took too long to arrive"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
    socket,
    requestId,
  );
}

/** Responds on the bare connection to bytes that are not HTTP or exceed its limits: there is no request yet. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket, requestId: string): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "The address and headers are too long."]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "The request took too long to arrive."]
        : ["400 Bad Request", "This is not a well-formed HTTP request."];
  const body = JSON.stringify(toApiError(unreadable(message), requestId));
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
    // A slow client cannot keep the connection half open.
    () => socket.destroySoon(),
  );
}
