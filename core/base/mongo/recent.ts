// Caches values that rarely change and are needed all the time.

/**
 * Returns a function that provides a result of `read` that is at most `maxAgeMs` old. Concurrent callers share one read; failures are not
 * cached.
 */
export function createRecent<T>(read: () => Promise<T>, maxAgeMs: number): () => Promise<T> {
  let latest: { value: Promise<T>; readAtMs: number } | undefined;
  return () => {
    const nowMs = performance.now();
    if (latest && nowMs - latest.readAtMs < maxAgeMs) return latest.value;
    const reading = { value: read(), readAtMs: nowMs };
    latest = reading;
    reading.value.catch(() => {
      if (latest === reading) latest = undefined;
    });
    return reading.value;
  };
}
