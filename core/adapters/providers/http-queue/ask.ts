// One request to a queue and its answer, as JSON if it is JSON. The provider's key goes only to its own hosts.
import type { HttpQueueEntry } from "../../../../runtime/config/http-queue-settings.ts";
import type { Logger } from "../../../../runtime/log/log.ts";
import { readRetryAfter } from "../http-failure.ts";
import type { ProviderFetch, DownloadLimits } from "../provider-fetch.ts";
import { ProviderError } from "../provider.ts";
import { badPlace } from "./failures.ts";
import { fillPath, type Values } from "./template.ts";

const MAX_HOPS = 5;

export type ProviderQuery = {
  readonly method: string;
  readonly url: URL;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly taking: DownloadLimits;
  readonly signal: AbortSignal;
};

export type ProviderReply = {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  /** Undefined if it is not JSON. */
  readonly body: unknown;
};

export type Line = {
  /** Throws ProviderError: retryable if the provider could not be asked. */
  ask(asking: ProviderQuery): Promise<ProviderReply>;
  /** fetch for files: follows redirects, and shows the key only to the provider's own hosts. */
  fileFetch(taking: DownloadLimits): typeof fetch;
  /** Fills in a path of the configuration. Throws provider_bad_answer if it does not lead to one of the provider's own hosts. */
  address(path: string, values: Values): URL;
};

/** What the functions of one provider share. */
export type Queue = {
  readonly entry: HttpQueueEntry;
  readonly line: Line;
  readonly log: Logger;
};

export type LineOptions = {
  entry: HttpQueueEntry;
  net: ProviderFetch;
  now: () => Date;
  /** The time limit for one question and its whole answer. */
  timeoutMs: number;
};

export function createLine({ entry, net, now, timeoutMs }: LineOptions): Line {
  const base = entry.address.replace(/\/+$/, "");
  const origins = new Set([entry.address, ...entry.hosts].map((host) => new URL(host).origin));
  const address = (path: string, values: Values): URL => {
    const text = fillPath(path, values);
    const whole = text === undefined || /^https?:\/\//i.test(text) ? (text ?? "") : base + text;
    if (!URL.canParse(whole)) throw badPlace();
    const url = new URL(whole);
    if (!origins.has(url.origin) || url.username !== "") throw badPlace();
    return url;
  };

  async function ask({
    method,
    url,
    query,
    headers,
    body,
    taking,
    signal,
  }: ProviderQuery): Promise<ProviderReply> {
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const inTime = AbortSignal.timeout(timeoutMs);
    try {
      const response = await net.fetchFor(taking)(url, {
        method,
        redirect: "manual",
        headers: {
          accept: "application/json",
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(origins.has(url.origin) && entry.headers),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, inTime]),
      });
      return {
        status: response.status,
        retryAfterMs: readRetryAfter(Object.fromEntries(response.headers), now()),
        body: parse(await response.text()),
      };
    } catch (error) {
      signal.throwIfAborted();
      if (inTime.aborted)
        throw new ProviderError("provider_unavailable", "The provider did not answer in time.", {
          retryable: true,
        });
      throw error;
    }
  }

  function fileFetch(taking: DownloadLimits): typeof fetch {
    const fetchIt = net.fetchFor(taking);
    return async (input, init) => {
      let url = new URL(input instanceof Request ? input.url : input);
      for (let hop = 0; hop <= MAX_HOPS; hop++) {
        const headers = origins.has(url.origin) ? entry.headers : {};
        const response = await fetchIt(url, { ...init, headers, redirect: "manual" });
        const next = response.headers.get("location");
        if (response.status < 300 || response.status >= 400 || next === null) return response;
        await response.body?.cancel();
        if (!URL.canParse(next, url.href)) break;
        url = new URL(next, url);
      }
      throw new ProviderError("provider_bad_answer", "The provider's file is not where it says.");
    };
  }

  return { ask, fileFetch, address };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
