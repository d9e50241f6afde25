// Recounts accounts from their ledger entries and jobs, each in a snapshot, while the service is running.
import type { Db } from "../../base/mongo/client.ts";
import { isSnapshotGone } from "../../base/mongo/errors.ts";
import { inSnapshot, type SnapshotContext } from "../../base/mongo/in-tx.ts";
import { inParts } from "../../base/mongo/read-some.ts";
import { findCountedKeys } from "../../identity/accounts/store-keys.ts";
import { findTrialMailbox } from "../../identity/accounts/store-mailboxes.ts";
import { type AccountDoc, findAccounts, findAccountsAfter } from "../../identity/accounts/store.ts";
import { findEntriesOf, type LedgerDoc, streamEntries } from "../../identity/credits/store.ts";
import type { App } from "../../kernel/app.ts";
import { checkCodeUses } from "../../shop/orders/code-rules.ts";
import { findCodes, findCodeUses } from "../../shop/orders/store-codes.ts";
import { streamCostsOfAccount } from "../../studio/costs/store.ts";
import { findSuspended } from "../../studio/jobs/store-calls.ts";
import { findOwners, streamIdempotencyKeys, streamJobs } from "../../studio/jobs/store-reads.ts";
import { messageId } from "../../studio/webhooks/delivery-id.ts";
import { type DeliveryDoc, findAnnouncements } from "../../studio/webhooks/store.ts";
import type { ArchivedWorkflow } from "../../studio/workflows/archive-rules.ts";
import { streamWorkflows, type WorkflowDoc } from "../../studio/workflows/store.ts";
import { type ArchiveAudit, type Books, openArchiveAudit } from "./audit-archive.ts";
import { HoldsAudit } from "./audit-holds.ts";
import { auditLogs, LoggedHeadsAudit } from "./audit-log.ts";
import { auditCheckouts, auditOrders, auditReceipts } from "./audit-orders.ts";
import { auditSolvency, LeafAudit, openNewestLeaves } from "./audit-solvency.ts";
import { addBook, addCounterpart, type Book, checkBook, toLines } from "./book.ts";
import { checkGrants, checkShares, countGrants, type GrantCounts } from "./grant-rules.ts";
import { isEntryOfOrder, type Purchases } from "./order-rules.ts";
import { checkPath } from "./path-rules.ts";
import {
  checkAccount,
  checkAnnouncement,
  checkCost,
  checkEntry,
  checkJob,
  checkKey,
  checkTrial,
  checkTurn,
  EMPTY_RECOUNT,
  KeysRecount,
  type LiveCount,
} from "./rules.ts";
import { findPresence, type Kind } from "./store-presence.ts";
import { checkWorkflow, checkWorkflowAnnouncement, type StepJob, toStepJob } from "./workflow-rules.ts";

export type AuditReport = {
  accounts: number;
  entries: number;
  jobs: number;
  /** The credits of all owners and of the house, which add up to 0. Complete in the last report, and only there. */
  book: { name: string; credits: number }[];
  findings: { account_id: string; what: string }[];
  done: boolean;
};

/** Without `payments` the provider is not asked for open checkouts. */
export type AuditApp = Pick<App, "mongo" | "plans" | "objects"> &
  Partial<Pick<App, "payments">> &
  Pick<Books, "checksPaths">;

type Audited = { account_id: string; entries: number; jobs: number; book: Book; wrong: string[] };

const ACCOUNTS_PER_BATCH = 100;
/** No account is started in an older snapshot: the embedded database keeps one for a minute. */
const ONE_MOMENT_MS = 5_000;
const OF_PURCHASES = ["orders", "payments", "licences", "subscriptions"] as const;
const JOBS_PER_BATCH = 500;
const NOT_THERE = "account: is not there";
const NOT_ONE_SNAPSHOT =
  "account: was not checked, because reading it takes longer than the database keeps its history; raise minSnapshotHistoryWindowInSeconds and audit it again";
/** The maximum number of findings per account; more add nothing new. */
const MAX_FINDINGS = 100;

