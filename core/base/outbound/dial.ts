// Connects to receivers, and to where providers keep files. Resolves each name itself, checks every address it stands for, and connects to nothing but an address
// that it has checked: a name that changes its meaning between the check and the connection gains nothing.
import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { Agent, buildConnector } from "undici";
import { type AddressPolicy, bareHost, isAllowedAddress, isLocalhost } from "./address.ts";

const DNS_TIMEOUT_MS = 2000;
const DNS_TRIES = 2;
/** Of a name with more addresses only the first ones are tried. */
const MAX_ADDRESSES_TRIED = 3;
const KEEP_ALIVE_MS = 4000;
const MAX_KEEP_ALIVE_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;

/** All addresses of a name, in the order to try them. Throws when there are none. */
export type Resolve = (name: string) => Promise<string[]>;

/** A name or literal that leads where callbacks may not go. */
export class RefusedAddress extends Error {
  override readonly name = "RefusedAddress";
}

export class NameNotFound extends Error {
  override readonly name = "NameNotFound";
}

export type DialOptions = {
  policy: AddressPolicy;
  resolve: Resolve;
  /** Most connections to one receiver; unlimited where there is none. */
  connections?: number;
  /** For one connection, handshake included. */
  connectTimeoutMs: number;
  /** Where an operator's configuration itself leads, which is connected to as it is. */
  isTrusted?: (target: buildConnector.Options) => boolean;
};

/** An HTTP client that can reach allowed addresses only. HTTP/1.1, so that the bound on connections bounds the requests too. */
export function createCheckedAgent(options: DialOptions): Agent {
  const connect = buildConnector({ allowH2: false, timeout: options.connectTimeoutMs });
  return new Agent({
    connect: (target, callback) => {
      const connected = options.isTrusted?.(target)
        ? connectTo(connect, target)
        : dial(options, connect, target);
      connected.then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(error as Error, null),
      );
    },
    allowH2: false,
    ...(options.connections !== undefined && { connections: options.connections }),
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
}

type Socket = NonNullable<Parameters<buildConnector.Callback>[1]>;

async function dial(
  { policy, resolve }: DialOptions,
  connect: buildConnector.connector,
  target: buildConnector.Options,
): Promise<Socket> {
  const host = bareHost(target.hostname);
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  // One bad address condemns the name: a mixed answer is how an inside address is slipped in.
  if (!addresses.every((address) => isAllowedAddress(policy, address))) throw new RefusedAddress();
  if (addresses.length === 0) throw new NameNotFound();
  const failures: unknown[] = [];
  for (const address of addresses.slice(0, MAX_ADDRESSES_TRIED)) {
    try {
      // `host` and `servername` keep the name, which the certificate must be that of.
      return await connectTo(connect, { ...target, hostname: address });
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures.length === 1 ? failures[0] : new AggregateError(failures);
}

function connectTo(connect: buildConnector.connector, target: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    connect(target, (error, socket) => (socket ? resolve(socket) : reject(error)));
  });
}

/**
 * The usual resolver. It asks DNS directly, because lookups through the system share four threads, which a few slow names would
 * hold. Where more than the public internet is allowed, names that only the system knows (its hosts file) are found too.
 */
export function createResolver(policy: AddressPolicy): Resolve {
  const dns = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  return async (name) => {
    if (isLocalhost(name)) return ["127.0.0.1", "::1"];
    const answers = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    if (policy === "public") throw new NameNotFound();
    const known = await lookup(name, { all: true }).catch(() => []);
    if (known.length === 0) throw new NameNotFound();
    return known.map(({ address }) => address);
  };
}
