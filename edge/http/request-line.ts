// Finds requests that node's parser accepts but this server cannot serve: a request must name one host, a path, and at most one sender.
import type { IncomingMessage } from "node:http";

/** RFC 3986, section 3.2: a name or IPv4 address, or an IPv6 address in brackets, and a port. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9\-._~%!$&'()*+,;=]+)(?::\d{0,5})?$/i;

/** Why the request cannot be served, as a text for its sender; undefined if it can. */
export function findRequestLineFault({
  headers: { host, authorization },
  httpVersion,
  method,
  rawHeaders,
  url = "",
}: IncomingMessage): string | undefined {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return "Send the request with HTTP/1.1.";
  // Checked before a route can respond to OPTIONS for the whole server.
  if (!url.startsWith("/") && !isAbsolute(url) && !(url === "*" && method === "OPTIONS"))
    return "The request line does not name a path that begins with a slash.";
  // Node would choose one of them, which could charge the wrong account.
  if (authorization !== undefined && isRepeated("authorization", rawHeaders))
    return "The request has more than one Authorization header.";
  // fastify adds an empty one if there is none.
  if (!host) return httpVersion === "1.1" ? "The request has no Host header." : undefined;
  if (isRepeated("host", rawHeaders)) return "The request has more than one Host header.";
  return HOST.test(host) ? undefined : "The Host header is not the name or address of a host.";
}

/** The form of requests to proxies. Only its path is used. */
function isAbsolute(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

function isRepeated(wanted: string, rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    if (name.length === wanted.length && name.toLowerCase() === wanted) count++;
  }
  return count > 1;
}
