// Rate counters in a Redis that all gateways and tool servers share. While Redis is unavailable, every process counts for itself, each with
// the whole limit. No request is refused because of that, and none waits for Redis longer than ANSWER_MS.
import type { Redis } from "ioredis";
import {
  type IRateLimiterOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
} from "rate-limiter-flexible";
import type { Logger } from "../../runtime/log/log.ts";
import type { Metrics } from "../../runtime/ops/metrics.ts";

export type Limiter = Pick<RateLimiterAbstract, "penalty" | "reward">;

export type SharedCounters = {
  /** Never rejects. */
  limiter(options: IRateLimiterOptions): Limiter;
  close(): void;
};

/** A connection without a byte for this time counts as dead; no request then waits until a new one is open. Also the time to connect. */
const ANSWER_MS = 1_000;
const MAX_RECONNECT_DELAY_MS = 2_000;
/** Other data may live in the same Redis. */
const KEY_PREFIX = "atelier:rate";

/** The library is loaded here, because most installations have no Redis. */
async function createRedis(url: string, answerMs: number): Promise<Redis> {
  const ioredis = await import("ioredis");
  return new ioredis.Redis(url, {
    lazyConnect: true,
    connectTimeout: answerMs,
    socketTimeout: answerMs,
    retryStrategy: (attempts) => Math.min(attempts * 100, MAX_RECONNECT_DELAY_MS),
    // A request that cannot be counted in Redis is counted here immediately, and never a second time later.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  });
}

/** Resolves once Redis has responded or failed once, so that a start does not depend on Redis. */
export async function connectSharedCounters(
  url: string,
  { log, metrics, answerMs = ANSWER_MS }: { log: Logger; metrics: Metrics; answerMs?: number },
): Promise<SharedCounters> {
  const redis = await createRedis(url, answerMs);
  const fallbacks = metrics.counter(
    "rate_fallbacks_total",
    "Requests that this process counted on its own because the shared counters were unavailable.",
    [],
  );
  let connectionFault: string | undefined;
  redis.on("error", ({ message }: Error) => void (connectionFault = message));
  redis.on("ready", () => void (connectionFault = undefined));
  let isAway = false;
  // Only messages are logged: an error of this client carries the failed command, which may be AUTH with the password.
  const noteAway = (error: unknown): void => {
    if (isAway) return;
    isAway = true;
    const fault = connectionFault ?? (error instanceof Error ? error.message : String(error));
    log.warn({ fault }, "Redis is unavailable: this process counts rates on its own until it returns");
  };
  const noteBack = (): void => {
    if (isAway) log.info("Redis is back: rates are counted there again");
    isAway = false;
  };
  await redis.connect().catch(noteAway);

  return {
    // Not the library's own insuranceLimiter, which does not report when it takes over.
    limiter: (options) => {
      const here = new RateLimiterMemory(options);
      const shared = new RateLimiterRedis({
        ...options,
        keyPrefix: `${KEY_PREFIX}:${options.keyPrefix}`,
        storeClient: redis,
        rejectIfRedisNotReady: true,
      });
      const orHere = async <T>(ask: () => Promise<T>, askHere: () => Promise<T>): Promise<T> => {
        try {
          return await ask();
        } catch (error) {
          fallbacks.inc();
          noteAway(error);
          return askHere();
        }
      };
      return {
        penalty: (subject, points) =>
          orHere(
            async () => {
              const counted = await shared.penalty(subject, points);
              noteBack();
              return counted;
            },
            () => here.penalty(subject, points),
          ),
        reward: (subject, points) =>
          orHere(
            () => shared.reward(subject, points),
            () => here.reward(subject, points),
          ),
      };
    },
    close: () => redis.disconnect(),
  };
}
