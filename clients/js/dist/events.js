// What happens to a job, as it happens: Server-Sent Events that resume where the connection broke.
import { mayRepeat, toFailure } from "./connection.js";
import { pauseMs, sleep, Watchdog } from "./patience.js";
/** The service says something every 15 seconds at least. */
const SILENCE_MS = 45_000;
/** States in which a job stays; the last event of each job is of the type with the same name. */
const ENDED = ["completed", "failed", "cancelled"];
export function hasEnded(state) {
    return ENDED.includes(state);
}
/** Ends after the job's last event, however often the connection is lost before. */
export async function* watchEvents(connection, { jobId, after, signal }) {
    let lastSeq = after;
    let attempts = 0;
    let lostAt;
    for (;;) {
        let waitMs = 0;
        try {
            const response = await openStream(connection, { jobId, after: lastSeq, signal });
            if (response === undefined)
                return;
            for await (const event of response) {
                lastSeq = event.seq;
                [attempts, lostAt] = [0, undefined];
                yield event;
                if (hasEnded(event.type))
                    return;
            }
            // A stream that ends before its job does was ended by a server that goes down.
        }
        catch (error) {
            signal?.throwIfAborted();
            const failure = toFailure(error);
            lostAt ??= performance.now();
            waitMs = (failure.retryAfter ?? 0) * 1000;
            const isPatient = performance.now() + waitMs <= lostAt + connection.retryForMs;
            if (!mayRepeat(failure) || !isPatient)
                throw failure;
        }
        await sleep(Math.max(waitMs, pauseMs(attempts++)), signal);
    }
}
/** Undefined where the job has ended and all its events are known. */
async function openStream(connection, { jobId, after, signal }) {
    const watchdog = new Watchdog(SILENCE_MS, signal);
    try {
        const response = await connection.open(`/api/jobs/${encodeURIComponent(jobId)}/events`, {
            headers: { accept: "text/event-stream", "last-event-id": String(after) },
            signal: watchdog.signal,
        });
        if (response.status !== 204 && response.body)
            return readEvents(response.body, watchdog);
    }
    catch (error) {
        watchdog.end();
        throw error;
    }
    watchdog.end();
    return undefined;
}
async function* readEvents(body, watchdog) {
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
                if (event)
                    yield event;
            }
        }
    }
    finally {
        watchdog.end();
        // Whoever stops in the middle lets go of the connection.
        await reader.cancel().catch(() => { });
    }
}
/** Undefined for a heartbeat. */
function readBlock(block) {
    const data = block
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).trimStart());
    return data.length === 0 ? undefined : JSON.parse(data.join("\n"));
}
