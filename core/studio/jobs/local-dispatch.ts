// Hands jobs directly to a worker of the same process: accepted and claimed in one transaction, so that a job that could start immediately
// does not wait for a second one. Everything else waits in its account's queue for a claim.
import type { App } from "../../kernel/app.ts";
import type { JobDoc } from "./store.ts";

/** A job as its worker holds it: every later write names worker and epoch. */
export type Claim = {
  /** The job as it was before the claim. */
  readonly job: JobDoc;
  readonly worker: string;
  readonly epoch: number;
  /** The number of events after the claim. */
  readonly version: number;
  readonly startedAt: Date;
  /** The hash of the ledger entry that paid for the job; absent if another claim took the credits. */
  readonly debitHash?: string;
  /** The time of the job's newest event; it moves on with the events that the run adds. */
  lastEventAt: Date;
};

/** A worker that takes jobs immediately. */
export type LocalDispatch = {
  /** The worker's name in leases. */
  readonly worker: string;
  readonly leaseMs: number;
  /** Reserves slots for at most `wanted` jobs. Returns 0 while other jobs wait for this worker, which come first. */
  take(wanted: number): number;
  /** Call this after every reservation: starts the claimed jobs, and releases the other slots. */
  start(taken: number, claims: readonly Claim[]): void;
};

/** Where the worker of a process, if it has one, registers itself. */
type LocalDispatchSlot = { worker: LocalDispatch | undefined };

/** An App with the worker of its process, for jobs that can start immediately. */
export type JobsApp = App & { readonly localDispatch: LocalDispatchSlot };

/** Whether each call of the job is recorded before it is made, because its provider returns handles. */
export function notesCalls(app: App, { provider }: Pick<JobDoc, "provider">): boolean {
  return app.providers.get(provider)?.poll !== undefined;
}

/** Tells the watchers of this process that these jobs have changed. */
export function tellChanged(
  app: Pick<App, "signals">,
  changed: readonly { readonly job: Pick<JobDoc, "_id"> }[],
): void {
  if (changed.length > 0)
    app.signals.emit(
      "changed",
      changed.map(({ job }) => job._id),
    );
}
