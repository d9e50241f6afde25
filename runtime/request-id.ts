// What a request is called in logs, errors and at core: as its sender called it, else a name of ours.
import type { IncomingMessage } from "node:http";
import { ulid } from "ulid";

const SANE = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;
const PREFIX_CHARACTERS = 18;
const COUNT_DIGITS = 8;

/** The one that the client sent, if it is sane. */
export function requestIdOf(request: IncomingMessage): string | undefined {
  const sent = request.headers["x-request-id"];
  return typeof sent === "string" && SANE.test(sent) ? sent : undefined;
}

/**
 * Gives a function that names requests: `req_` and 26 characters. Time and chance go into the name of the process, and its requests
 * are counted: a whole ULID for each costs as much as a tenth of a small answer's own work.
 */
export function createRequestIds(): () => string {
  const prefix = `req_${ulid().slice(0, PREFIX_CHARACTERS)}`;
  let count = 0;
  return () => prefix + String(++count).padStart(COUNT_DIGITS, "0");
}
