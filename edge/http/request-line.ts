// Finds requests that node's parser lets through but this server cannot answer: a request must name one host, and a path.
import type { IncomingMessage } from "node:http";

/** RFC 3986, section 3.2: a name or IPv4 address, or an IPv6 one in brackets, and a port. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9\-._~%!$&'()*+,;=]+)(?::\d{0,5})?$/i;

/** Why the request cannot be answered, in words for its sender; undefined where it can. */
export function findRequestLineFault({
  headers: { host },
  httpVersion,
  method,
  rawHeaders,
  url = "",
}: IncomingMessage): string | undefined {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return "Send the request with HTTP/1.1.";
  // Seen before a route may answer OPTIONS for the server as a whole.
  if (!url.startsWith("/") && !isAbsolute(url) && !(url === "*" && method === "OPTIONS"))
    return "The request line does not name a path that begins with a slash.";
  // fastify puts an empty one where there is none.
  if (!host) return httpVersion === "1.1" ? "The request has no Host header." : undefined;
  if (countHosts(rawHeaders) > 1) return "The request has more than one Host header.";
  return HOST.test(host) ? undefined : "The Host header is not the name or address of a host.";
}

/** As proxies are asked; the path in it counts. */
function isAbsolute(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    if (name.length === "host".length && name.toLowerCase() === "host") count++;
  }
  return count;
}
