// Recounts accounts from their ledger entries and jobs, each at one moment in time, while the service goes on.
import { streamAccountIds } from "../accounts/store.ts";
import { findAccounts } from "../accounts/store.ts";
import type { App } from "../app.ts";
import { streamEntries, streamJobEntries } from "../credits/store.ts";
import type { LedgerDoc } from "../credits/store.ts";
import { streamJobs } from "../jobs/store.ts";
import type { ClientSession } from "../mongo/client.ts";
import { inSnapshot } from "../mongo/in-tx.ts";
import { checkAccount, checkEntry, checkJob, EMPTY_RECOUNT, type LiveCount } from "./rules.ts";

export type AuditReport = {
  accounts: number;
  entries: number;
  jobs: number;
  findings: { account_id: string; what: string }[];
  done: boolean;
};

const REPORT_EVERY_ACCOUNTS = 100;
/** Findings of one account; more say nothing new. */
const MAX_FINDINGS = 100;

/** One account, or all. Reports on the way, counts so far and new findings; the last report is `done`. */
export async function* auditAccounts(app: App, accountId?: string): AsyncGenerator<AuditReport> {
  const total = { accounts: 0, entries: 0, jobs: 0 };
  let findings: AuditReport["findings"] = [];
  for await (const id of accountId ? [accountId] : streamAccountIds(app.mongo.db)) {
    const one = await inSnapshot(app.mongo, (session) => auditAccount(app, id, session));
    total.accounts += 1;
    total.entries += one.entries;
    total.jobs += one.jobs;
    findings.push(...one.wrong.slice(0, MAX_FINDINGS).map((what) => ({ account_id: id, what })));
    if (findings.length > 0 || total.accounts % REPORT_EVERY_ACCOUNTS === 0) {
      yield { ...total, findings, done: false };
      findings = [];
    }
  }
  yield { ...total, findings, done: true };
}

async function auditAccount(
  app: App,
  accountId: string,
  session: ClientSession,
): Promise<{ entries: number; jobs: number; wrong: string[] }> {
  const { db } = app.mongo;
  const account = (await findAccounts(db, [accountId], session)).get(accountId);
  if (!account) return { entries: 0, jobs: 0, wrong: ["account: is not there"] };
  const wrong: string[] = [];
  let ledger = EMPTY_RECOUNT;
  let entries = 0;
  for await (const entry of streamEntries(db, accountId, session)) {
    const checked = checkEntry(ledger, entry);
    ledger = checked.after;
    wrong.push(...checked.wrong);
    entries += 1;
  }
  const jobs = await auditJobs(app, accountId, session, wrong);
  wrong.push(...checkAccount(account, ledger, jobs.live));
  return { entries, jobs: jobs.count, wrong };
}

/** Walks jobs and their entries side by side, both ordered by job id, so that memory does not grow with the account. */
async function auditJobs(
  app: App,
  accountId: string,
  session: ClientSession,
  wrong: string[],
): Promise<{ count: number; live: LiveCount }> {
  const { db } = app.mongo;
  const live = { waiting: 0, running: 0, held: 0 };
  const groups = groupByJob(streamJobEntries(db, accountId, session));
  let group = await groups.next();
  let count = 0;
  for await (const job of streamJobs(db, accountId, session)) {
    count += 1;
    if (job.state === "reserved") {
      live.waiting += 1;
      live.held += job.credits;
    } else if (job.state === "running") live.running += 1;
    while (!group.done && group.value.jobId < job._id) {
      wrong.push(`ledger entries of job ${group.value.jobId}, which is not there`);
      group = await groups.next();
    }
    const own = !group.done && group.value.jobId === job._id ? group.value.entries : [];
    wrong.push(...checkJob(job, own));
    if (own.length > 0) group = await groups.next();
  }
  for (; !group.done; group = await groups.next()) {
    wrong.push(`ledger entries of job ${group.value.jobId}, which is not there`);
  }
  return { count, live };
}

async function* groupByJob(
  entries: AsyncIterable<LedgerDoc>,
): AsyncGenerator<{ jobId: string; entries: LedgerDoc[] }, undefined> {
  let jobId = "";
  let group: LedgerDoc[] = [];
  for await (const entry of entries) {
    if (entry.job_id !== jobId && group.length > 0) {
      yield { jobId, entries: group };
      group = [];
    }
    jobId = entry.job_id ?? "";
    group.push(entry);
  }
  if (group.length > 0) yield { jobId, entries: group };
  return undefined;
}
