// Bounds what unknown keys cost, without shutting out others at the same address. A key not known to be good is counted before core is asked.
// If it proves good, the count is taken back, and the key is spared for a while whatever others send. Where an address has used up its bad
// keys, core is still asked about each further key once, at a bounded rate: a good one gets in, a bad one hears of the limit.
import { RateLimiterMemory, RateLimiterQueue } from "rate-limiter-flexible";
import { AppError } from "../../proto/codes.ts";
import type { RateDecision, RateLimits } from "./rate-limit.ts";

/** How long a key counts as good after core last said so. */
const SPARED_MS = 10 * 60 * 1000;
/** Keys that are remembered; the one longest unproved goes first, and is then proved again. */
const MAX_REMEMBERED = 20_000;
/** Keys of addresses beyond their limit, and of pages, that core is asked about a second by this process. Each is one read by an index. */
const DOUBTFUL_PER_SECOND = 100;
/** Of these so many wait, two seconds at most; more are refused unseen. */
const MAX_WAITING = 200;

export type KeyGuard = {
  /** Whether core found the key good lately, so that nothing needs to be counted. */
  isSpared(keySha256: string): boolean;
  /**
   * Lets core judge a key by calling `ask`, and rejects as `ask` does. For a bad key of an address that has used up its bad keys `refuse`
   * gets the decision, and must throw; core is not asked twice about such a key, nor about more of them than the bound.
   */
  prove<T>(key: SentKey, ask: () => Promise<T>, refuse: (decision: RateDecision) => void): Promise<T>;
  /** Notes that core refused a key: it is counted, and no longer spared. */
  noteBad(key: SentKey): Promise<void>;
};

export type SentKey = {
  readonly keySha256: string;
  /** The addressSubject of the key's sender. */
  readonly address: string;
  /** A page sent it (there is an Origin): any website can have its visitors send keys, so it counts against no address. */
  readonly isFromPage: boolean;
};

export function createKeyGuard(
  limits: Pick<RateLimits, "count" | "giveBack">,
  nowMs: () => number = () => performance.now(),
): KeyGuard {
  const provedAtMs = new Map<string, number>();
  const refusedAtMs = new Map<string, number>();
  const doubtful = new RateLimiterQueue(
    new RateLimiterMemory({ keyPrefix: "doubtfulKeys", points: DOUBTFUL_PER_SECOND, duration: 1 }),
    { maxQueueSize: MAX_WAITING },
  );
  /** Keys that core is being asked about; a burst with one new key counts once. */
  const asking = new Map<string, Promise<unknown>>();

  function remember(known: Map<string, number>, keySha256: string): void {
    // Put at the end, so that the first is the one noted longest ago.
    known.delete(keySha256);
    known.set(keySha256, nowMs());
    if (known.size <= MAX_REMEMBERED) return;
    const [oldest = ""] = known.keys();
    known.delete(oldest);
  }

  const isSpared = (keySha256: string): boolean =>
    nowMs() - (provedAtMs.get(keySha256) ?? Number.NEGATIVE_INFINITY) < SPARED_MS;

  const wasRefused = (keySha256: string): boolean =>
    nowMs() - (refusedAtMs.get(keySha256) ?? Number.NEGATIVE_INFINITY) < SPARED_MS;

  async function noteBad({ keySha256, address, isFromPage }: SentKey): Promise<void> {
    provedAtMs.delete(keySha256);
    if (!isFromPage) await limits.count("failedKeys", address);
  }

  /** Waits its turn. `tooMany` is called, and must throw, where too many wait already. */
  async function askInTurn<T>(ask: () => Promise<T>, tooMany: () => void): Promise<T> {
    await doubtful.removeTokens(1).catch(() => tooMany());
    return ask();
  }

  async function askSpared<T>(key: SentKey, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (isBadKey(error)) await noteBad(key);
      throw error;
    }
  }

  async function askOfPage<T>({ keySha256 }: SentKey, ask: () => Promise<T>): Promise<T> {
    const answer = await askInTurn(ask, () => {
      throw new AppError("rate_limited", {
        message: "Too many keys that are not known to be good are being sent.",
        retryAfterSeconds: 1,
      });
    });
    remember(provedAtMs, keySha256);
    return answer;
  }

  /** `refuse` must throw. */
  async function askBeyondLimit<T>(keySha256: string, ask: () => Promise<T>, refuse: () => void): Promise<T> {
    if (wasRefused(keySha256)) refuse();
    try {
      return await askInTurn(ask, refuse);
    } catch (error) {
      if (!isBadKey(error)) throw error;
      remember(refusedAtMs, keySha256);
      refuse();
      throw error;
    }
  }

  async function askCounted<T>(
    { keySha256, address }: SentKey,
    ask: () => Promise<T>,
    refuse: (decision: RateDecision) => void,
  ): Promise<T> {
    // Before core is asked: many at once are no way around the limit.
    const decision = await limits.count("failedKeys", address);
    let isBad = false;
    try {
      const answer = decision.refusal
        ? await askBeyondLimit(keySha256, ask, () => refuse(decision))
        : await ask();
      remember(provedAtMs, keySha256);
      return answer;
    } catch (error) {
      isBad = isBadKey(error);
      throw error;
    } finally {
      if (!isBad) await limits.giveBack("failedKeys", address);
    }
  }

  return {
    isSpared,
    noteBad,
    prove: async (key, ask, refuse) => {
      const { keySha256 } = key;
      for (let other = asking.get(keySha256); other; other = asking.get(keySha256)) await other;
      if (isSpared(keySha256)) return askSpared(key, ask);
      const { promise: over, resolve: end } = Promise.withResolvers<void>();
      asking.set(keySha256, over);
      try {
        return await (key.isFromPage ? askOfPage(key, ask) : askCounted(key, ask, refuse));
      } finally {
        asking.delete(keySha256);
        end();
      }
    },
  };
}

export function isBadKey(error: unknown): boolean {
  return error instanceof AppError && error.code === "invalid_key";
}
