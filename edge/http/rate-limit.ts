// Named rate limits, counted in fixed windows of a minute, and their response headers (draft-ietf-httpapi-ratelimit-headers). A single
// process counts in memory; several processes share the counters of shared-counters.ts. Also refuses requests during overload.
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Caller } from "../../proto/caller.ts";
import { AppError } from "../../proto/codes.ts";
import type { Config } from "../../runtime/config/config.ts";
import { addressSubject } from "../../runtime/networks.ts";
import type { Metrics } from "../../runtime/ops/metrics.ts";
import { createPermits } from "../../runtime/permits.ts";
import type { AnyReply } from "./any-request.ts";
import { type Load, OVERLOADED } from "./load.ts";
import type { Limiter, SharedCounters } from "./shared-counters.ts";

const WINDOW_SECONDS = 60;

type Limit = {
  readonly perMinute: (config: Config) => number;
  /** What is counted, and for whom, as text of the refusal. */
  readonly words: string;
};

const LIMITS = {
  generate: {
    perMinute: (config) => config.rateGeneratePerMinute,
    words: "generate requests a minute for each key",
  },
  api: { perMinute: (config) => config.rateApiPerMinute, words: "requests a minute for each key" },
  catalog: {
    perMinute: (config) => config.rateCatalogPerMinute,
    words: "requests a minute for each address",
  },
  member: { perMinute: (config) => config.rateMemberPerMinute, words: "requests a minute for each key" },
  failedKeys: {
    perMinute: (config) => config.rateFailedKeysPerMinute,
    words: "requests with a bad key a minute for each address",
  },
  signIn: {
    perMinute: (config) => config.rateSignInPerMinute,
    words: "confirmations of a sign-in link a minute for each address",
  },
  reads: {
    perMinute: (config) => config.rateReadsPerMinute,
    words: "page and data requests a minute for each signed-in account",
  },
  export: { perMinute: () => 5, words: "exports a minute for each signed-in account" },
  webhooks: { perMinute: () => 60, words: "webhooks a minute for each address that no provider has sent" },
  verifications: { perMinute: () => 30, words: "files verified a minute for each address" },
  paymentEvents: {
    perMinute: (config) => config.ratePaymentEventsPerMinute,
    words: "events of payment providers a minute for each address",
  },
  account: {
    perMinute: (config) => config.rateAccountPerMinute,
    words: "changes a minute for each signed-in account",
  },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

export type RateDecision = {
  readonly limit: LimitName;
  /** RateLimit-Policy and RateLimit; empty if limits are off. */
  readonly headers: Readonly<Record<string, string>>;
  /** The error rate_limited with its wait, if the request is refused. */
  readonly refusal: AppError | undefined;
};

export type RateLimits = {
  /** Throws service_unavailable during overload. For requests that programs send. */
  admit(): void;
  /** True during overload: the caller must refuse the request, which is counted. */
  mustRefuse(): boolean;
  /** Counts one request of `subject` (the hash of a key, or an addressSubject). */
  count(name: LimitName, subject: string): Promise<RateDecision>;
  /** Reverses the count of one request. For limits that count only failures. */
  release(name: LimitName, subject: string): Promise<void>;
  /** Tells `reply` the limit, then throws the refusal, if there is one, and counts it. */
  enforce(decision: RateDecision, reply?: Pick<AnyReply, "headers">): void;
  /**
   * Takes a permit for an event stream or a wait, counted in this process for this address and this caller. Returns the function that
   * releases the permit. Throws rate_limited. Core, which knows jobs and accounts, limits their open streams and waits.
   */
  open(address: string, caller: Caller | undefined): () => void;
  /** Throws what `open` would throw now, but takes no permit, so that a request that cannot be admitted causes no further work. */
  checkOpen(address: string, caller: Caller | undefined): void;
};

/**
 * Counts in this process, unless `shared` has counters that several processes share. Without `load` the process never counts as overloaded.
 */
export function createRateLimits(
  config: Config,
  metrics: Metrics,
  { shared, load }: { shared?: SharedCounters | undefined; load?: Load } = {},
): RateLimits {
  const refusals = metrics.counter("rate_refusals_total", "Requests refused by a rate limit.", ["limit"]);
  const enforce: RateLimits["enforce"] = ({ limit, refusal, headers }, reply) => {
    reply?.headers(headers);
    if (!refusal) return;
    refusals.inc({ limit });
    throw refusal;
  };
  const overload = refuseOverload(load, () => refusals.inc({ limit: "load" }));
  if (!config.rateLimits) {
    const allow = async (limit: LimitName) => ({ limit, headers: {}, refusal: undefined });
    return {
      ...overload,
      count: allow,
      release: async () => {},
      enforce,
      open: () => () => {},
      checkOpen: () => {},
    };
  }
  const places = createPermits(
    {
      // A key belongs to an account, which core limits. This limit refuses before any call to core.
      caller: { most: config.openPerAccount, words: "event streams and waits open for this account" },
      address: { most: config.openPerAddress, words: "event streams and waits open from this address" },
      process: { most: config.openPerProcess, words: "event streams and waits open here" },
    },
    () => refusals.inc({ limit: "open" }),
  );
  const counters = new Map<LimitName, Counter>();
  for (const [name, { perMinute, words }] of Object.entries(LIMITS) as [LimitName, Limit][]) {
    const quota = perMinute(config);
    const options = { keyPrefix: name, points: quota, duration: WINDOW_SECONDS };
    counters.set(name, {
      name,
      quota,
      words,
      limiter: shared ? shared.limiter(options) : new RateLimiterMemory(options),
      policy: `"${name}";q=${quota};w=${WINDOW_SECONDS}`,
    });
  }
  const counterOf = (name: LimitName): Counter => {
    const counter = counters.get(name);
    if (!counter) throw new Error(`no rate limit is named ${name}`);
    return counter;
  };
  return {
    ...overload,
    count: async (name, subject) => {
      const counter = counterOf(name);
      const { consumedPoints, msBeforeNext } = await counter.limiter.penalty(subject, 1);
      return decide(counter, consumedPoints, msBeforeNext, consumedPoints > counter.quota);
    },
    release: async (name, subject) => {
      await counterOf(name).limiter.reward(subject, 1);
    },
    enforce,
    open: (address, caller) => places.take(openSubjects(address, caller)),
    checkOpen: (address, caller) => places.check(openSubjects(address, caller)),
  };
}

function refuseOverload(load: Load | undefined, count: () => void): Pick<RateLimits, "admit" | "mustRefuse"> {
  const mustRefuse = (): boolean => {
    if (!load?.isFull()) return false;
    count();
    return true;
  };
  return {
    mustRefuse,
    admit: () => {
      if (mustRefuse()) throw OVERLOADED;
    },
  };
}

function openSubjects(address: string, caller: Caller | undefined) {
  return { caller: JSON.stringify(caller ?? null), address: addressSubject(address), process: "" };
}

type Counter = {
  name: LimitName;
  quota: number;
  words: string;
  limiter: Limiter;
  policy: string;
};

function decide(counter: Counter, used: number, msBeforeNext: number, refused: boolean): RateDecision {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  const headers = {
    "ratelimit-policy": counter.policy,
    ratelimit: `"${counter.name}";r=${Math.max(0, counter.quota - used)};t=${seconds}`,
  };
  const limit = counter.name;
  if (!refused) return { limit, headers, refusal: undefined };
  const wait = seconds === 1 ? "1 second" : `${seconds} seconds`;
  const message = `The limit of ${counter.quota} ${counter.words} is used up. Try again in ${wait}.`;
  return { limit, headers, refusal: new AppError("rate_limited", { message, retryAfterSeconds: seconds }) };
}
