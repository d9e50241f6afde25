// What one transaction on jobs writes: accounts, jobs, ledger entries and callback rows, each in one bulk.
import { type LoadedAccount, saveAccounts } from "../accounts/load.ts";
import type { App } from "../app.ts";
import { queueDeliveries } from "../callbacks/queue.ts";
import { insertLedgerEntries } from "../credits/insert.ts";
import type { LedgerDoc } from "../credits/store.ts";
import type { ClientSession } from "../mongo/client.ts";
import { isEnded, type Step } from "./rules.ts";
import { insertJobs, type JobChange, type JobDoc, updateJobs } from "./store.ts";

export class JobWrites {
  readonly #accounts = new Set<LoadedAccount>();
  readonly #entries: LedgerDoc[] = [];
  readonly #inserts: JobDoc[] = [];
  readonly #changes: JobChange[] = [];

  /** A new job with its first ledger entry. */
  insert(loaded: LoadedAccount, job: JobDoc, entry: LedgerDoc): void {
    this.#accounts.add(loaded);
    this.#inserts.push(job);
    this.#entries.push(entry);
  }

  /** A step of an existing job. */
  add(loaded: LoadedAccount, { change, entry }: Step): void {
    this.#accounts.add(loaded);
    this.#changes.push(change);
    if (entry) this.#entries.push(entry);
  }

  /** Writes everything. A job that ended and has a callback address gets its delivery row in the same transaction. */
  async commit(app: App, session: ClientSession): Promise<void> {
    await saveAccounts(
      app,
      this.#accounts,
      new Set(this.#entries.map(({ account_id }) => account_id)),
      session,
    );
    await insertJobs(app.mongo.db, this.#inserts, session);
    await updateJobs(app.mongo.db, this.#changes, session);
    await insertLedgerEntries(app, this.#entries, session);
    await queueDeliveries(app, session, this.#ended());
  }

  #ended(): {
    accountId: string;
    jobId: string;
    url: string;
    event: "job.completed" | "job.failed" | "job.cancelled";
    at: Date;
  }[] {
    return this.#changes.flatMap(({ job, set }) => {
      const { callback_url: url, account_id: accountId, _id: jobId } = job;
      const { state, ended_at: at } = set;
      if (!url || !state || !at || !isEnded(state) || state === "reserved" || state === "running") return [];
      return [{ accountId, jobId, url, event: `job.${state}` as const, at }];
    });
  }
}