/** Audits one account or all. Reports progress with counts and new findings; the last report is `done`. */
export async function* auditAccounts(app: AuditApp, accountId?: string): AsyncGenerator<AuditReport> {
  const total = { accounts: 0, entries: 0, jobs: 0 };
  const book = new Map<string, number>();
  let isExplained = false;
  for await (const audited of accountId === undefined ? auditAll(app) : [await auditSome(app, [accountId])]) {
    total.accounts += audited.length;
    for (const one of audited) {
      total.entries += one.entries;
      total.jobs += one.jobs;
      addBook(book, one.book);
    }
    const findings = audited.flatMap(({ account_id, wrong }) =>
      wrong.slice(0, MAX_FINDINGS).map((what) => ({ account_id, what })),
    );
    isExplained ||= findings.length > 0;
    if (accountId === undefined || findings.length > 0) yield { ...total, book: [], findings, done: false };
  }
  const wrong = accountId === undefined ? await auditWhole(app) : [];
  if (!isExplained) wrong.push(...checkBook(book));
  const findings = wrong.map((what) => ({ account_id: "", what }));
  yield { ...total, book: toLines(book), findings, done: true };
}

/** Findings that belong to no account. */
async function auditWhole({ mongo, payments }: AuditApp): Promise<string[]> {
  const receipts = await inSnapshot(mongo, auditReceipts);
  const codes = await inSnapshot(mongo, async (db, snapshot) =>
    checkCodeUses(await findCodes(db, snapshot), await findCodeUses(db, snapshot)),
  );
  const checkouts = payments?.current ? await auditCheckouts(mongo.db, payments.current) : [];
  return [
    ...receipts,
    ...codes,
    ...checkouts,
    ...(await auditLogs(mongo.db)),
    ...(await auditSolvency(mongo.db)),
  ];
}

/** The ids are read again for each part, because the server closes a cursor that is idle for ten minutes. */
async function* auditAll(app: AuditApp): AsyncGenerator<Audited[]> {
  for (let after: string | undefined = ""; after !== undefined;) {
    const next = await findAccountsAfter(app.mongo.db, after, ACCOUNTS_PER_BATCH);
    const ids = next.map(({ _id }) => _id);
    const audited: Audited[] = ids.length > 0 ? await auditSome(app, ids) : [];
    if (audited.length > 0) yield audited;
    after = audited.at(-1)?.account_id;
  }
}

/** Audits the first accounts until their snapshot is too old or lost. An account whose snapshot is lost twice is named. */
async function auditSome(app: AuditApp, accountIds: readonly string[]): Promise<Audited[]> {
  const [first = ""] = accountIds;
  // Twice, because a snapshot may be lost for other reasons, such as a new index.
  for (const tried of [accountIds, [first]]) {
    const audited = await inSnapshot(app.mongo, (db, snapshot) =>
      auditOneSnapshot(app, tried, db, snapshot),
    ).catch(noneIfGone);
    if (audited.length > 0) return audited;
  }
  return [unread(first, NOT_ONE_SNAPSHOT)];
}

async function auditOneSnapshot(
  app: AuditApp,
  accountIds: readonly string[],
  db: Db,
  snapshot: SnapshotContext,
): Promise<Audited[]> {
  const goesOnUntil = performance.now() + ONE_MOMENT_MS;
  const { checksPaths } = app;
  const accounts = await findAccounts(db, accountIds, snapshot);
  const presence = await findPresence(db, accountIds, snapshot);
  const leaves = await openNewestLeaves(db, snapshot);
  const audited: Audited[] = [];
  for (const account_id of accountIds) {
    const account = accounts.get(account_id);
    const has = (kind: Kind) => presence(kind, account_id);
    try {
      if (!account) {
        audited.push(unread(account_id, NOT_THERE));
        continue;
      }
      const keys = has("api_keys") ? await findCountedKeys(db, account_id, snapshot) : [];
      const spending = new KeysRecount(keys);
      const books = { db, account, snapshot, has, checksPaths, leaves, spending };
      audited.push(await auditAccount(app, books));
    } catch (error) {
      if (audited.length > 0 && isSnapshotGone(error)) break;
      throw error;
    }
    if (performance.now() > goesOnUntil) break;
  }
  return audited;
}

function unread(account_id: string, why: string): Audited {
  return { account_id, entries: 0, jobs: 0, book: new Map(), wrong: [why] };
}

function noneIfGone(error: unknown): [] {
  if (isSnapshotGone(error)) return [];
  throw error;
}

