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
  limits: Pick<RateLimits, "count" | "release">,
  nowMs: () => number = () => performance.now(),
): KeyGuard {
  const good = createMemory(nowMs);
  const { askOfPage, askBeyondLimit } = createDoubtful(createMemory(nowMs));
  /** Keys that core is being asked about; a burst with one new key counts once. */
  const asking = new Map<string, Promise<unknown>>();

  async function noteBad({ keySha256, address, isFromPage }: SentKey): Promise<void> {
    good.forget(keySha256);
    if (!isFromPage) await limits.count("failedKeys", address);
  }

  async function askSpared<T>(key: SentKey, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (isBadKey(error)) await noteBad(key);
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
      return decision.refusal ? await askBeyondLimit(keySha256, ask, () => refuse(decision)) : await ask();
    } catch (error) {
      isBad = isBadKey(error);
      throw error;
    } finally {
      if (!isBad) await limits.release("failedKeys", address);
    }
  }

  return {
    isSpared: good.has,
    noteBad,
    prove: async (key, ask, refuse) => {
      const { keySha256 } = key;
      for (let other = asking.get(keySha256); other; other = asking.get(keySha256)) await other;
      if (good.has(keySha256)) return askSpared(key, ask);
      const { promise: over, resolve: end } = Promise.withResolvers<void>();
      asking.set(keySha256, over);
      try {
        const answer = await (key.isFromPage ? askOfPage(ask) : askCounted(key, ask, refuse));
        good.note(keySha256);
        return answer;
      } finally {
        asking.delete(keySha256);
        end();
      }
    },
  };
}

type Memory = {
  note(keySha256: string): void;
  forget(keySha256: string): void;
  has(keySha256: string): boolean;
};

/** Keys that were noted within SPARED_MS, as many as there is room for. */
function createMemory(nowMs: () => number): Memory {
  const notedAtMs = new Map<string, number>();
  return {
    note: (keySha256) => {
      // Put at the end, so that the first is the one noted longest ago.
      notedAtMs.delete(keySha256);
      notedAtMs.set(keySha256, nowMs());
      if (notedAtMs.size <= MAX_REMEMBERED) return;
      const [oldest = ""] = notedAtMs.keys();
      notedAtMs.delete(oldest);
    },
    forget: (keySha256) => void notedAtMs.delete(keySha256),
    has: (keySha256) => nowMs() - (notedAtMs.get(keySha256) ?? Number.NEGATIVE_INFINITY) < SPARED_MS,
  };
}

/** How core is asked about keys that are probably bad: in turn, at a bounded rate. `refused` remembers those that were. */
function createDoubtful(refused: Memory) {
  const turns = new RateLimiterQueue(
    new RateLimiterMemory({ keyPrefix: "doubtfulKeys", points: DOUBTFUL_PER_SECOND, duration: 1 }),
    { maxQueueSize: MAX_WAITING },
  );

  /** `tooMany` is called, and must throw, where too many wait already. */
  async function askInTurn<T>(ask: () => Promise<T>, tooMany: () => void): Promise<T> {
    await turns.removeTokens(1).catch(() => tooMany());
    return ask();
  }

  return {
    askOfPage: <T>(ask: () => Promise<T>): Promise<T> =>
      askInTurn(ask, () => {
        throw new AppError("rate_limited", {
          message: "Too many keys that are not known to be good are being sent.",
          retryAfterSeconds: 1,
        });
      }),
    /** `refuse` must throw. */
    askBeyondLimit: async <T>(keySha256: string, ask: () => Promise<T>, refuse: () => void): Promise<T> => {
      if (refused.has(keySha256)) refuse();
      try {
        return await askInTurn(ask, refuse);
      } catch (error) {
        if (!isBadKey(error)) throw error;
        refused.note(keySha256);
        refuse();
        throw error;
      }
    },
  };
}

export function isBadKey(error: unknown): boolean {
  return error instanceof AppError && error.code === "invalid_key";
}
