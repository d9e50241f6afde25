// What is read one by one, such as documents of a cursor, some at a time: for whatever is asked once for many.

/** As many as `size` in each part, in order; the last may have fewer, and none is empty. */
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
