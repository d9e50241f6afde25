// Who may call a provider, and when: the check before each call that a job makes. It costs nothing for a provider that has no limit, is not
// paused and has not failed lately.
import type { App } from "../../kernel/app.ts";
import { type CallEnd, wouldLetThrough } from "./breaker-rules.ts";
import { type Breakers, createBreakers, type Target, targetId } from "./breakers.ts";
import { createKnowledge, type Known } from "./known.ts";
import { createPlaces, hasLimit, type Jobs } from "./places.ts";

/**
 * Why a job has to wait. While it waits for a place or for the end of a pause, its time to run stands still; while its provider fails, the
 * time goes on.
 */
export type Closed = "room" | "paused" | "failing";

export type Passage =
  | { readonly may: true }
  /** `untilMs` is when it is worth asking again, if that is known. */
  | { readonly may: false; readonly why: Closed; readonly untilMs: number | undefined };

/** A job that waits for a model of a provider. */
export type Waiting = { readonly job: string; readonly model: string };

export type Gates = {
  /** Whether the job may call now. If so, it must call: the call counts as begun. */
  enter(target: Target, job: string): Promise<Passage>;
  /** Notes how the call ended. Never rejects: what could not be written is found out another way. */
  ended(target: Target, job: string, end: CallEnd): Promise<void>;
  /** Notes that the job will not call this provider any more. Answers whether that made room for another job. Never rejects. */
  leave(provider: string, job: string): Promise<boolean>;
  /** Models of a provider that nobody may call at the moment; all of them where it is paused. */
  closedModels(provider: string): Promise<"all" | readonly string[]>;
  /** Which of these waiting jobs may call now, in order. What each needs for its call is set aside. */
  pick(provider: string, waiting: readonly Waiting[]): Promise<readonly string[]>;
};

export function createGates(app: Pick<App, "mongo" | "clock" | "log" | "metrics">, jobs: Jobs): Gates {
  const knowledge = createKnowledge(app);
  const breakers = createBreakers(app, knowledge);
  const places = createPlaces(app, jobs);
  const nowMs = () => app.clock.now().getTime();
  const calls = app.metrics.counter(
    "provider_calls_total",
    "Calls of providers that have ended, by what they say about the provider: it made something, it failed, or nothing.",
    ["provider", "end"],
  );

  async function limitedBy(provider: string): Promise<boolean> {
    return hasLimit((await knowledge.now()).providers.get(provider));
  }

  async function leave(provider: string, job: string): Promise<boolean> {
    try {
      return (await limitedBy(provider)) && (await places.leave(provider, job));
    } catch (error) {
      app.log.warn(
        { err: error, provider },
        "a place could not be given back; it is free once its job has ended",
      );
      return false;
    }
  }

  return {
    enter: async (target, job) => {
      const { provider } = target;
      const known = await knowledge.now();
      const settings = known.providers.get(provider);
      if (settings?.paused) return { may: false, why: "paused", untilMs: undefined };
      const breaker = known.breakers.get(targetId(target));
      const mayTry = !breaker || wouldLetThrough(breaker, nowMs()) > 0 || isProbe(breaker, job);
      if (!mayTry) return { may: false, why: "failing", untilMs: breaker.untilMs ?? undefined };
      if (hasLimit(settings)) {
        const place = await places.begin(provider, job);
        if (!place.may) return { may: false, why: "room", untilMs: place.nextAtMs };
      }
      if (!breaker || breaker.state === "closed") return { may: true };
      const { admitted, untilMs } = await breakers.enter(target, [job]);
      if (admitted.length > 0) return { may: true };
      await leave(provider, job);
      return { may: false, why: "failing", untilMs };
    },

    ended: async (target, job, end) => {
      calls.inc({ provider: target.provider, end });
      await breakers.ended(target, job, end).catch((error: unknown) => {
        app.log.warn({ err: error, ...target }, "what came of a call could not be counted");
      });
    },

    leave,

    closedModels: async (provider) => {
      const known = await knowledge.now();
      if (known.providers.get(provider)?.paused) return "all";
      return [...known.breakers.values()].flatMap((breaker) =>
        breaker.provider === provider && wouldLetThrough(breaker, nowMs()) === 0 ? [breaker.model] : [],
      );
    },

    pick: async (provider, waiting) => {
      const known = await knowledge.now();
      if (known.providers.get(provider)?.paused) return [];
      const closed = await keptOut(breakers, known, provider, waiting);
      const free = waiting.flatMap(({ job }) => (closed.has(job) ? [] : [job]));
      if (free.length === 0 || !(await limitedBy(provider))) return free;
      return (await places.setAside(provider, free)).admitted;
    },
  };
}

/** Those that breakers keep from calling; the others have been entered there, as far as that matters. */
async function keptOut(
  breakers: Breakers,
  known: Known,
  provider: string,
  waiting: readonly Waiting[],
): Promise<ReadonlySet<string>> {
  const closed = new Set<string>();
  for (const [model, those] of Map.groupBy(waiting, (one) => one.model)) {
    const target = { provider, model };
    const breaker = known.breakers.get(targetId(target));
    if (!breaker || breaker.state === "closed") continue;
    const ids = those.map(({ job }) => job);
    const { admitted } = await breakers.enter(target, ids);
    for (const job of ids) if (!admitted.includes(job)) closed.add(job);
  }
  return closed;
}

function isProbe({ probes }: { probes: readonly { job: string }[] }, job: string): boolean {
  return probes.some((probe) => probe.job === job);
}
