// The part of a document that is work of a queue, and when failed work is tried again. Pure.

/** Documents carry it as `work`. A document without one has nothing to be done. */
export type Work = {
  /** When a worker may take it; while one has it, the end of the lease, so that a crash makes it due again. Null: nothing is to be done. */
  due_at: Date | null;
  /** The fencing token: new with each taking, null while no worker has the work. A write under another token is refused. */
  owner: string | null;
  /** Attempts that have ended since the work was queued. */
  attempts: number;
};

/** The classes of its fields in a document that outlives its account. */
export const WORK_FIELDS = { within: { due_at: "counted", owner: "counted", attempts: "counted" } } as const;

export const NO_WORK: Work = { due_at: null, owner: null, attempts: 0 };

export function isQueued({ work }: { readonly work?: Work }): boolean {
  return work !== undefined && work.due_at !== null;
}

/** Work that is due from then on. A worker that has the document at this moment loses it. */
export function workDue(at: Date): Work {
  return { due_at: at, owner: null, attempts: 0 };
}

export type Schedule = {
  /** The waits after attempts that failed, the first attempt's first. Each is counted from the end of its attempt. */
  readonly waitsMs: readonly number[];
  /** The wait after every further attempt. Absent where the work is then given up. */
  readonly thenMs?: number;
  /** Each wait is made longer by up to this part of it, so that a server that comes back is not met by all at the same time. */
  readonly jitter?: number;
};

/** When attempt `number` (from 1) that failed at `endedAt` is followed by another; null: it was the last. `random` is in 0..1. */
export function retryAt(
  { waitsMs, thenMs, jitter = 0 }: Schedule,
  number: number,
  { endedAt, random = 0 }: { endedAt: Date; random?: number },
): Date | null {
  const waitMs = waitsMs[number - 1] ?? thenMs;
  return waitMs === undefined
    ? null
    : new Date(endedAt.getTime() + Math.round(waitMs * (1 + jitter * random)));
}
