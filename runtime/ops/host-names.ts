// The names by which the operator's port may be called. A website can point its own name at this machine's address (DNS rebinding), and an
// operator's browser then treats the port as a part of that site; it still sends the site's name as Host. This file is pure.
import { isIP } from "node:net";

export type OwnNames = {
  /** The address on which the port listens. */
  readonly host: string;
  /** The names of the machine. */
  readonly hostname: string;
  /** The names that the operator allows in addition. */
  readonly names: readonly string[];
};

/**
 * Returns whether a Host header can come only from the operator's own doing. An IP address passes: no website has one as its name, and a
 * cluster's probes and scrapers use them. A name without a dot passes, because it belongs to the local network, and so does a request
 * without the header, which no browser sends.
 */
export function isOwnHost(header: string | undefined, { host, hostname, names }: OwnNames): boolean {
  if (header === undefined || header === "") return true;
  const name = header.replace(/:\d*$/, "").toLowerCase();
  if (isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0) return true;
  return !name.includes(".") || [host, hostname, ...names].some((own) => own.toLowerCase() === name);
}
