// The header Prefer (RFC 7240), of which one preference is supported: wait. Everything else is ignored, as the RFC requires.
import { MAX_WAIT_SECONDS } from "../../proto/resources/page.ts";

/** One preference: a token, with or without a value, and parameters that are ignored. */
const PREFERENCE = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?\s*(?:;.*)?$/s;
/** Longer headers are ignored, because splitting takes quadratic time. */
const MAX_HEADER = 1_000;
/** Commas outside quoted strings. */
const COMMA = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/;

/**
 * Returns for how many seconds to hold the answer: 1 to 60. More than that is 60, and so is `wait` without a number, as some clients send
 * it. Returns undefined if there is no valid wait.
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
