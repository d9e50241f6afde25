// Which addresses count as one sender, and which as neighbours, for limits by address.
import ipaddr from "ipaddr.js";
import { remember } from "./remember.ts";

/** The network of one IPv6 customer. */
const IPV6_NETWORK_BITS = 64;

/**
 * Returns who counts as one sender: an IPv4 address, or the /64 network of an IPv6 address, since a provider gives each customer one.
 * Results are remembered, because parsing the address each time is a measurable part of a small answer's cost.
 */
export const addressSubject = remember((address) => {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const network = parsed.toByteArray().slice(0, IPV6_NETWORK_BITS / 8);
  return `${Buffer.from(network).toString("hex")}::/${IPV6_NETWORK_BITS}`;
});

/**
 * Returns who counts as neighbours and shares a quota: the /24 network of an IPv4 address, or the /48 network of an IPv6 address, since
 * each site gets one.
 */
export function networkSubject(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return `${parsed.toByteArray().slice(0, 3).join(".")}.0/24`;
  return `${Buffer.from(parsed.toByteArray().slice(0, 6)).toString("hex")}::/48`;
}
