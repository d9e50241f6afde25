// Memory for the answers of providers, shared by all jobs of one worker: large answers wait for space, first come, first served.
export type MemoryBudget = {
  /** Reserves the bytes. Returns the function that releases them; rejects with the signal's reason. */
  take(bytes: number, signal: AbortSignal): Promise<() => void>;
  /** The number of bytes that are reserved at the moment. */
  taken(): number;
};

type Waiting = { readonly bytes: number; readonly go: () => void };

export function createMemoryBudget(totalBytes: number): MemoryBudget {
  const waiting: Waiting[] = [];
  let taken = 0;

  function admit(): void {
    for (let next = waiting[0]; next && taken + next.bytes <= totalBytes; next = waiting[0]) {
      waiting.shift();
      taken += next.bytes;
      next.go();
    }
  }

  return {
    taken: () => taken,
    take: async (wanted, signal) => {
      signal.throwIfAborted();
      // An answer that is larger than the whole budget gets all of it, alone.
      const bytes = Math.min(wanted, totalBytes);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const entry: Waiting = { bytes, go: resolve };
      const giveUp = () => {
        const place = waiting.indexOf(entry);
        if (place === -1) return;
        waiting.splice(place, 1);
        reject(signal.reason);
        admit();
      };
      signal.addEventListener("abort", giveUp, { once: true });
      waiting.push(entry);
      admit();
      await promise.finally(() => signal.removeEventListener("abort", giveUp));
      let given = false;
      return () => {
        if (given) return;
        given = true;
        taken -= bytes;
        admit();
      };
    },
  };
}

/** One job's budget: its limit, and its reservation, which is made once, when a response turns out to be large. */
export type OutputLimits = {
  readonly maxBytes: number;
  readonly reserveMemory: () => Promise<void>;
  readonly release: () => void;
};

export function createOutputLimits(
  memory: MemoryBudget,
  maxBytes: number,
  signal: AbortSignal,
): OutputLimits {
  let taking: Promise<() => void> | undefined;
  return {
    maxBytes,
    // The whole limit is reserved in one step: jobs that held a part and waited for more could wait for each other.
    reserveMemory: async () => {
      taking ??= memory.take(maxBytes, signal);
      await taking;
    },
    release: () => {
      taking?.then(
        (release) => release(),
        () => {},
      );
    },
  };
}
