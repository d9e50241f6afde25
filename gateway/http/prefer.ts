// The header Prefer (RFC 7240), of which one preference is known here: wait. What is not understood is ignored, as the RFC wants it.
import { MAX_WAIT_SECONDS } from "../../proto/resources/page.ts";

/** One preference: a token, with a value or without, and parameters that nobody looks at. */
const PREFERENCE = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?\s*(?:;.*)?$/s;
/** Splitting takes time by the square of it. */
const MAX_HEADER = 1_000;
/** Commas outside of quoted strings. */
const COMMA = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/;

/**
 * For how many seconds the answer is to be held: 1 to 60. More than that is 60, and so is `wait` without a number, as some clients send it.
 * Undefined where nothing of the kind is asked for, or not in words that mean something.
 */
export function preferredWait(header: string | undefined): number | undefined {
  if (header === undefined || header.length > MAX_HEADER) return undefined;
  for (const part of header.split(COMMA)) {
    const [, name = "", quoted, plain] = PREFERENCE.exec(part) ?? [];
    if (name.toLowerCase() !== "wait") continue;
    // The first one counts.
    const value = quoted ?? plain ?? "";
    if (value === "") return MAX_WAIT_SECONDS;
    if (!/^\d+$/.test(value) || Number(value) < 1) return undefined;
    return Math.min(Number(value), MAX_WAIT_SECONDS);
  }
  return undefined;
}
