// Who may call a provider, and when: the check before each call that a job makes. If the provider has no limit, the check sends no command
// of its own to the database.
import { createRecent } from "../../base/mongo/recent.ts";
import type { App } from "../../kernel/app.ts";
import { type CallEnd, createCircuitBreakers, type Target } from "./circuit-breakers.ts";
import { createProviderPermits, hasLimit, type Jobs } from "./permits.ts";
import { findProviders, type ProviderDoc } from "./store.ts";

/** How old the settings of providers may be, so that a job of a provider without limits needs no query. */
const MAX_AGE_MS = 1_000;

/**
 * Why a job has to wait. While it waits for a permit or for the end of a pause, its time does not run; while its provider fails, it does.
 */
export type NoPermit = "room" | "paused" | "failing";

export type Permission =
  | { readonly may: true }
  /** `untilMs` is when it is worth asking again, if that is known. */
  | { readonly may: false; readonly why: NoPermit; readonly untilMs: number | undefined };

/** A job that waits for a model of a provider. */
export type Waiting = { readonly job: string; readonly model: string };

export type Limiters = {
  /** Whether the job may call now. If so, it must call: the call counts as begun. */
  enter(target: Target, job: string): Promise<Permission>;
  /** Records the outcome of the call. Never rejects. */
  ended(target: Target, job: string, end: CallEnd): Promise<void>;
  /** Records that the job will not call this provider any more. Returns whether that freed a permit for another job. Never rejects. */
  leave(provider: string, job: string): Promise<boolean>;
  /** Models of a provider that this worker may not call at the moment; all of them if it is paused. */
  closedModels(provider: string): Promise<"all" | readonly string[]>;
  /** Which of these waiting jobs may call now, in order. A permit is reserved for each. */
  pick(provider: string, waiting: readonly Waiting[]): Promise<readonly string[]>;
};

export function createLimiters(app: Pick<App, "mongo" | "clock" | "log" | "metrics">, jobs: Jobs): Limiters {
  const providers = createRecent(() => findProviders(app.mongo.db), MAX_AGE_MS);
  const circuitBreakers = createCircuitBreakers(app);
  const places = createProviderPermits(app, jobs);
  const calls = app.metrics.counter(
    "provider_calls_total",
    "Calls of providers that have ended, by what they say about the provider: it made something, it failed, or nothing.",
    ["provider", "end"],
  );

  async function settingsOf(provider: string): Promise<ProviderDoc | undefined> {
    return (await providers()).find(({ _id }) => _id === provider);
  }

  async function leave(provider: string, job: string): Promise<boolean> {
    try {
      return hasLimit(await settingsOf(provider)) && (await places.leave(provider, job));
    } catch (error) {
      app.log.warn(
        { err: error, provider },
        "a permit could not be released; it is free once its job has ended",
      );
      return false;
    }
  }

  return {
    enter: async (target, job) => {
      const { provider } = target;
      const settings = await settingsOf(provider);
      if (settings?.paused) return { may: false, why: "paused", untilMs: undefined };
      const entered = circuitBreakers.enter(target, job);
      if (!entered.may) return { ...entered, why: "failing" };
      if (!hasLimit(settings)) return entered;
      const permit = await places.begin(provider, job);
      if (permit.may) return entered;
      // If it was a probe of an open circuit, another job may be one.
      await circuitBreakers.ended(target, job, "neutral");
      return { may: false, why: "room", untilMs: permit.nextAtMs };
    },

    ended: async (target, job, end) => {
      calls.inc({ provider: target.provider, end });
      await circuitBreakers.ended(target, job, end);
    },

    leave,

    closedModels: async (provider) =>
      (await settingsOf(provider))?.paused ? "all" : circuitBreakers.closedModels(provider),

    pick: async (provider, waiting) => {
      const settings = await settingsOf(provider);
      if (settings?.paused) return [];
      const callable = [...Map.groupBy(waiting, ({ model }) => model)].flatMap(([model, those]) =>
        those.slice(0, circuitBreakers.free({ provider, model })),
      );
      const free = waiting.flatMap((one) => (callable.includes(one) ? [one.job] : []));
      if (free.length === 0 || !hasLimit(settings)) return free;
      return (await places.setAside(provider, free)).admitted;
    },
  };
}
