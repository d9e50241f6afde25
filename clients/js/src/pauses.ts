// Pauses before repeats, and time limits that follow a signal.
import { AtelierError } from "./errors.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;

/** Doubles each time, with jitter, so that clients disconnected together do not return together. */
export function pauseMs(attempt: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
  return longest * (0.5 + Math.random() / 2);
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", stop, { once: true });
    function done(): void {
      signal?.removeEventListener("abort", stop);
      resolve();
    }
    function stop(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
  });
}

/** A signal that also aborts after a silence: a connection can be dead without anyone reporting it. */
export class Watchdog {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #silenceMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(silenceMs: number, outer: AbortSignal | undefined) {
    this.#silenceMs = silenceMs;
    this.#outer = outer;
    outer?.addEventListener("abort", this.#stop, { once: true });
    if (outer?.aborted) this.#stop();
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something was received: the silence is counted from now. */
  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#controller.abort(new AtelierError("connection_failed", "The service has gone silent."));
    }, this.#silenceMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#stop);
  }

  readonly #stop = (): void => this.#controller.abort(this.#outer?.reason);
}
