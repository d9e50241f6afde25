// Fetches the file behind a URL from a request. Every address, redirects included, is checked when it is dialled, so that DNS changes
// cannot bypass the policy. Size and time are limited.
import { type Dispatcher, request } from "undici";
import { AppError } from "../../../proto/codes.ts";
import type { Config } from "../../../runtime/config/config.ts";
import { addressPolicy, faultOfAddress } from "../../base/outbound/address.ts";
import { describeFailure, TIMED_OUT } from "../../base/outbound/describe-failure.ts";
import { createCheckedAgent, createResolver, type Resolve } from "../../base/outbound/dial.ts";

const MAX_REDIRECTS = 3;
const CONNECT_TIMEOUT_MS = 5_000;
const SILENCE_MS = 10_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export type AddressFetcher = {
  /** The bytes behind the address. Throws input_unreachable at any time, or the reason of `signal`. */
  fetch(url: string, signal: AbortSignal): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
};

type FetchConfig = Pick<Config, "profile" | "callbackAllowPrivate" | "inputFetchMs">;

export function createAddressFetcher(
  config: FetchConfig,
  resolve: Resolve = createResolver(addressPolicy(config)),
): AddressFetcher {
  const agent = createCheckedAgent({
    policy: addressPolicy(config),
    resolve,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });
  return {
    async *fetch(url, signal) {
      const timeout = AbortSignal.timeout(config.inputFetchMs);
      const stop = AbortSignal.any([signal, timeout]);
      try {
        yield* await open(agent, config, { url, signal: stop });
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof AppError) throw error;
        throw unreachable(timeout.aborted ? TIMED_OUT : describeFailure(error));
      }
    },
    close: () => agent.destroy(),
  };
}

async function open(
  dispatcher: Dispatcher,
  config: FetchConfig,
  { url, signal }: { url: string; signal: AbortSignal },
): Promise<AsyncIterable<Uint8Array>> {
  let at = url;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const fault = faultOfAddress(config, at);
    if (fault !== undefined) throw unreachable(hops === 0 ? `it ${fault}` : `it leads to one that ${fault}`);
    const { statusCode, headers, body } = await request(at, {
      dispatcher,
      headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": "Atelier-Inputs/1" },
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
      signal,
    });
    if (statusCode === 200 && (headers["content-encoding"] ?? "identity") === "identity") return body;
    // The rest is not read, and the connection is closed.
    body.on("error", () => {}).destroy();
    if (statusCode === 200) throw unreachable("its response is compressed");
    const location = headers["location"];
    if (!REDIRECTS.has(statusCode) || typeof location !== "string")
      throw unreachable(`it was answered with status ${statusCode}`);
    if (!URL.canParse(location, at)) throw unreachable("it leads to something that is no address");
    at = new URL(location, at).href;
  }
  throw unreachable("it leads from one address to the next without end");
}

function unreachable(reason: string): AppError {
  return new AppError("input_unreachable", {
    message: `The address of an input could not be fetched: ${reason}.`,
  });
}
