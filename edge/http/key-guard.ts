// Limits the cost of unknown keys without locking out other keys at the same address. A key that is not known to be valid is counted before
// core is called. If it is valid, the count is reversed, and the key is exempt for a while, whatever other keys at the address do. When an
// address has used up its count of invalid keys, each further key is still looked up once, at a limited rate: a valid key is admitted, an
// invalid one gets the limit's refusal.
import { RateLimiterMemory, RateLimiterQueue } from "rate-limiter-flexible";
import { AppError } from "../../proto/codes.ts";
import type { RateDecision, RateLimits } from "./rate-limit.ts";

/** How long a key counts as valid after core last confirmed it. */
const SPARED_MS = 10 * 60 * 1000;
/** The number of remembered keys. The one confirmed longest ago is dropped first, and looked up again when it returns. */
const MAX_REMEMBERED = 20_000;
/** How many keys per second this process looks up for addresses above their limit, and for pages. Each lookup is one indexed read. */
const DOUBTFUL_PER_SECOND = 100;
/** How many of these lookups can wait, for two seconds at most. More are refused without a lookup. */
const MAX_WAITING = 200;

export type KeyGuard<Answer> = {
  /** Core's last answer about the key. Undefined if core has not confirmed it recently, so that it must be asked first. */
  lastAnswer(keySha256: string): Answer | undefined;
  /**
   * Lets core check a key by calling `ask`, and rejects as `ask` does. For an invalid key of an address that has used up its count,
   * `refuse` gets the decision and must throw. Core is not called twice for such a key, and not for more of them than the rate allows.
   */
  prove(key: SentKey, ask: () => Promise<Answer>, refuse: (decision: RateDecision) => void): Promise<Answer>;
  /** Records that core refused a key: it is counted and no longer exempt. */
  noteBad(key: SentKey): Promise<void>;
};

export type SentKey = {
  readonly keySha256: string;
  /** The addressSubject of the key's sender. */
  readonly address: string;
  /**
   * True if a page sent the key (the request has an Origin). Any website can make its visitors send keys, so such keys do not count against
   * the address.
   */
  readonly isFromPage: boolean;
};

export function createKeyGuard<Answer extends {}>(
  limits: Pick<RateLimits, "count" | "release">,
  nowMs: () => number = () => performance.now(),
): KeyGuard<Answer> {
  const good = createMemory<Answer>(nowMs);
  const { askOfPage, askBeyondLimit } = createDoubtful(createMemory<true>(nowMs));
  /** Keys that core is checking now. A burst with one new key counts once. */
  const asking = new Map<string, Promise<unknown>>();

  async function noteBad({ keySha256, address, isFromPage }: SentKey): Promise<void> {
    good.forget(keySha256);
    if (!isFromPage) await limits.count("failedKeys", address);
  }

  async function askSpared(key: SentKey, ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      if (isBadKey(error)) await noteBad(key);
      throw error;
    }
  }

  async function askCounted(
    { keySha256, address }: SentKey,
    ask: () => Promise<Answer>,
    refuse: (decision: RateDecision) => void,
  ): Promise<Answer> {
    // Counted before core is called, so that parallel requests do not get around the limit.
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
    lastAnswer: good.get,
    noteBad,
    prove: async (key, ask, refuse) => {
      const { keySha256 } = key;
      for (let other = asking.get(keySha256); other; other = asking.get(keySha256)) await other;
      if (good.get(keySha256)) return askSpared(key, ask);
      const { promise: over, resolve: end } = Promise.withResolvers<void>();
      asking.set(keySha256, over);
      try {
        const answer = await (key.isFromPage ? askOfPage(ask) : askCounted(key, ask, refuse));
        good.note(keySha256, answer);
        return answer;
      } finally {
        asking.delete(keySha256);
        end();
      }
    },
  };
}

type Memory<Value> = {
  note(keySha256: string, value: Value): void;
  forget(keySha256: string): void;
  get(keySha256: string): Value | undefined;
};

/** Keys that were confirmed within SPARED_MS, up to the limit of remembered keys. */
function createMemory<Value>(nowMs: () => number): Memory<Value> {
  const noted = new Map<string, { atMs: number; value: Value }>();
  return {
    note: (keySha256, value) => {
      // Moved to the end, so that the first one is the one confirmed longest ago.
      noted.delete(keySha256);
      noted.set(keySha256, { atMs: nowMs(), value });
      if (noted.size <= MAX_REMEMBERED) return;
      const [oldest = ""] = noted.keys();
      noted.delete(oldest);
    },
    forget: (keySha256) => void noted.delete(keySha256),
    get: (keySha256) => {
      const last = noted.get(keySha256);
      return last && nowMs() - last.atMs < SPARED_MS ? last.value : undefined;
    },
  };
}

/** Looks up keys that are probably invalid, one after another, at a limited rate. `refused` remembers those that were refused. */
function createDoubtful(refused: Memory<true>) {
  const turns = new RateLimiterQueue(
    new RateLimiterMemory({ keyPrefix: "doubtfulKeys", points: DOUBTFUL_PER_SECOND, duration: 1 }),
    { maxQueueSize: MAX_WAITING },
  );

  /** `tooMany` is called, and must throw, if too many lookups wait already. */
  async function askInTurn<T>(ask: () => Promise<T>, tooMany: () => void): Promise<T> {
    await turns.removeTokens(1).catch(() => tooMany());
    return ask();
  }

  return {
    askOfPage: <T>(ask: () => Promise<T>): Promise<T> =>
      askInTurn(ask, () => {
        throw new AppError("rate_limited", {
          message: "The service receives too many requests with unknown keys.",
          retryAfterSeconds: 1,
        });
      }),
    /** `refuse` must throw. */
    askBeyondLimit: async <T>(keySha256: string, ask: () => Promise<T>, refuse: () => void): Promise<T> => {
      if (refused.get(keySha256)) refuse();
      try {
        return await askInTurn(ask, refuse);
      } catch (error) {
        if (!isBadKey(error)) throw error;
        refused.note(keySha256, true);
        refuse();
        throw error;
      }
    },
  };
}

export function isBadKey(error: unknown): boolean {
  return error instanceof AppError && error.code === "invalid_key";
}
