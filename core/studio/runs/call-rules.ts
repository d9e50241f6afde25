// When a suspended job is polled, and how it is suspended and resumed. This file is pure.
import type { HeldLease } from "../jobs/rules.ts";
import { queueError } from "../jobs/rules.ts";
import type { JobChange } from "../jobs/store-changes.ts";
import type { CallDoc, JobDoc, JobErrorDoc, SuspendedDoc } from "../jobs/store.ts";
import { PROVIDER_AWAY, timeoutOf, WAITED_TOO_LONG } from "./failures.ts";

/** How often a worker looks for due suspended jobs that no signal announced. */
export const POLL_EVERY_MS = 500;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
const WAIT_GROWTH = 1.5;
/** A provider is not polled more often than this, whatever it hints. */
const MIN_HINT_MS = 100;

/** When a job must stop running, counted from its first claim. The time does not run while the job waits for a permit. */
export function runDeadline(
  job: Pick<JobDoc, "started_at" | "created_at" | "run_timeout_ms" | "waited_ms">,
): Date {
  const {
    started_at: startedAt,
    created_at: createdAt,
    run_timeout_ms: timeoutMs,
    waited_ms: waitedMs = 0,
  } = job;
  return new Date((startedAt ?? createdAt).getTime() + timeoutMs + waitedMs);
}

/** How long a suspended job's time has not run since it was suspended. */
export function suspendedMs({ waits, waited_ms: waitedMs = 0 }: SuspendedDoc, now: Date): number {
  if (!waits || waits.why === "failing") return waitedMs;
  return waitedMs + Math.max(0, now.getTime() - waits.since.getTime());
}

/** The error of a job whose time has run out while it is suspended without a call; undefined before that. */
export function lateError(job: JobDoc, row: SuspendedDoc, now: Date): JobErrorDoc | undefined {
  const isOver = job.queue_deadline !== null && now >= job.queue_deadline;
  const mayExpire = row.waits && (row.waits.why !== "failing" || job.expires_in !== undefined);
  if (isOver && mayExpire) return queueError(job, WAITED_TOO_LONG);
  if (now < new Date(runDeadline(job).getTime() + suspendedMs(row, now))) return undefined;
  return row.waits?.why === "failing" ? PROVIDER_AWAY : timeoutOf(job);
}

/**
 * When to poll again: as the provider hints, or else after a wait that grows from a second to half a minute, plus or minus a quarter, but
 * at the deadline at the latest. `random` is 0..1.
 */
export function nextLook(
  { lastWaitMs, hintMs }: { lastWaitMs: number; hintMs: number | undefined },
  { now, deadline, random }: { now: Date; deadline: Date; random: number },
): { pollAt: Date; waitMs: number } {
  const grown = lastWaitMs === 0 ? FIRST_WAIT_MS : Math.min(MAX_WAIT_MS, lastWaitMs * WAIT_GROWTH);
  const waitMs = Math.round(
    hintMs === undefined ? grown * (0.75 + random / 2) : Math.max(MIN_HINT_MS, hintMs),
  );
  const untilDeadlineMs = deadline.getTime() - now.getTime();
  const pollMs = untilDeadlineMs > 0 ? Math.min(waitMs, untilDeadlineMs) : waitMs;
  // A hint does not affect how the other waits grow.
  return { pollAt: new Date(now.getTime() + pollMs), waitMs: hintMs === undefined ? grown : lastWaitMs };
}

/** Gives up the worker's lease of a running job that waits for its provider. It writes no event and moves no credits. */
export function suspendedJob(job: JobDoc, lease: HeldLease, call: CallDoc | null | undefined): JobChange {
  const { epoch, worker } = lease;
  return {
    job,
    guard: { epoch, worker },
    set: { lease: null, ...(call !== undefined && { call }) },
    events: [],
  };
}

/** Gives a suspended job to a worker, under a new epoch. This handles everything that its provider has reported so far. */
export function resumedJob(job: JobDoc, lease: { worker: string; until: Date }, waitedMs: number): JobChange {
  const { epoch, version, call } = job;
  const { told_at, ...rest } = call ?? { told_at: undefined };
  return {
    job,
    guard: { epoch, version },
    set: {
      epoch: epoch + 1,
      lease,
      ...(told_at && { call: rest as CallDoc }),
      ...(waitedMs !== (job.waited_ms ?? 0) && { waited_ms: waitedMs }),
    },
    events: [],
  };
}
