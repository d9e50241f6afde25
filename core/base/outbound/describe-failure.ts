// Why a request to an address that someone gave us failed, in words that tell nothing of what is behind it.
import { errors } from "undici";
import { NameNotFound, RefusedAddress } from "./dial.ts";

export const REFUSED_ADDRESS = "refused address";
export const TIMED_OUT = "timed out";
const BAD_ANSWER = "no valid HTTP answer";

/** Words of failures, from the one that says most: of several addresses of a name, the one where the attempt got furthest counts. */
const BY_WEIGHT = [REFUSED_ADDRESS, BAD_ANSWER, "no secure connection", TIMED_OUT, "no connection"];

/** Plain words without addresses, since they are shown to the caller that named the address. */
export function describeFailure(error: unknown): string {
  if (error instanceof AggregateError) {
    const words = error.errors.map(describeFailure);
    return BY_WEIGHT.find((known) => words.includes(known)) ?? "no connection";
  }
  if (error instanceof RefusedAddress) return REFUSED_ADDRESS;
  if (error instanceof NameNotFound) return "name not found";
  if (error instanceof errors.HTTPParserError) return BAD_ANSWER;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/.test(code)) return TIMED_OUT;
  if (code === "UND_ERR_HEADERS_OVERFLOW") return BAD_ANSWER;
  if (/CERT|SELF_SIGNED|SIGNATURE|^ERR_(TLS|SSL)|^EPROTO$/.test(code)) return "no secure connection";
  return "no connection";
}
