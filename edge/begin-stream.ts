// The beginning of a stream of core: whether core lets the caller in is known before the first event, and can still be refused to the client.

/** The stream that `open` opens, once core has let the caller in. Throws core's refusal. */
export async function beginStream<T>(
  open: (onBegin: () => void) => AsyncIterable<T>,
): Promise<AsyncIterable<T>> {
  const begun = Promise.withResolvers<void>();
  const events = open(begun.resolve)[Symbol.asyncIterator]();
  const first = events.next();
  await Promise.race([begun.promise, first]);
  return resume(first, events);
}

async function* resume<T>(first: Promise<IteratorResult<T>>, rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    for (let next = await first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
