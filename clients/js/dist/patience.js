// How long to wait before a repeat, and things that end when a signal says so.
import { AtelierError } from "./errors.js";
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** Twice as long each time, with jitter, so that clients disconnected together do not return together. */
export function pauseMs(attempt) {
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
    return longest * (0.5 + Math.random() / 2);
}
export function sleep(ms, signal) {
    return new Promise((resolve, reject) => {
        if (signal?.aborted)
            return reject(signal.reason);
        const timer = setTimeout(done, ms);
        signal?.addEventListener("abort", stop, { once: true });
        function done() {
            signal?.removeEventListener("abort", stop);
            resolve();
        }
        function stop() {
            clearTimeout(timer);
            reject(signal?.reason);
        }
    });
}
/** A signal that also ends when nothing was heard for a while: a connection can be dead without anybody saying so. */
export class Watchdog {
    #controller = new AbortController();
    #outer;
    #silenceMs;
    #timer;
    constructor(silenceMs, outer) {
        this.#silenceMs = silenceMs;
        this.#outer = outer;
        outer?.addEventListener("abort", this.#stop, { once: true });
        if (outer?.aborted)
            this.#stop();
        this.heard();
    }
    get signal() {
        return this.#controller.signal;
    }
    /** Something came: the silence begins anew. */
    heard() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            this.#controller.abort(new AtelierError("connection_failed", "The service has gone silent."));
        }, this.#silenceMs);
    }
    end() {
        clearTimeout(this.#timer);
        this.#outer?.removeEventListener("abort", this.#stop);
    }
    #stop = () => this.#controller.abort(this.#outer?.reason);
}
