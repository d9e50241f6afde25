// Ends the connection of a reader who does not read: it would hold memory and a slot without limit.
import type { ServerResponse } from "node:http";

/** Checks during that time, so that a reader is cut off soon after it is over. */
const LOOKS = 6;

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
