// Server-Sent Events on a bare response, with heartbeats.
import { once } from "node:events";
import type { ServerResponse } from "node:http";

export type StreamTimes = {
  /** The interval of comments that keep proxies from closing a quiet connection. */
  heartbeatMs: number;
  /** The time after which a client should reconnect. */
  retryMs: number;
};

export type StreamedEvent = { id: number; type: string; data: unknown };

/**
 * Writes the events until they end, then ends the response. It never holds more than what is being written: a slow reader makes the source
 * wait; see slow-connections.ts for one that stalls. Throws what the source throws, after ending the response.
 */
export async function streamEvents(
  response: ServerResponse,
  events: AsyncIterable<StreamedEvent>,
  times: StreamTimes,
): Promise<void> {
  // A reader who has all events already must learn that the stream is open.
  response.flushHeaders();
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(":\n\n");
  }, times.heartbeatMs);
  try {
    // It goes with the first event: in a separate block, some clients deliver it as a message without data.
    let head = `retry: ${times.retryMs}\n`;
    for await (const event of events) {
      if (!response.write(head + format(event))) await drained(response);
      head = "";
      if (response.destroyed) break;
    }
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

// JSON text has no line breaks, so one data line holds it.
function format({ id, type, data }: StreamedEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

async function drained(response: ServerResponse): Promise<void> {
  const stop = new AbortController();
  try {
    await Promise.race([
      once(response, "drain", { signal: stop.signal }),
      once(response, "close", { signal: stop.signal }),
    ]);
  } finally {
    stop.abort();
  }
}
