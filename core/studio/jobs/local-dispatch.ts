// How accepting hands jobs straight to a worker of the same process: accepted and claimed in one transaction, so that a job that
// could start at once does not wait for a second one. Everything else waits in its account's queue for a claim.
import type { App } from "../../kernel/app.ts";
import type { JobDoc } from "./store.ts";

/** A job as its worker holds it: every later write names worker and epoch. */
export type Claim = {
  /** The job as it was before the claim. */
  readonly job: JobDoc;
  readonly worker: string;
  readonly epoch: number;
  /** Number of events after the claim. */
  readonly version: number;
  readonly startedAt: Date;
  /** The hash of the ledger entry that paid for the job; absent where another claim was the one that took the credits. */
  readonly debitHash?: string;
  /** The time of the job's newest event; it moves on with the events that the run adds. */
  lastEventAt: Date;
};

/** A worker that takes jobs at once. */
export type LocalDispatch = {
  /** The worker's name in leases. */
  readonly worker: string;
  readonly leaseMs: number;
  /** Sets places aside for at most `wanted` jobs. Answers 0 while other jobs wait for this worker, because it is their turn. */
  take(wanted: number): number;
  /** To be called after every take: starts what was claimed, and gives the other places back. */
  start(taken: number, claims: readonly Claim[]): void;
};

/** Where the worker of a process, if it has one, makes itself known. */
type LocalDispatchSlot = { worker: LocalDispatch | undefined };

/** An App with the worker of its process, for jobs that can start at once. */
export type JobsApp = App & { readonly localDispatch: LocalDispatchSlot };

/** Whether each call of the job is written down before it is made, because its provider gives handles. */
export function notesCalls(app: App, { provider }: Pick<JobDoc, "provider">): boolean {
  return app.providers.get(provider)?.poll !== undefined;
}
