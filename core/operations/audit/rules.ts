// The invariants of an account, its ledger and its jobs, checked only against stored data. This file is pure.
import { createHash } from "node:crypto";
import { hashLedgerEntry } from "../../../proto/resources/credits.ts";
import { GENESIS_HASH } from "../../../proto/resources/ledger-chain.js";
import type { MailboxDoc } from "../../identity/accounts/store-mailboxes.ts";
import type { AccountDoc, CountedOn, KeyDoc, Trial } from "../../identity/accounts/store.ts";
import { sealEntry, toLedgerEntry } from "../../identity/credits/rules.ts";
import type { LedgerDoc } from "../../identity/credits/store.ts";
import type { CostDoc } from "../../studio/costs/store.ts";
import { isEnded, toJobEvents } from "../../studio/jobs/rules.ts";
import type { IdempotencyDoc, JobDoc, JobState } from "../../studio/jobs/store.ts";
import type { DeliveryDoc } from "../../studio/webhooks/store.ts";

const TRIAL_MS = 14 * 24 * 3_600_000;

/** The ledger so far, recounted from its entries. */
type Recount = { seq: number; hash: string; balance: number; held: number };

export const EMPTY_RECOUNT: Recount = { seq: 0, hash: GENESIS_HASH, balance: 0, held: 0 };

/** Checks the next entry, and updates the recount. */
export function checkEntry(before: Recount, entry: LedgerDoc): { after: Recount; wrong: string[] } {
  const after = {
    seq: before.seq + 1,
    hash: entry.hash,
    balance: before.balance + entry.amount,
    held: before.held + entry.hold,
  };
  const wrong: string[] = [];
  const where = `ledger entry ${entry._id} (seq ${entry.seq})`;
  if (entry.seq !== after.seq) wrong.push(`${where}: seq ${after.seq} was expected`);
  if (entry.prev_hash !== before.hash) wrong.push(`${where}: prev_hash is not the hash of the entry before`);
  if (!hashFits(entry)) wrong.push(`${where}: hash does not fit its content`);
  if (entry.balance_after !== after.balance || entry.held_after !== after.held) {
    wrong.push(
      `${where}: says balance ${entry.balance_after}, held ${entry.held_after}; recounted ${after.balance}, ${after.held}`,
    );
  }
  if (after.held < 0 || after.balance - after.held < 0)
    wrong.push(`${where}: leaves fewer than 0 credits available or held`);
  return { after: { ...after, seq: entry.seq }, wrong };
}

/** Whether the hash of an entry is right. If text was removed with a deleted account, the seal must be right instead. */
export function hashFits(entry: LedgerDoc): boolean {
  const content = toLedgerEntry(entry);
  return entry.memo_seal === undefined
    ? entry.hash === hashLedgerEntry(content)
    : entry.memo === null && entry.memo_seal === sealEntry(content);
}

/** The kinds of entries that a job has in each state. A job without result was either debited and refunded, or released. */
const EXPECTED: Record<JobState, readonly string[]> = {
  reserved: ["reserve"],
  running: ["debit,reserve"],
  completed: ["debit,reserve"],
  failed: ["debit,refund,reserve", "release,reserve"],
  cancelled: ["debit,refund,reserve", "release,reserve"],
};

/** A completed job also has a refund if an operator returned its price, or if it delivered less than requested. No job has both. */
function expectedOf({ state, refunded_at, charged }: JobDoc): readonly string[] {
  if (!refunded_at && charged === undefined) return EXPECTED[state];
  return state === "completed" && !(refunded_at && charged !== undefined) ? ["debit,refund,reserve"] : [];
}

/** The cost of a completed job: its price, or the delivered share of it, rounded down. */
function chargeOf({ credits, delivered }: JobDoc): number {
  if (!delivered || delivered.got >= delivered.asked) return credits;
  const [asked, got] = [delivered.asked, delivered.got].map((amount) => BigInt(Math.round(amount * 1000)));
  return asked ? Number((BigInt(credits) * (got ?? 0n)) / asked) : credits;
}

