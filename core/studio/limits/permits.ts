// Permits of providers with a limit, shared by all workers. None can leak: it is free once its call or its job has ended, even if its
// worker is lost.
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../../kernel/app.ts";
import { type Admission, admit, type Limits, withoutEnded } from "./permit-rules.ts";
import { findProvider, type ProviderDoc, removePlace, saveUsage } from "./store.ts";

/** If this many permits are in use, ended jobs are searched for, even if there is no limit of calls. */
const MANY_PLACES = 500;
const MAX_TRIES = 50;
const PAUSE_MS = 4;

/** Facts that only the slice of jobs knows. */
export type Jobs = {
  /** Which of these jobs still run. */
  findRunning(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether jobs wait for a permit of this provider. */
  anyWaiting(provider: string): Promise<boolean>;
};

export type ProviderPermits = {
  /** Lets the job call now, unless there is no permit for it or others have waited longer. */
  begin(provider: string, job: string): Promise<{ may: boolean; nextAtMs: number | undefined }>;
  /** Reserves permits for waiting jobs, in this order, as far as there is capacity. */
  setAside(provider: string, jobs: readonly string[]): Promise<Admission>;
  /** Returns the job's permit. Returns whether it had one. */
  leave(provider: string, job: string): Promise<boolean>;
};

type Asking = {
  readonly job: string;
  readonly resolve: (answer: { may: boolean; nextAtMs: number | undefined }) => void;
  readonly reject: (error: unknown) => void;
};

export function createProviderPermits(app: Pick<App, "mongo" | "clock">, jobs: Jobs): ProviderPermits {
  const { db } = app.mongo;
  // Requests of this process at the same time are answered together, so that they do not conflict with each other.
  const asking = new Map<string, Asking[]>();

  async function decide(provider: string, wanted: readonly string[], begin: boolean): Promise<Admission> {
    return untilWritten(`provider ${provider}`, async () => {
      const stored = await findProvider(db, provider);
      // The limits were removed a moment ago.
      if (!stored) return admitAll(wanted);
      const usage = await withoutThoseThatEnded(stored, jobs);
      const isHeld = (job: string) => usage.places.some((permit) => permit.job === job);
      const mayGo = begin && (await jobs.anyWaiting(provider)) ? wanted.filter(isHeld) : wanted;
      const request = { jobs: mayGo, begin, nowMs: app.clock.now().getTime() };
      const admission = admit(limitsOf(stored), usage, request);
      if (admission.admitted.length === 0 && usage.places.length === stored.places.length) return admission;
      return (await saveUsage(db, stored, admission.usage)) ? admission : undefined;
    });
  }

  async function drain(provider: string, line: Asking[]): Promise<void> {
    while (line.length > 0) {
      const batch = line.splice(0);
      try {
        const { admitted, nextAtMs } = await decide(
          provider,
          batch.map(({ job }) => job),
          true,
        );
        for (const { job, resolve } of batch) resolve({ may: admitted.includes(job), nextAtMs });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    asking.delete(provider);
  }

  return {
    begin: (provider, job) =>
      new Promise((resolve, reject) => {
        const line = asking.get(provider);
        const one = { job, resolve, reject };
        if (line) line.push(one);
        else {
          const begun = [one];
          asking.set(provider, begun);
          void drain(provider, begun);
        }
      }),
    setAside: (provider, wanted) => decide(provider, wanted, false),
    leave: (provider, job) => removePlace(db, provider, job),
  };
}

export function limitsOf({ max_calls, max_calls_per_minute }: Partial<ProviderDoc>): Limits {
  return { maxCalls: max_calls, maxPerMinute: max_calls_per_minute };
}

export function hasLimit(provider: ProviderDoc | undefined): provider is ProviderDoc {
  return provider?.max_calls !== undefined || provider?.max_calls_per_minute !== undefined;
}

function admitAll(admitted: readonly string[]): Admission {
  return { admitted, usage: { places: [], starts: [] }, nextAtMs: undefined };
}

/** A lost worker has freed no permit. This is checked only if it matters. */
async function withoutThoseThatEnded(
  { places, starts, max_calls }: ProviderDoc,
  { findRunning }: Jobs,
): Promise<Pick<ProviderDoc, "places" | "starts">> {
  if (places.length < Math.min(max_calls ?? MANY_PLACES, MANY_PLACES)) return { places, starts };
  const running = await findRunning(places.map(({ job }) => job));
  const { places: left } = withoutEnded({ places, starts }, (job) => running.has(job));
  return { places: left, starts };
}

/** Repeats `tryOnce` until it returns something; undefined means that another process was faster. */
async function untilWritten<T>(what: string, tryOnce: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const done = await tryOnce();
    if (done !== undefined) return done;
    await sleep(Math.random() * PAUSE_MS * tries);
  }
  throw new Error(`${what} lost every write to another process`);
}
