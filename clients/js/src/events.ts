// The events of a job as they happen: Server-Sent Events that resume where the connection broke.
import { type Connection, mayRepeat, toFailure } from "./connection.ts";
import { pauseMs, sleep, Watchdog } from "./pauses.ts";
import type { JobEvent } from "./resources.ts";

/** The service sends something at least every 15 seconds. */
const SILENCE_MS = 45_000;
/** The final states of a job. The last event of each job has the type with the same name. */
const ENDED: readonly string[] = ["completed", "failed", "cancelled"];

export function hasEnded(state: string): boolean {
  return ENDED.includes(state);
}

export type Watch = {
  readonly jobId: string;
  /** The seq of the last event that is already known. */
  readonly after: number;
  readonly signal: AbortSignal | undefined;
};

/** Ends after the job's last event, however often the connection is lost before. */
export async function* watchEvents(
  connection: Connection,
  { jobId, after, signal }: Watch,
): AsyncGenerator<JobEvent, void, undefined> {
  let lastSeq = after;
  let attempts = 0;
  let lostAt: number | undefined;
  for (;;) {
    let waitMs = 0;
    try {
      const response = await openStream(connection, { jobId, after: lastSeq, signal });
      if (response === undefined) return;
      for await (const event of response) {
        lastSeq = event.seq;
        [attempts, lostAt] = [0, undefined];
        yield event;
        if (hasEnded(event.type)) return;
      }
      // A stream that ends before its job was ended by a server that shuts down.
    } catch (error) {
      signal?.throwIfAborted();
      const failure = toFailure(error);
      lostAt ??= performance.now();
      waitMs = (failure.retryAfter ?? 0) * 1000;
      const isPatient = performance.now() + waitMs <= lostAt + connection.retryForMs;
      if (!mayRepeat(failure) || !isPatient) throw failure;
    }
    await sleep(Math.max(waitMs, pauseMs(attempts++)), signal);
  }
}

/** Undefined if the job has ended and all its events are known. */
async function openStream(
  connection: Connection,
  { jobId, after, signal }: Watch,
): Promise<AsyncIterable<JobEvent> | undefined> {
  const watchdog = new Watchdog(SILENCE_MS, signal);
  try {
    const response = await connection.open(`/api/jobs/${encodeURIComponent(jobId)}/events`, {
      headers: { accept: "text/event-stream", "last-event-id": String(after) },
      signal: watchdog.signal,
    });
    if (response.status !== 204 && response.body) return readEvents(response.body, watchdog);
  } catch (error) {
    watchdog.end();
    throw error;
  }
  watchdog.end();
  return undefined;
}

async function* readEvents(
  body: ReadableStream<Uint8Array>,
  watchdog: Watchdog,
): AsyncGenerator<JobEvent, void, undefined> {
  const reader = body.getReader();
  try {
    const decoder = new TextDecoder();
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      watchdog.heard();
      const blocks = (text + decoder.decode(part.value, { stream: true })).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = readBlock(block);
        if (event) yield event;
      }
    }
  } finally {
    watchdog.end();
    // If the caller stops early, the connection is closed.
    await reader.cancel().catch(() => {});
  }
}

/** Undefined for a heartbeat. */
function readBlock(block: string): JobEvent | undefined {
  const data = block
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trimStart());
  return data.length === 0 ? undefined : (JSON.parse(data.join("\n")) as JobEvent);
}
