// The writes of one transaction on jobs: accounts, jobs, ledger entries, small files and delivery rows, each in one bulk.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { SpendingWrites } from "../../identity/accounts/caps.ts";
import type { LoadedAccount } from "../../identity/accounts/load.ts";
import { accountsIn, noteAccount } from "../../identity/accounts/store-in-tx.ts";
import { saveAccountNumbers, saveFreedSlots } from "../../identity/accounts/store-numbers.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import { tellLowCredits } from "../../identity/credits/low.ts";
import { expireDue } from "../../identity/credits/rules.ts";
import { insertEntries, type LedgerDoc } from "../../identity/credits/store.ts";
import type { App } from "../../kernel/app.ts";
import { recordEvents } from "../../kernel/events/record.ts";
import { insertFiles, type StoredFile } from "../../kernel/outputs/store.ts";
import { keepCosts } from "../costs/costs.ts";
import type { CostDoc } from "../costs/store.ts";
import { queueDeliveries } from "../webhooks/queue.ts";
import { requestCancel } from "./cancel-rules.ts";
import { insertNewKeys } from "./earlier.ts";
import { isEnded, type JobStep } from "./rules.ts";
import { wakeSuspended } from "./store-calls.ts";
import { insertJobs, type JobChange, updateJobs } from "./store-changes.ts";
import type { IdempotencyDoc, JobDoc } from "./store.ts";

/** Entries that return a job's credits. */
const RETURNS_CREDITS: ReadonlySet<LedgerDoc["kind"]> = new Set(["release", "refund"]);

export class JobWrites {
  readonly #accounts = new Map<string, AccountDoc>();
  readonly #freed = new Map<string, number>();
  readonly #entries: LedgerDoc[] = [];
  readonly #inserts: JobDoc[] = [];
  readonly #keys: IdempotencyDoc[] = [];
  readonly #changes: JobChange[] = [];
  readonly #files: StoredFile[] = [];
  readonly #costs: CostDoc[] = [];
  readonly #woken: string[] = [];
  /** The spending of keys with limits, to which each new job adds. */
  readonly spending: SpendingWrites;
  readonly #tx: TxContext;

  constructor(tx: TxContext) {
    this.#tx = tx;
    this.spending = new SpendingWrites(tx);
  }

  get now(): Date {
    return this.#tx.now;
  }

  /** The account as this transaction has changed it, without credits that have expired. */
  current<Loaded extends LoadedAccount>(loaded: Loaded): Loaded {
    const account = accountsIn(this.#tx).get(loaded.account._id) ?? loaded.account;
    const expired = expireDue(account, this.#tx.now);
    if (!expired) return account === loaded.account ? loaded : { ...loaded, account };
    this.account(expired.head);
    this.#entries.push(...expired.entries);
    return { ...loaded, account: expired.head };
  }

  /** Adds a new job with its first ledger entries, and its account after them. */
  insert(account: AccountDoc, job: JobDoc, entries: readonly LedgerDoc[]): void {
    this.account(account);
    this.#inserts.push(job);
    this.#entries.push(...entries);
  }

  /** Adds the Idempotency-Key that a new job was made under. */
  remember(key: IdempotencyDoc): void {
    this.#keys.push(key);
  }

  /** Adds a step of an existing job that moves credits. */
  step({ account, change, entry }: JobStep): void {
    this.account(account);
    this.#entries.push(entry);
    this.change(change);
    const { counted_on: countedOn } = change.job;
    const credits = entry.amount || -entry.hold;
    if (countedOn && RETURNS_CREDITS.has(entry.kind)) this.spending.refund({ ...countedOn, credits });
  }

  /** Adds a change of a job. */
  change(change: JobChange): void {
    this.#changes.push(change);
  }

  /** Records the cancellation request for a running job. A suspended one is polled immediately. */
  requestCancel(job: JobDoc): JobChange {
    const change = requestCancel(job, this.#tx.now);
    this.change(change);
    if (job.lease === null) this.#woken.push(job._id);
    return change;
  }

  /** Adds the small files of a job, and the slot that its end frees. */
  end(job: Pick<JobDoc, "account_id">, files: readonly StoredFile[]): void {
    this.#freed.set(job.account_id, (this.#freed.get(job.account_id) ?? 0) + 1);
    this.#files.push(...files);
  }

  /** Adds the operator's costs of provider calls. */
  costs(docs: readonly CostDoc[]): void {
    this.#costs.push(...docs);
  }

  /** Adds an account whose numbers have changed. */
  account(account: AccountDoc): void {
    noteAccount(this.#tx, account);
    this.#accounts.set(account._id, account);
  }

  /**
   * Writes everything. A job that ended and has a callback_url gets its delivery row in the same transaction. Returns how many accounts got
   * in line through freed slots.
   */
  async commit(app: App): Promise<number> {
    const { db } = app.mongo;
    const tx = this.#tx;
    await saveAccountNumbers(db, await tellLowCredits(app, [...this.#accounts.values()], tx), tx);
    await this.spending.commit(app);
    const inLine = await saveFreedSlots(db, this.#freed, tx);
    await insertJobs(db, this.#inserts, tx);
    await insertNewKeys(app, this.#keys, tx);
    await updateJobs(db, this.#changes, tx);
    if (this.#woken.length > 0) await wakeSuspended(db, this.#woken, this.#tx.now, tx);
    await insertEntries(db, this.#entries, tx);
    await insertFiles(db, this.#files, tx);
    await keepCosts(app, this.#costs, tx);
    const ended = this.#ended();
    await queueDeliveries(
      app,
      tx,
      ended.flatMap(({ job, ...end }) =>
        job.callback_url ? [{ ...end, jobId: job._id, url: job.callback_url, trace: job.trace }] : [],
      ),
    );
    const isTold = ({ job }: { job: JobChange["job"] }) =>
      job.events_on ?? this.#accounts.get(job.account_id)?.events_on;
    await recordEvents(
      app,
      tx,
      ended.filter(isTold).map(({ job: { _id: job_id, workflow_id }, accountId, event }) => {
        return { accountId, event, data: { job_id, ...(workflow_id !== undefined && { workflow_id }) } };
      }),
    );
    return inLine;
  }

  #ended() {
    return this.#changes.flatMap(({ job, set }) => {
      const { state, ended_at: at } = set;
      if (!state || !at || !isEnded(state)) return [];
      return [{ job, accountId: job.account_id, event: `job.${state}` as const, at }];
    });
  }
}