async function auditAccount(app: AuditApp, books: Books): Promise<Audited> {
  const { db, account, snapshot, has, spending } = books;
  const { _id: accountId } = account;
  const wrong: string[] = [];
  let ledger = EMPTY_RECOUNT;
  let entries = 0;
  let entriesOfJobs = 0;
  const entriesOfOrders: Purchases["entries"][number][] = [];
  const grants: GrantCounts = new Map();
  const holds = new HoldsAudit(books, wrong);
  const logged = new LoggedHeadsAudit(books, wrong);
  const leaf = await LeafAudit.open(books, wrong);
  const book = new Map([["accounts", account.balance]]);
  const archive = await openArchiveAudit(app, books, wrong);
  for await (const entry of wholeLedger(archive, streamEntries(db, accountId, snapshot))) {
    if ("lost" in entry) {
      // Already reported; the following entries are checked against its record.
      ledger = entry.lost.cut ?? ledger;
      continue;
    }
    const checked = checkEntry(ledger, entry);
    ledger = checked.after;
    wrong.push(...checked.wrong, ...countGrants(grants, entry));
    entries += 1;
    if (entry.job_id !== null) entriesOfJobs += 1;
    if (isEntryOfOrder(entry._id)) entriesOfOrders.push(entry);
    await holds.add(entry);
    await logged.add(entry);
    leaf?.add(entry);
    addCounterpart(book, entry);
    if (entry.memo_seal !== undefined && account.status !== "deleted")
      wrong.push(`ledger entry ${entry._id}: is sealed as if its account were deleted`);
  }
  await logged.end();
  leaf?.end();
  const archivedJobs = await archive.jobs();
  const jobs = has("jobs") ? await auditJobs(books, { wrong, archived: archive.ofLiveJobs }) : NO_JOBS;
  const steps = new Map([...archive.steps, ...jobs.steps]);
  if (has("workflows") || has("archive_segments") || steps.size > 0)
    await auditWorkflows(db, account, snapshot, { wrong, steps, archived: archive.workflows() });
  if (has("idempotency_keys")) await auditKeys(db, accountId, snapshot, wrong);
  if (has("provider_costs")) await auditCosts(books, wrong);
  if (OF_PURCHASES.some(has) || entriesOfOrders.length > 0)
    wrong.push(...(await auditOrders(db, account, entriesOfOrders, snapshot)));
  // The credits of its own plan: the end of a trial writes nothing.
  const slots = (await app.plans()).get(account.plan)?.concurrency ?? 0;
  wrong.push(...checkTurn(account, slots));
  if (account.trial)
    wrong.push(...checkTrial(account, account.trial, await findTrialMailbox(db, accountId, snapshot)));
  const entriesFound = jobs.entries + archivedJobs.entries;
  if (entriesFound !== entriesOfJobs) {
    wrong.push(
      `ledger: ${entriesOfJobs} entries name jobs, and the jobs that are there have ${entriesFound}`,
    );
  }
  const { held, heldOf } = await holds.end();
  wrong.push(
    ...checkAccount(account, ledger, { ...jobs.live, held: jobs.live.held + held }),
    ...checkGrants(account, grants, addUp(jobs.heldOf, heldOf)),
    ...spending.check(),
  );
  return { account_id: accountId, entries, jobs: jobs.count + archivedJobs.count, book, wrong };
}

function addUp(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): Map<string, number> {
  const sums = new Map(one);
  for (const [name, amount] of other) sums.set(name, (sums.get(name) ?? 0) + amount);
  return sums;
}

async function* wholeLedger(archive: ArchiveAudit, live: AsyncIterable<LedgerDoc>) {
  yield* archive.entries();
  yield* live;
}

type JobsAudit = {
  readonly count: number;
  readonly entries: number;
  readonly live: LiveCount;
  readonly heldOf: ReadonlyMap<string, number>;
  /** For workflows. */
  readonly steps: ReadonlyMap<string, StepJob>;
};

const NO_JOBS: JobsAudit = {
  count: 0,
  entries: 0,
  live: { waiting: 0, running: 0, held: 0 },
  heldOf: new Map(),
  steps: new Map(),
};

