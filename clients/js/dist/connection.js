// One request after the other over fetch: the key, the envelope of answers, errors with a code, and repeats of what may be repeated.
import { AtelierError, errorOf } from "./errors.js";
import { pauseMs, sleep, Watchdog } from "./patience.js";
/** Above the 60 seconds for which the service holds an answer. */
const SILENCE_MS = 90_000;
/** Answers that mean the request was not carried out, so repeating is always safe. */
const NOT_DONE = [429, 503];
const GONE_WRONG = [...NOT_DONE, 408, 500, 502, 504];
export class Connection {
    #options;
    constructor(options) {
        this.#options = options;
    }
    get retryForMs() {
        return this.#options.retryForMs;
    }
    /** The result of an answer `{ok: true, result}`. */
    async result(path, sending = {}) {
        const { result } = await this.json(path, sending);
        return result;
    }
    /** A whole JSON answer. */
    async json(path, sending = {}) {
        return this.#patiently(sending, async (signal) => {
            const response = await this.#send(path, sending, signal);
            const body = await readJson(response);
            if (!response.ok)
                throw errorOf(response, body);
            if (body === undefined && response.status !== 204)
                throw unreadable(response);
            return body;
        });
    }
    /** The bytes of a file. */
    async bytes(path, sending = {}) {
        return this.#patiently(sending, async (signal) => {
            const response = await this.#send(path, sending, signal);
            if (!response.ok)
                throw errorOf(response, await readJson(response));
            return new Uint8Array(await response.arrayBuffer());
        });
    }
    /** An answer with a streaming body; tried once. Throws unless it is a success. */
    async open(path, sending) {
        const response = await this.#send(path, sending, sending.signal);
        if (!response.ok)
            throw errorOf(response, await readJson(response));
        return response;
    }
    async #patiently(sending, attempt) {
        const { signal, onlyOnce = false, silenceMs = SILENCE_MS } = sending;
        const lastAt = performance.now() + this.retryForMs;
        for (let attempts = 0;; attempts++) {
            const watchdog = new Watchdog(silenceMs, signal);
            try {
                return await attempt(watchdog.signal);
            }
            catch (error) {
                signal?.throwIfAborted();
                const failure = toFailure(error);
                const waitMs = Math.max(pauseMs(attempts), (failure.retryAfter ?? 0) * 1000);
                if (!mayRepeat(failure, onlyOnce) || performance.now() + waitMs > lastAt)
                    throw failure;
                await sleep(waitMs, signal);
            }
            finally {
                watchdog.end();
            }
        }
    }
    #send(path, sending, signal) {
        const { method = "GET", query, json, file, headers, withKey = true } = sending;
        const url = new URL(path, this.#options.baseUrl);
        for (const [name, value] of Object.entries(query ?? {}))
            addToQuery(url.searchParams, name, value);
        const body = json === undefined ? file : JSON.stringify(json);
        const { apiKey } = this.#options;
        return this.#options.fetch(url, {
            method,
            headers: {
                accept: "application/json",
                ...(withKey && apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
                ...(json !== undefined && { "content-type": "application/json" }),
                ...headers,
            },
            ...(body !== undefined && { body }),
            ...(signal && { signal }),
        });
    }
}
/** Whether trying again may succeed without the request being carried out twice. */
export function mayRepeat({ code, status }, onlyOnce = false) {
    if (status === undefined)
        return code === "connection_failed" && !onlyOnce;
    return (onlyOnce ? NOT_DONE : GONE_WRONG).includes(status);
}
/** Gives fetch's connection failures one code. */
export function toFailure(error) {
    if (error instanceof AtelierError)
        return error;
    const words = error instanceof Error ? error.message : String(error);
    return new AtelierError("connection_failed", `The connection to the service failed: ${words}`, {
        cause: error,
    });
}
async function readJson(response) {
    const text = await response.text();
    try {
        return text === "" ? undefined : JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
function unreadable(response) {
    return new AtelierError("unreadable_answer", "The answer is not JSON. Is baseUrl the address of the service?", {
        status: response.status,
        requestId: response.headers.get("x-request-id") ?? undefined,
    });
}
function addToQuery(query, name, value) {
    if (value === undefined)
        return;
    if (typeof value !== "object")
        return query.append(name, String(value));
    if (isList(value))
        for (const one of value)
            query.append(name, one);
    else
        for (const [inner, one] of Object.entries(value))
            query.append(`${name}[${inner}]`, one);
}
function isList(value) {
    return Array.isArray(value);
}
