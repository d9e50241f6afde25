// Values that change hardly ever and are needed all the time.

/**
 * A function that answers what `read` gave, at most `maxAgeMs` ago. Callers that come together share one reading; a failed one is
 * not kept.
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