/** Checks jobs in parts together with their entries, so that memory does not grow with the account. */
async function auditJobs(
  { db, account: { _id: accountId, status }, snapshot, checksPaths, spending }: Books,
  { wrong, archived }: { wrong: string[]; archived: ArchiveAudit["ofLiveJobs"] },
): Promise<JobsAudit> {
  const live = { waiting: 0, running: 0, held: 0 };
  const steps = new Map<string, StepJob>();
  const heldOf = new Map<string, number>();
  let count = 0;
  let entries = 0;
  for await (const part of inParts(streamJobs(db, accountId, snapshot), JOBS_PER_BATCH)) {
    const ids = part.map(({ _id }) => _id);
    const found = [
      ...ids.flatMap((id) => archived.get(id) ?? []),
      ...(await findEntriesOf(db, accountId, ids, snapshot)),
    ];
    const announcements = await findAnnouncements(db, ids, snapshot);
    const suspended = await findSuspended(db, ids, snapshot);
    const byJob = Map.groupBy(found, ({ job_id }) => job_id);
    for (const job of part) {
      if (job.workflow_id !== undefined) steps.set(job._id, toStepJob(job));
      if (job.state === "reserved") {
        // A step that waits for others has no place in the queue.
        if (job.queue_deadline !== null) live.waiting += 1;
        live.held += job.credits;
        for (const { grant_id, amount } of job.held_from ?? [])
          heldOf.set(grant_id, (heldOf.get(grant_id) ?? 0) + amount);
      }
      if (job.state === "running") live.running += 1;
      const own = byJob.get(job._id) ?? [];
      wrong.push(...checkJob(job, own, suspended.has(job._id)), ...checkShares(job, own));
      if (checksPaths) wrong.push(...checkPath(job, own));
      spending.add(job.counted_on, own);
      // Deliveries of a deleted account are removed one by one, and nothing is announced in between.
      if (status !== "deleted") wrong.push(...checkAnnouncement(job, announcements.get(job._id)));
    }
    count += part.length;
    entries += found.length;
  }
  return { count, entries, live, heldOf, steps };
}

type WorkflowsAudit = {
  readonly wrong: string[];
  readonly steps: ReadonlyMap<string, StepJob>;
  readonly archived: AsyncIterable<ArchivedWorkflow>;
};

/** Checks workflows in parts. Each step is in one workflow, and a job that names a workflow is one of its steps. */
async function auditWorkflows(
  db: Db,
  { _id: accountId, status }: AccountDoc,
  snapshot: SnapshotContext,
  { wrong, steps, archived }: WorkflowsAudit,
): Promise<void> {
  const left = new Map(steps);
  const check = (workflow: WorkflowDoc, announcement: DeliveryDoc | undefined) => {
    wrong.push(...checkWorkflow(workflow, steps));
    if (status !== "deleted") wrong.push(...checkWorkflowAnnouncement(workflow, announcement));
    for (const { job_id } of workflow.steps)
      if (!left.delete(job_id) && steps.has(job_id))
        wrong.push(`workflow ${workflow._id} (${workflow.state}): its job ${job_id} is a step elsewhere too`);
  };
  for await (const { deliveries, ...workflow } of archived)
    check(
      workflow,
      deliveries.find(({ _id }) => _id === messageId(workflow._id)),
    );
  for await (const part of inParts(streamWorkflows(db, accountId, snapshot), JOBS_PER_BATCH)) {
    const ids = part.map(({ _id }) => _id);
    const announcements = await findAnnouncements(db, ids, snapshot);
    for (const workflow of part) check(workflow, announcements.get(workflow._id));
  }
  for (const { _id, workflow_id } of left.values())
    wrong.push(`job ${_id}: names the workflow ${workflow_id}, of which it is no step`);
}

/** Each cost belongs to a job of the same account. */
async function auditCosts({ db, account, snapshot, has }: Books, wrong: string[]): Promise<void> {
  const { _id: accountId } = account;
  for await (const part of inParts(streamCostsOfAccount(db, { accountId }, snapshot), JOBS_PER_BATCH)) {
    const owners = await findOwners(
      db,
      part.map(({ job_id }) => job_id),
      snapshot,
    );
    for (const cost of part) {
      const job = { owner: owners.get(cost.job_id), mayBeArchived: has("archive_segments") };
      wrong.push(...checkCost(accountId, cost, job));
    }
  }
}

/** Each key names a job of the same account, and no job has two keys. */
async function auditKeys(
  db: Db,
  accountId: string,
  snapshot: SnapshotContext,
  wrong: string[],
): Promise<void> {
  const keyOfJob = new Map<string, string>();
  for await (const part of inParts(streamIdempotencyKeys(db, accountId, snapshot), JOBS_PER_BATCH)) {
    const owners = await findOwners(
      db,
      part.map(({ job_id }) => job_id),
      snapshot,
    );
    for (const key of part) {
      const earlier = keyOfJob.get(key.job_id);
      wrong.push(...checkKey(accountId, key, { owner: owners.get(key.job_id), earlier }));
      keyOfJob.set(key.job_id, key._id.slice(accountId.length + 1));
    }
  }
}
