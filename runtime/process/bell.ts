// Lets a loop sleep until there is work or a time is over.

export type Bell = {
  /** Wakes whoever waits; heard also by the next one to wait. */
  ring: () => void;
  /** Forgets what rang so far: for a loop that is about to look for itself. */
  reset: () => void;
  /** Resolves at the next ring, at once when it rang since the last wait or reset, and at the latest after `timeoutMs`. */
  wait: (timeoutMs: number) => Promise<void>;
};

export function createBell(): Bell {
  let rung = false;
  let wakeUp: (() => void) | undefined;
  return {
    ring: () => {
      rung = true;
      wakeUp?.();
    },
    reset: () => {
      rung = false;
    },
    wait: async (timeoutMs) => {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          wakeUp = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wakeUp = undefined;
      rung = false;
    },
  };
}
