// Splits what is read one by one, such as documents of a cursor, into parts for calls that handle many at a time.

/** Parts of `size` items in order; the last may have fewer, and none is empty. */
export async function* inParts<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let part: T[] = [];
  for await (const item of items) {
    part.push(item);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
