// By which names the operator's port may be called. A website can lead its own name to this machine's address (DNS rebinding), and an operator's
// browser then takes the port for a part of that site; it still sends the site's name as Host. Pure.
import { isIP } from "node:net";

export type OwnNames = {
  /** Where the port listens. */
  readonly host: string;
  /** Of the machine. */
  readonly hostname: string;
  /** What the operator allows besides. */
  readonly names: readonly string[];
};

/**
 * Whether a Host header can only come of the operator's own doing. An IP address passes: no website has one as its name, and probes of a
 * cluster and scrapers use them. So does a name without a dot, which is the local network's own, and a request without the header, which
 * no browser sends.
 */
export function isOwnHost(header: string | undefined, { host, hostname, names }: OwnNames): boolean {
  if (header === undefined || header === "") return true;
  const name = header.replace(/:\d*$/, "").toLowerCase();
  if (isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0) return true;
  return !name.includes(".") || [host, hostname, ...names].some((own) => own.toLowerCase() === name);
}
