// Splits a stream of bytes into numbered lines, and checks that each is UTF-8 and not too long. Holds one line in memory.
import { isUtf8 } from "node:buffer";

const LF = 10;
const CR = 13;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
export const NOT_UTF8 = "is not valid UTF-8; save the file in UTF-8";

/** The content of one line, or of a row that spans several. `fault` is its error, as text that follows "line 3" or the like. */
export type Line =
  | { readonly line: number; readonly text: string }
  | { readonly line: number; readonly fault: string };

/** Takes bytes as they come and returns the lines that they complete. */
export type Scanner<T> = { push(chunk: Buffer): Iterable<T>; end(): Iterable<T> };

/** Empty lines are left out, but counted. */
export function createLineScanner(maxBytes: number): Scanner<Line> {
  let line = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isTooLong = false;

  function hold(part: Buffer): void {
    isTooLong ||= heldBytes + part.length > maxBytes;
    if (isTooLong) held = [];
    else if (part.length > 0) held.push(part);
    heldBytes += part.length;
  }

  function finish(): Line | undefined {
    line++;
    const [only] = held;
    const bytes = held.length === 1 && only ? only : Buffer.concat(held);
    const wasTooLong = isTooLong;
    held = [];
    heldBytes = 0;
    isTooLong = false;
    if (wasTooLong) return { line, fault: tooLong(maxBytes) };
    const text = decode(bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes);
    if (text === undefined) return { line, fault: NOT_UTF8 };
    return text.trim() === "" ? undefined : { line, text };
  }

  return {
    *push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
        hold(chunk.subarray(start, end));
        start = end + 1;
        const found = finish();
        if (found) yield found;
      }
      hold(chunk.subarray(start));
    },
    *end() {
      const found = heldBytes > 0 ? finish() : undefined;
      if (found) yield found;
    },
  };
}

export function tooLong(maxBytes: number): string {
  return `is longer than ${maxBytes / 1024} KiB`;
}

/** Undefined for bytes that are not UTF-8. */
export function decode(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

/** The same bytes without the byte order mark that some programs put before UTF-8. */
export async function* withoutBom(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (!head) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < BOM.length) continue;
    yield skipBom(head);
    head = undefined;
  }
  if (head) yield head;
}

function skipBom(head: Buffer): Buffer {
  return head.subarray(0, BOM.length).equals(BOM) ? head.subarray(BOM.length) : head;
}