function wrongDelivery(where: string, job: JobDoc): string[] {
  const { state, delivered, charged, events, credits } = job;
  const wrong: string[] = [];
  if (state !== "completed")
    return delivered || charged !== undefined ? [`${where}: says what it delivered`] : [];
  if (charged !== undefined && !(charged >= 0 && charged < credits))
    wrong.push(`${where}: was charged ${charged} of ${credits} credits in place of its price`);
  if ((charged ?? credits) !== chargeOf(job))
    wrong.push(
      `${where}: delivered ${delivered?.got ?? "all"} of ${delivered?.asked ?? "all"} for ${credits} credits, and was charged ${charged ?? credits}, not ${chargeOf(job)}`,
    );
  // Texts of events about files are removed with the account.
  const files = events.findLast(({ type }) => type === "completed")?.detail?.["outputs"];
  if (delivered?.unit === "output" && Array.isArray(files) && delivered.got !== files.length)
    wrong.push(`${where}: says it delivered ${delivered.got} files, and has ${files.length}`);
  return wrong;
}

/** The findings about a job: missing or extra entries, another price, a gap in its events, no worker to continue it. */
export function checkJob(job: JobDoc, entries: readonly LedgerDoc[], isSuspended = false): string[] {
  const wrong: string[] = [];
  const where = `job ${job._id} (${job.state})`;
  const kinds = entries
    .map(({ kind }) => kind)
    .sort()
    .join(",");
  if (!expectedOf(job).includes(kinds)) wrong.push(`${where}: has the ledger entries ${kinds || "none"}`);
  wrong.push(...wrongDelivery(where, job));
  for (const { _id, kind, amount, hold } of entries) {
    const expected = kind === "refund" ? job.credits - (job.charged ?? 0) : job.credits;
    if (Math.max(Math.abs(amount), Math.abs(hold)) !== expected)
      wrong.push(`${where}: ledger entry ${_id} moves other than its ${kind} of ${expected} credits`);
  }
  const known = new Set(entries.map(({ _id }) => _id));
  for (const { seq, ledger_entry_id: entryId } of toJobEvents(job)) {
    if (entryId && !known.delete(entryId))
      wrong.push(`${where}: event ${seq} names the ledger entry ${entryId}, which is not there`);
  }
  if (job.version !== job.events.length)
    wrong.push(`${where}: version ${job.version} with ${job.events.length} events`);
  if (job.events.at(-1)?.state !== job.state)
    wrong.push(`${where}: its last event says ${job.events.at(-1)?.state ?? "nothing"}`);
  if (job.state === "running" && job.lease === null && !isSuspended)
    wrong.push(
      `${where}: holds a slot without a lease and is not suspended, so that no worker takes it over`,
    );
  if (isSuspended && (job.state !== "running" || job.lease !== null))
    wrong.push(`${where}: is suspended though ${job.lease ? "a worker has it" : "it does not run"}`);
  for (const id of known) wrong.push(`${where}: no event names its ledger entry ${id}`);
  return wrong;
}

/** The findings between a job and the delivery that announces its end. */
export function checkAnnouncement(job: JobDoc, delivery: DeliveryDoc | undefined): string[] {
  const where = `job ${job._id} (${job.state})`;
  const wanted = job.callback_url !== null && isEnded(job.state);
  if (!delivery) return wanted ? [`${where}: its end has no delivery to its callback_url`] : [];
  const named = `${where}: the delivery ${delivery._id}`;
  if (!wanted) return [`${named} announces what it should not`];
  const wrong: string[] = [];
  if (delivery.account_id !== job.account_id || delivery.job_id !== job._id)
    wrong.push(`${named} names account ${delivery.account_id} and job ${delivery.job_id}`);
  if (delivery.event !== `job.${job.state}`) wrong.push(`${named} says ${delivery.event}`);
  if ((delivery.next_attempt_at === null) !== (delivery.status !== "pending"))
    wrong.push(
      `${named} is ${delivery.status} and ${delivery.next_attempt_at ? "has an attempt due" : "has no attempt due"}`,
    );
  return wrong;
}

