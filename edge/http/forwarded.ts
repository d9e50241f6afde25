// The sender of a request, as the proxy in front of the service reports it. Values that the proxy's own client claimed are ignored.
import type { IncomingMessage } from "node:http";
import type { Config } from "../../runtime/config/config.ts";

export function addressOf(
  { headers, socket }: IncomingMessage,
  { trustProxy }: Pick<Config, "trustProxy">,
): string {
  const forwarded = trustProxy ? lastOf(withoutEmptyEnd(headers["x-forwarded-for"])) : "";
  return forwarded === "" ? (socket.remoteAddress ?? "") : forwarded;
}

export function isOverTls({ headers }: IncomingMessage, { trustProxy }: Pick<Config, "trustProxy">): boolean {
  return trustProxy && lastOf(headers["x-forwarded-proto"]) === "https";
}

/** The proxy's entry in a list to which each proxy appends its own. */
function lastOf(list: string | string[] = ""): string {
  const text = String(list);
  return text.slice(text.lastIndexOf(",") + 1).trim();
}

/** The list without empty entries at its end, which name no address. */
function withoutEmptyEnd(list: string | string[] = ""): string {
  const text = String(list);
  let end = text.length;
  while (end > 0 && (text[end - 1] === "," || text[end - 1] === " ")) end -= 1;
  return text.slice(0, end);
}
