import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 10;

/** Polls until the result is truthy, and returns it. Fails after `boundMs`, naming `what` and the last error or result. */
export async function waitFor<T>(
  what: string,
  ask: () => T | Promise<T>,
  boundMs = 60_000,
): Promise<Exclude<T, undefined | null | false | 0 | "">> {
  const end = performance.now() + boundMs;
  let last: unknown;
  do {
    try {
      const answer = await ask();
      if (answer) return answer as Exclude<T, undefined | null | false | 0 | "">;
      last = answer;
    } catch (error) {
      last = error;
    }
    await delay(POLL_MS);
  } while (performance.now() < end);
  throw new Error(
    `Waited ${boundMs} ms for ${what}; last answer: ${last instanceof Error ? last.message : String(last)}`,
    {
      cause: last,
    },
  );
}
