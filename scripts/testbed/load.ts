// Clients as they should be: each request has its Idempotency-Key, is sent again under it while the service says that it is away,
// after as long as the service asked, and every answer is written down.
import { setTimeout as sleep } from "node:timers/promises";

/** "no answer": the connection broke, or nothing came within the client's patience. */
export type Try = { sentAtMs: number; answeredAtMs: number; status: number | "no answer"; jobId?: string };
export type Sent = { key: string; idempotencyKey: string; tries: Try[] };

export type Load = {
  readonly sent: readonly Sent[];
  /** No new requests; resolves when those under way are accepted or given up. */
  stop(): Promise<void>;
};

export type LoadOptions = {
  url: string;
  /** Of the accounts, in turn. */
  keys: readonly string[];
  prompt: string;
  pace: Pace;
};

/** Clients that each wait for their answer and then so long, or requests at a rate, whether earlier ones were answered or not. */
export type Pace = { clients: number; pauseMs: number } | { perSecond: number };

const DEADLINE_MS = 20_000;
const GIVE_UP_AFTER_MS = 120_000;
const RETRYABLE = new Set<number | string>([429, 500, 503, 504, "no answer"]);

export function startLoad({ url, keys, prompt, pace }: LoadOptions): Load {
  const sent: Sent[] = [];
  const stop = new AbortController();

  async function sendOnce({ key, idempotencyKey }: Sent): Promise<Try & { waitMs: number }> {
    const sentAtMs = performance.now();
    try {
      const response = await fetch(`${url}/api/v1/connect/generate`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": idempotencyKey,
        },
        body: JSON.stringify({ modality: "image", model_slug: "quick", prompt }),
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      const body = (await response.json()) as { result?: { job_id: string } };
      return {
        sentAtMs,
        answeredAtMs: performance.now(),
        status: response.status,
        ...(body.result && { jobId: body.result.job_id }),
        waitMs: Number(response.headers.get("retry-after") ?? 1) * 1000,
      };
    } catch {
      return { sentAtMs, answeredAtMs: performance.now(), status: "no answer", waitMs: 1_000 };
    }
  }

  async function send(one: Sent): Promise<void> {
    const startMs = performance.now();
    sent.push(one);
    for (;;) {
      const { waitMs, ...tried } = await sendOnce(one);
      one.tries.push(tried);
      if (tried.status === 202 || performance.now() - startMs > GIVE_UP_AFTER_MS) return;
      if (!RETRYABLE.has(tried.status)) throw new Error(`a client was answered ${tried.status}`);
      await sleep(waitMs);
    }
  }

  const one = (n: number, i: number): Sent => ({
    key: keys[n % keys.length] ?? "",
    idempotencyKey: `client-${n}-request-${i}`,
    tries: [],
  });
  const pause = (ms: number) => sleep(ms, undefined, { signal: stop.signal }).catch(() => {});

  async function client(n: number, pauseMs: number): Promise<void> {
    for (let i = 0; !stop.signal.aborted; i++) {
      await send(one(n, i));
      await pause(pauseMs);
    }
  }

  async function offer(perSecond: number): Promise<void> {
    const beganMs = performance.now();
    const under: Promise<void>[] = [];
    while (!stop.signal.aborted) {
      const earlyMs = beganMs + (under.length * 1_000) / perSecond - performance.now();
      if (earlyMs > 0) await pause(earlyMs);
      else under.push(send(one(under.length, 0)));
    }
    await Promise.all(under);
  }

  const all =
    "perSecond" in pace
      ? offer(pace.perSecond)
      : Promise.all(Array.from({ length: pace.clients }, (_, n) => client(n, pace.pauseMs)));
  // Told by stop().
  all.catch(() => {});
  return {
    sent,
    stop: async () => {
      stop.abort();
      await all;
    },
  };
}