/** The findings about an Idempotency-Key. `owner` is the account of the job that it names, `earlier` another key of that job. */
export function checkKey(
  accountId: string,
  key: IdempotencyDoc,
  { owner, earlier }: { owner: string | undefined; earlier: string | undefined },
): string[] {
  const wrong: string[] = [];
  const where = `Idempotency-Key ${JSON.stringify(key._id.slice(accountId.length + 1))}`;
  if (key.account_id !== accountId) wrong.push(`${where}: is stored for account ${key.account_id}`);
  if (owner === undefined) wrong.push(`${where}: its job ${key.job_id} is not there`);
  else if (owner !== accountId) wrong.push(`${where}: its job ${key.job_id} is of account ${owner}`);
  if (earlier !== undefined)
    wrong.push(`${where}: the key ${JSON.stringify(earlier)} names the job ${key.job_id} too`);
  return wrong;
}

/**
 * The findings about an account's place in the queue. If it is not queued while a job waits and a slot is free, its jobs wait forever. A
 * queued account without a free slot is fine: a smaller plan leads to that, and the next claim corrects it.
 */
export function checkTurn(account: AccountDoc, slots: number): string[] {
  const { turn, waiting, running, status, served_at: served } = account;
  if (turn === null) {
    return status === "active" && waiting > 0 && running < slots
      ? [`account: is not in line, with ${waiting} jobs waiting and ${running} of ${slots} slots used`]
      : [];
  }
  if (status !== "active") return [`account: is in line though it is ${status}`];
  if (waiting === 0) return ["account: is in line with nothing waiting"];
  return turn === served ? [] : [`account: its place in line is ${turn}, and it was served at ${served}`];
}

/** A trial lasts two weeks, and its mailbox is recorded, so that there is no second one. */
export function checkTrial(
  { status }: Pick<AccountDoc, "status">,
  { started_at, until }: Trial,
  mailbox: Pick<MailboxDoc, "trial"> | null,
): string[] {
  const wrong: string[] = [];
  if (until.getTime() - started_at.getTime() !== TRIAL_MS)
    wrong.push(`trial: lasts from ${started_at.toISOString()} to ${until.toISOString()}`);
  if (status !== "deleted" && mailbox?.trial?.at.getTime() !== started_at.getTime())
    wrong.push("trial: no mailbox knows of it, so that it could be started again");
  return wrong;
}

/** Counts of an account's live jobs. */
export type LiveCount = { waiting: number; running: number; held: number };

/** The findings between an account and the recount of its ledger and jobs. */
export function checkAccount(account: AccountDoc, ledger: Recount, live: LiveCount): string[] {
  const pairs: [string, number | string, number | string][] = [
    ["balance", account.balance, ledger.balance],
    ["held", account.held, ledger.held],
    ["ledger_seq", account.ledger_seq, ledger.seq],
    ["ledger_hash", account.ledger_hash, ledger.hash],
    ["held (against waiting jobs and holds)", account.held, live.held],
    ["waiting", account.waiting, live.waiting],
    ["running", account.running, live.running],
  ];
  return pairs
    .filter(([, stored, counted]) => stored !== counted)
    .map(([name, stored, counted]) => `account: ${name} is stored as ${stored}, recounted as ${counted}`);
}

/** SHA-256 of these bytes, one after the other. */
export function sha(...parts: readonly Buffer[]): Buffer {
  return createHash("sha256").update(Buffer.concat(parts)).digest();
}

