// Writes the events of a running job one by one, and stops when the lease is lost.
import { untilBack } from "../../base/mongo/until-back.ts";
import { later } from "../../identity/credits/rules.ts";
import type { App } from "../../kernel/app.ts";
import type { Claim } from "../jobs/local-dispatch.ts";
import type { EventDoc } from "../jobs/store.ts";
import { LostLease } from "./finalize.ts";
import { appendEvent, eventsAfter } from "./store-leases.ts";

/** A job has at most this many progress events, whatever its provider reports. */
const MAX_PROGRESS_EVENTS = 20;
const MIN_PROGRESS_STEP = 0.05;
const MIN_PROGRESS_GAP_MS = 500;

type LastTold = { readonly fraction: number; readonly atMs: number; readonly count: number };

/** Whether a reported fraction becomes an event. */
export function isWorthTelling(fraction: number, atMs: number, last: LastTold): boolean {
  const far = fraction - last.fraction >= MIN_PROGRESS_STEP && atMs - last.atMs >= MIN_PROGRESS_GAP_MS;
  return far && fraction < 1 && last.count < MAX_PROGRESS_EVENTS;
}

/** Whether a position in the provider's queue becomes an event: the first one does, and then each that halves the distance. */
export function isNearerBy(position: number, last: unknown): boolean {
  return typeof last !== "number" || (position <= last / 2 && position < last);
}

export function progressDetail(fraction: number): { fraction: number } {
  return { fraction: Math.round(fraction * 100) / 100 };
}

export type JobProgress = {
  /** Reports the fraction done; most reports are dropped. */
  report(fraction: number): void;
  /** Adds an event that is never dropped. */
  add(type: "progress" | "retrying", detail: Record<string, unknown>): void;
  /** Resolves once everything so far is written; rejects with LostLease if the worker has lost the job. */
  written(): Promise<void>;
};

export function createProgress(
  app: App,
  claim: Claim,
  { signal, onLost }: { signal: AbortSignal; onLost: (error: LostLease) => void },
): JobProgress {
  const { job } = claim;
  const { db } = app.mongo;
  let version = claim.version;
  let chain: Promise<void> = Promise.resolve();
  let last = { fraction: 0, atMs: app.clock.now().getTime(), count: 0 };

  const add: JobProgress["add"] = (type, detail) => {
    chain = chain.then(() => write(type, detail));
    // written() reports the failure; here it only must not be an unhandled rejection.
    chain.catch((error) => {
      if (error instanceof LostLease) onLost(error);
    });
  };

  async function write(type: EventDoc["type"], detail: Record<string, unknown>): Promise<void> {
    const held = { ...job, epoch: claim.epoch };
    for (let isWritten = false; !isWritten;) {
      const at = later(app.clock.now(), claim.lastEventAt);
      const event: EventDoc = { type, state: "running", at, detail };
      isWritten = await untilBack(() => appendEvent(db, held, version, event), signal);
      const added = isWritten ? [event] : await untilBack(() => eventsAfter(db, held, version), signal);
      // No event was written: another worker has the epoch.
      if (!added?.length) throw new LostLease(job._id);
      // Under this epoch only its worker adds events, and once the job's owner with a cancellation request.
      isWritten ||= added.some((one) => one.type === type);
      version += added.length;
      claim.lastEventAt = added.at(-1)?.at ?? at;
    }
    app.signals.emit("changed", [job._id]);
  }

  return {
    add,
    report: (fraction) => {
      const atMs = app.clock.now().getTime();
      if (!isWorthTelling(fraction, atMs, last)) return;
      last = { fraction, atMs, count: last.count + 1 };
      add("progress", progressDetail(fraction));
    },
    written: () => chain,
  };
}
