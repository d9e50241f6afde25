// A time limit for reads that someone waits for.
import { DatabaseTooSlow } from "./errors.ts";

/**
 * What the work gives, or DatabaseTooSlow after the time. The work itself is left behind: its connection comes back when the server
 * answers, or is dropped when the driver has given the server up.
 */
export async function withinMs<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DatabaseTooSlow(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
