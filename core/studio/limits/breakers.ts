// Breakers, shared by all workers: counts here how calls ended, and writes that where it can matter.
import type { App } from "../../kernel/app.ts";
import {
  add,
  type Breaker,
  type CallEnd,
  CLOSED,
  count,
  endProbe,
  enter,
  stepOf,
  type Tally,
  WINDOW_MS,
} from "./breaker-rules.ts";
import type { Knowledge } from "./known.ts";
import { type BreakerDoc, deleteBreaker, findBreaker, saveBreaker } from "./store.ts";
import { untilWritten } from "./until-written.ts";

/** A model of a provider, by the provider's own name for it. */
export type Target = { readonly provider: string; readonly model: string };

export function targetId({ provider, model }: Target): string {
  return `${provider} ${model}`;
}

type Ended = { readonly job: string; readonly end: CallEnd };

type BreakersApp = Pick<App, "mongo" | "clock" | "log" | "metrics">;

export type Breakers = {
  /** Which of these jobs may call now, in this order, and when it is worth asking again for the others. */
  enter(
    target: Target,
    jobs: readonly string[],
  ): Promise<{ admitted: readonly string[]; untilMs: number | undefined }>;
  /** Notes how a call of this job ended. */
  ended(target: Target, job: string, end: CallEnd): Promise<void>;
};

export function createBreakers(app: BreakersApp, knowledge: Knowledge): Breakers {
  const change = createChange(app, knowledge);
  // Counted here until it is written: nothing is, as long as nothing fails.
  const counted = new Map<string, readonly Tally[]>();
  /** Ends that are to be written, of models for which somebody writes already. */
  const writing = new Map<string, { readonly left: Ended[]; readonly done: Promise<void> }>();

  function note(id: string, end: CallEnd, nowMs: number): void {
    if (end === "neutral") return;
    const one = { atMs: stepOf(nowMs), made: end === "made" ? 1 : 0, failed: end === "failed" ? 1 : 0 };
    const kept = (counted.get(id) ?? []).filter(({ atMs }) => nowMs - atMs < WINDOW_MS);
    counted.set(id, add(kept, [one]));
  }

  /** Writes all that has ended until now, together: where much ends at a time each by itself would get into the others' way. */
  async function writeEnded(target: Target, ended: readonly Ended[]): Promise<void> {
    const id = targetId(target);
    const tallies = counted.get(id) ?? [];
    counted.delete(id);
    const nowMs = app.clock.now().getTime();
    await change(target, (before) =>
      ended.reduce(
        (breaker, { job, end }) => endProbe(breaker, job, end, nowMs),
        count(before, tallies, nowMs),
      ),
    );
  }

  async function writeAll(target: Target, left: Ended[]): Promise<void> {
    try {
      while (left.length > 0) await writeEnded(target, left.splice(0));
    } finally {
      writing.delete(targetId(target));
    }
  }

  return {
    enter: async (target, jobs) => {
      const nowMs = app.clock.now().getTime();
      let entered = enterAll(CLOSED, jobs, nowMs);
      await change(target, (before) => {
        entered = enterAll(before, jobs, nowMs);
        return entered.breaker;
      });
      return entered;
    },

    ended: async (target, job, end) => {
      const id = targetId(target);
      note(id, end, app.clock.now().getTime());
      if (end !== "failed" && !(await knowledge.now()).breakers.has(id)) return;
      const current = writing.get(id);
      if (current) current.left.push({ job, end });
      else {
        const left: Ended[] = [{ job, end }];
        writing.set(id, { left, done: writeAll(target, left) });
      }
      await writing.get(id)?.done;
    },
  };
}

/** One after the other, in this order. */
function enterAll(
  before: Breaker,
  jobs: readonly string[],
  nowMs: number,
): { breaker: Breaker; admitted: readonly string[]; untilMs: number | undefined } {
  const admitted: string[] = [];
  let breaker = before;
  let untilMs: number | undefined;
  for (const job of jobs) {
    const entry = enter(breaker, job, nowMs);
    if (entry.may) {
      ({ breaker } = entry);
      admitted.push(job);
    } else ({ untilMs } = entry);
  }
  return { breaker, admitted, untilMs };
}

/** Writes what follows from what is stored, and tells of each change of a state once. */
function createChange(
  { mongo: { db }, clock, log, metrics }: BreakersApp,
  knowledge: Knowledge,
): (target: Target, next: (breaker: Breaker) => Breaker) => Promise<void> {
  const changes = metrics.counter(
    "provider_breaker_changes_total",
    "Changes of breakers that this worker made, by the state that followed.",
    ["provider", "model", "state"],
  );

  function tell(target: Target, { state, openings, untilMs }: Breaker): void {
    changes.inc({ ...target, state });
    if (state === "open") {
      const until = new Date(untilMs ?? 0).toISOString();
      log.warn({ ...target, openings, until }, "a provider's model fails and is not called for a while");
    }
    if (state === "half_open") log.info(target, "it is tried whether a provider's model works again");
    if (state === "closed") log.info(target, "a provider's model works again");
  }

  async function write(stored: BreakerDoc | null, doc: BreakerDoc): Promise<boolean> {
    if (!isClean(doc)) return saveBreaker(db, stored, doc);
    return stored === null || deleteBreaker(db, stored);
  }

  return async (target, next) => {
    const id = targetId(target);
    await untilWritten(`the breaker of ${id}`, async () => {
      const stored = await findBreaker(db, id);
      const before = stored ?? CLOSED;
      const after = next(before);
      if (after === before) return true;
      const since = stored && stored.state === after.state ? stored.since : clock.now();
      const doc: BreakerDoc = { ...after, _id: id, ...target, revision: (stored?.revision ?? 0) + 1, since };
      if (!(await write(stored, doc))) return undefined;
      knowledge.forget();
      if (before.state !== after.state) tell(target, after);
      return true;
    });
  };
}

function isClean({ state, tallies }: Breaker): boolean {
  return state === "closed" && tallies.length === 0;
}
