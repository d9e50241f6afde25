// The id of a request in logs, in errors and at core: the client's own id, or else a new one.
import type { IncomingMessage } from "node:http";
import { ulid } from "ulid";

const SANE = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;
const PREFIX_CHARACTERS = 18;
const COUNT_DIGITS = 8;

/** Returns the id that the client sent if it is well formed. */
export function requestIdOf(request: IncomingMessage): string | undefined {
  const sent = request.headers["x-request-id"];
  return typeof sent === "string" && SANE.test(sent) ? sent : undefined;
}

/**
 * Returns a function that makes request ids: `req_` and 26 characters. Each process takes a prefix from the time and a random number and
 * then counts its requests, because a whole ULID for each would cost a tenth of the work of a small answer.
 */
export function createRequestIds(): () => string {
  const prefix = `req_${ulid().slice(0, PREFIX_CHARACTERS)}`;
  let count = 0;
  return () => prefix + String(++count).padStart(COUNT_DIGITS, "0");
}
