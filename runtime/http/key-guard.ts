// Slows down whoever guesses keys, without blocking others at the same address. A key not known to be good is counted before core is asked.
// If it proves good, the count is taken back, and the key is spared for a while whatever others send.
import { AppError } from "../../proto/codes.ts";
import type { RateDecision, RateLimits } from "./rate-limit.ts";

/** How long a key counts as good after core last said so. */
const SPARED_MS = 10 * 60 * 1000;
/** Keys that are remembered; the one longest unproved goes first, and is then proved again. */
const MAX_REMEMBERED = 20_000;

export type KeyGuard = {
  /** Whether core found the key good lately, so that nothing needs to be counted. */
  isSpared(keySha256: string): boolean;
  /**
   * Lets core judge a key by calling `ask`, and rejects as `ask` does. Where the address has used up its bad keys, core is not asked:
   * `refuse` gets the decision, and must throw.
   */
  prove<T>(key: SentKey, ask: () => Promise<T>, refuse: (decision: RateDecision) => void): Promise<T>;
  /** Notes that core refused a key: it is counted, and no longer spared. */
  noteBad(key: SentKey): Promise<void>;
};

export type SentKey = {
  readonly keySha256: string;
  /** The addressSubject of the key's sender. */ readonly address: string;
};

export function createKeyGuard(
  limits: Pick<RateLimits, "count" | "giveBack">,
  nowMs: () => number = () => performance.now(),
): KeyGuard {
  const provedAtMs = new Map<string, number>();
  /** Keys that core is being asked about; a burst with one new key counts once. */
  const asking = new Map<string, Promise<unknown>>();

  function noteGood(keySha256: string): void {
    // Put at the end, so that the first is the one longest unproved.
    provedAtMs.delete(keySha256);
    provedAtMs.set(keySha256, nowMs());
    if (provedAtMs.size <= MAX_REMEMBERED) return;
    const [oldest = ""] = provedAtMs.keys();
    provedAtMs.delete(oldest);
  }

  const isSpared = (keySha256: string): boolean =>
    nowMs() - (provedAtMs.get(keySha256) ?? Number.NEGATIVE_INFINITY) < SPARED_MS;

  async function noteBad({ keySha256, address }: SentKey): Promise<void> {
    provedAtMs.delete(keySha256);
    await limits.count("failedKeys", address);
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
      if (decision.refusal) refuse(decision);
      const answer = await ask();
      noteGood(keySha256);
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
        return await askCounted(key, ask, refuse);
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
