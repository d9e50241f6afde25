// Claims jobs in the transaction that accepts them, for the worker of the same process (intake.ts).
import type { LoadedAccount } from "../../identity/accounts/load.ts";
import type { App } from "../../kernel/app.ts";
import { type Claim, notesCalls } from "./local-dispatch.ts";
import { type AcceptStep, changedJob, claimJob } from "./rules.ts";
import type { JobDoc } from "./store.ts";

/** A worker's slots for jobs that can start immediately. */
export type FreeSlots = { readonly worker: string; readonly leaseMs: number; readonly places: number };

export type Starter = {
  /** Claims a job that was just accepted, if its account has a free slot and no older job waits. */
  start(loaded: LoadedAccount, job: JobDoc): AcceptStep | undefined;
  readonly claims: readonly Claim[];
};

export function createStarter(app: App, { worker, leaseMs, places }: FreeSlots, at: Date): Starter {
  const lease = { worker, until: new Date(at.getTime() + leaseMs) };
  const claims: Claim[] = [];
  return {
    claims,
    start: (loaded, job) => {
      const { account } = loaded;
      // It is alone in its queue, and the account has a slot for it.
      if (claims.length >= places || account.waiting > 1 || account.turn === null) return undefined;
      const { account: left, change, entry } = claimJob(loaded, job, lease, at, notesCalls(app, job));
      const started = changedJob(job, change);
      const { created_at: startedAt, hash: debitHash } = entry;
      const { epoch, version } = started;
      claims.push({ job, worker, epoch, version, startedAt, debitHash, lastEventAt: startedAt });
      return { account: left, job: started, entry };
    },
  };
}
