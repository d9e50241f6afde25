// Which addresses callbacks may go to and inputs may come from. Checked when a URL is accepted, as far as it can be without asking DNS, and again for
// every address when dialling. Pure.
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { AppError } from "../../../proto/codes.ts";
import type { Config } from "../../../runtime/config/config.ts";

/** `public`: the internet only. `public_and_loopback`: also this machine. `any`: no check at all. */
export type AddressPolicy = "public" | "public_and_loopback" | "any";

const MAX_URL_LENGTH = 2048;
const WEB_PORTS = [80, 443];
/** Below this, ports other than the web's belong to other protocols, which a POST must not be able to talk to. */
const FIRST_FREE_PORT = 1024;

/** Addresses that are public by their range but lead inside: the host's own service address in one large cloud. */
const INSIDE_PUBLIC_RANGES = ["168.63.129.16"];
/** The whole of IPv6 that is routed publicly; everything special inside it has a range of its own. */
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

export function addressPolicy(config: Pick<Config, "profile" | "callbackAllowPrivate">): AddressPolicy {
  if (config.callbackAllowPrivate) return "any";
  return config.profile === "development" ? "public_and_loopback" : "public";
}

/**
 * Whether an IP address in text form may be connected to. Forms that carry an IPv4 address inside an IPv6 one (mapped, compatible,
 * 6to4, NAT64, Teredo) are refused as such: no public receiver needs them, and each is a way around the check.
 */
export function isAllowedAddress(policy: AddressPolicy, address: string): boolean {
  if (policy === "any") return true;
  // Stricter than ipaddr's own check, which also takes the short and octal forms of inet_aton.
  if (isIP(address) === 0) return false;
  const ip = ipaddr.parse(address);
  const range = ip.range();
  if (range === "loopback") return policy === "public_and_loopback";
  if (range !== "unicast") return false;
  return ip.kind() === "ipv6" ? ip.match(GLOBAL_IPV6) : !INSIDE_PUBLIC_RANGES.includes(ip.toString());
}

/** The host of a URL without the brackets of IPv6 and without the dot that may end a name. */
export function bareHost(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname.replace(/\.$/, "").toLowerCase();
}

/** Names that mean this machine, whatever DNS says (RFC 6761). */
export function isLocalhost(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

/**
 * What is wrong with an address that someone gave us to go to, or undefined when it may be tried. A name is not looked up here: what it
 * stands for may change, so only the check at dialling counts.
 */
export function faultOfAddress(
  config: Pick<Config, "profile" | "callbackAllowPrivate">,
  text: string,
): string | undefined {
  const policy = addressPolicy(config);
  if (text.length > MAX_URL_LENGTH) return `is longer than ${MAX_URL_LENGTH} characters`;
  if (!URL.canParse(text)) return "is not an absolute URL";
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "does not start with https://";
  if (url.username !== "" || url.password !== "") return "has a user name or password in it";

  const host = bareHost(url.hostname);
  const local = isLocalhost(host);
  if (local && policy === "public") return "is not an address on the public internet";
  if (isIP(host) !== 0 && !isAllowedAddress(policy, host)) return "is not an address on the public internet";
  if (url.protocol === "http:" && policy !== "any" && !local && !isLoopback(host))
    return "does not start with https://";
  if (policy === "public" && !isWebPort(url.port)) return "has a port that may not be used";
  return undefined;
}

/** The error to refuse a callback_url with, or undefined when it may be tried. */
export function checkCallbackUrl(
  config: Pick<Config, "profile" | "callbackAllowPrivate">,
  text: string,
): AppError | undefined {
  const fault = faultOfAddress(config, text);
  return fault === undefined
    ? undefined
    : new AppError("callback_url_refused", { message: `The callback_url ${fault}.` });
}

function isLoopback(host: string): boolean {
  // Called only for hosts that the policy allows, and an allowed literal that is not public is a loopback one.
  return isIP(host) !== 0 && !isAllowedAddress("public", host);
}

function isWebPort(port: string): boolean {
  return port === "" || WEB_PORTS.includes(Number(port)) || Number(port) >= FIRST_FREE_PORT;
}
