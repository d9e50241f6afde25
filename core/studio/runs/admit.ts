// Jobs that wait until their provider may be called. The longest-waiting jobs are admitted first, and only admitted jobs are woken.
import type { App } from "../../kernel/app.ts";
import type { JobDoc } from "../jobs/store.ts";
import { createLimiters, type Limiters } from "../limits/limiters.ts";
import { routesOf } from "./route-rules.ts";
import {
  anyWaitingForPermit,
  countFailing,
  countWaiters,
  findAwaited,
  findRunningIds,
  findWaiters,
  wakeWaiters,
} from "./store-waits.ts";

/** The number of jobs that are checked for one provider at a time. */
const MAX_WAITERS = 200;

/** The limiters of this process's providers. */
export function openLimiters(app: App): Limiters {
  const { db } = app.mongo;
  return createLimiters(app, {
    findRunning: async (ids) => new Set(await findRunningIds(db, ids)),
    anyWaiting: (provider) => anyWaitingForPermit(db, provider),
  });
}

/** Admits jobs that may call by now, at every provider that jobs wait for. */
export async function admitWaiting(app: App, limiters: Limiters): Promise<void> {
  for (const provider of await findAwaited(app.mongo.db)) await admitAt(app, limiters, provider);
}

/** Records that the job makes no calls any more, and admits the next job for its permit. Never rejects. */
export async function leaveProviders(
  app: App,
  limiters: Limiters,
  job: Pick<JobDoc, "_id" | "provider" | "provider_model" | "provider_options" | "fallbacks">,
): Promise<void> {
  for (const provider of new Set(routesOf(job).map((route) => route.provider))) {
    if (!(await limiters.leave(provider, job._id))) continue;
    await admitAt(app, limiters, provider).catch((error: unknown) => {
      app.log.warn({ err: error, provider }, "waiting jobs could not be let through; they are in a moment");
    });
  }
}

/** How many jobs wait until they may call, by provider. */
export async function countWaiting({ mongo }: Pick<App, "mongo">): Promise<ReadonlyMap<string, number>> {
  return new Map((await countWaiters(mongo.db)).map(({ provider, jobs }) => [provider, jobs]));
}

/** For how many models of providers jobs wait because calls of them fail. */
export async function countFailingModels({ mongo }: Pick<App, "mongo">): Promise<number> {
  return countFailing(mongo.db);
}

async function admitAt(app: App, limiters: Limiters, provider: string): Promise<void> {
  const closed = await limiters.closedModels(provider);
  if (closed === "all") return;
  const waiting = await findWaiters(app.mongo.db, provider, {
    except: closed,
    limit: MAX_WAITERS,
    now: app.clock.now(),
  });
  if (waiting.length === 0) return;
  const admitted = await limiters.pick(provider, waiting);
  if (admitted.length === 0) return;
  await wakeWaiters(app.mongo.db, admitted, app.clock.now());
  app.signals.emit("callable");
}