/** The findings about a cost of this account. `owner` is the account of its job; undefined if the job is archived or missing. */
export function checkCost(
  accountId: string,
  cost: CostDoc,
  { owner, mayBeArchived }: { owner: string | undefined; mayBeArchived: boolean },
): string[] {
  const { _id, job_id: jobId, micros, currency, basis, outcome, outputs } = cost;
  const where = `cost ${_id}`;
  const wrong: string[] = [];
  if (owner === undefined && !mayBeArchived) wrong.push(`${where}: its job ${jobId} is not there`);
  else if (owner !== undefined && owner !== accountId)
    wrong.push(`${where}: its job ${jobId} is of account ${owner}`);
  if (!_id.startsWith(`cst_${jobId.slice("job_".length)}_`))
    wrong.push(`${where}: is named after another job than ${jobId}`);
  if (micros !== undefined && !(Number.isSafeInteger(micros) && micros >= 0))
    wrong.push(`${where}: costs ${micros} millionths`);
  if ((micros === undefined) !== (currency === undefined) || (micros === undefined) !== (basis === undefined))
    wrong.push(
      `${where}: says ${micros ?? "no sum"} of ${currency ?? "no currency"}, by ${basis ?? "no one"}`,
    );
  if (outcome === "made" ? outputs < 1 : outputs !== 0)
    wrong.push(`${where}: is ${outcome} with ${outputs} outputs`);
  if (outcome === "failed" && basis === "rate" && micros !== 0)
    wrong.push(`${where}: a call that failed costs ${micros} millionths by the operator's rates`);
  return wrong;
}

type Counts = { month: number; day: number; week: number; total: number };

export class KeysRecount {
  readonly #keys: ReadonlyMap<string, KeyDoc>;
  readonly #counts = new Map<string, Counts>();
  /** A key that replaces another begins with its spending. */
  readonly #successors: ReadonlySet<string | undefined>;

  constructor(keys: readonly KeyDoc[]) {
    this.#keys = new Map(keys.map((key) => [key._id, key]));
    this.#successors = new Set(keys.map(({ replaced_by: next }) => next));
  }

  /** Adds the credits that a job or hold costs by its entries, in the periods that its key still counts. */
  add(counted: Omit<CountedOn, "credits"> | undefined, entries: readonly LedgerDoc[]): void {
    const key = counted && this.#keys.get(counted.key);
    if (!key) return;
    const { spent, spent_in } = key;
    const credits = entries.reduce((sum, { kind, amount, hold }) => sum + costOf(kind, amount, hold), 0);
    const counts = this.#counts.get(key._id) ?? { month: 0, day: 0, week: 0, total: 0 };
    if (counted.month === spent?.month) counts.month += credits;
    if (counted.day !== undefined) {
      if (counted.day === spent_in?.day.name) counts.day += credits;
      if (counted.week === spent_in?.week.name) counts.week += credits;
      counts.total += credits;
    }
    this.#counts.set(key._id, counts);
  }

  /** The findings after all jobs and holds were added. */
  check(): string[] {
    return [...this.#keys.values()].flatMap(({ _id, key_id, spent, spent_in }) => {
      if (this.#successors.has(key_id)) return [];
      const { month = 0, day = 0, week = 0, total = 0 } = this.#counts.get(_id) ?? {};
      const stored = [
        [`in the month ${spent?.month}`, spent?.credits, month],
        [`on the day ${spent_in?.day.name}`, spent_in?.day.credits, day],
        [`in the week of ${spent_in?.week.name}`, spent_in?.week.credits, week],
        ["in total", spent_in?.total, total],
      ] as const;
      return stored.flatMap(([when, has, is]) =>
        has === undefined || has === is
          ? []
          : [`key ${key_id}: counts ${has} credits ${when}, and its jobs and holds cost ${is}`],
      );
    });
  }
}

function costOf(kind: LedgerDoc["kind"], amount: number, hold: number): number {
  if (kind === "reserve" || kind === "release") return hold;
  return kind === "refund" ? -amount : 0;
}
