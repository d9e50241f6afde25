// Range headers (RFC 9110, section 14). One range of bytes is served; a request for several, or one that is not understood, gets the whole.
// This file is pure.

/** The first and the last byte, both included. */
export type ByteRange = { first: number; last: number };

const SINGLE_RANGE = /^bytes=\s*(\d*)-(\d*)\s*$/i;

/** Returns the range to send of `size` bytes; undefined for the whole; "unsatisfiable" if no requested byte exists (416). */
export function parseByteRange(
  header: string | undefined,
  size: number,
): ByteRange | "unsatisfiable" | undefined {
  const match = SINGLE_RANGE.exec(header ?? "");
  if (!match) return undefined;
  const [, from = "", to = ""] = match;
  if (from === "" && to === "") return undefined;
  if (from === "") {
    const suffix = Number(to);
    return suffix === 0 || size === 0
      ? "unsatisfiable"
      : { first: Math.max(0, size - suffix), last: size - 1 };
  }
  const first = Number(from);
  if (to !== "" && Number(to) < first) return undefined;
  if (first >= size) return "unsatisfiable";
  return { first, last: to === "" ? size - 1 : Math.min(Number(to), size - 1) };
}
