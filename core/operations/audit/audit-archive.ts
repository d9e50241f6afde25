// Recounts the archive of an account: files against their records, records against the previous one, entries against the chain, jobs
// against their entries. Archived data must satisfy the same rules as live data.
import type { Db } from "../../base/mongo/client.ts";
import type { SnapshotContext } from "../../base/mongo/in-tx.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import { joinEntry } from "../../identity/credits/archive-rules.ts";
import { findEntriesOf, type LedgerDoc } from "../../identity/credits/store.ts";
import { BrokenSegment, readSegment } from "../../kernel/archive/read-segment.ts";
import { checkFollows } from "../../kernel/archive/rules.ts";
import type { SegmentRow } from "../../kernel/archive/segment-file.ts";
import { findAllSegments, type Segment } from "../../kernel/archive/store.ts";
import type { FilesApp } from "../../kernel/outputs/open.ts";
import { joinJob } from "../../studio/jobs/archive-rules.ts";
import { isEnded } from "../../studio/jobs/rules.ts";
import { messageId } from "../../studio/webhooks/delivery-id.ts";
import { type ArchivedWorkflow, joinWorkflow } from "../../studio/workflows/archive-rules.ts";
import type { NewestLeaves } from "./audit-solvency.ts";
import { checkShares } from "./grant-rules.ts";
import { checkPath } from "./path-rules.ts";
import { checkAnnouncement, checkJob, type KeysRecount } from "./rules.ts";
import type { Kind } from "./store-presence.ts";
import { type StepJob, toStepJob } from "./workflow-rules.ts";

/** Entries of a job may be slightly later than its end, because of different clocks. */
const CLOCK_SLACK_MS = 60 * 60 * 1000;

export type ArchiveAudit = {
  /** The entries in order. An unreadable segment yields none; its record contains its last entry. */
  entries(): AsyncGenerator<LedgerDoc | { readonly lost: Segment }>;
  /** Must be called after all entries were read. Returns the number of jobs and of their entries. */
  jobs(): Promise<{ count: number; entries: number }>;
  /** Archived jobs that are workflow steps, by id; complete once jobs() has returned. */
  readonly steps: ReadonlyMap<string, StepJob>;
  /** Archived workflows, oldest first. */
  workflows(): AsyncGenerator<ArchivedWorkflow>;
  /** Archived entries of live jobs, by job. */
  readonly ofLiveJobs: ReadonlyMap<string, readonly LedgerDoc[]>;
};

/** An account in a snapshot, and the kinds of data that it has. */
export type Books = {
  readonly db: Db;
  readonly account: AccountDoc;
  readonly snapshot: SnapshotContext;
  readonly has: (kind: Kind) => boolean;
  /** Gets every job and hold. */
  readonly spending: KeysRecount;
  /** Whether each job must have taken a path that the model of the money protocol allows. */
  readonly checksPaths?: boolean | undefined;
  /** Of the newest tree of all balances. */
  readonly leaves: NewestLeaves | undefined;
};

/** Findings are added to `wrong`. */
export async function openArchiveAudit(app: FilesApp, books: Books, wrong: string[]): Promise<ArchiveAudit> {
  const { db, account, snapshot, has, spending } = books;
  const segments = has("archive_segments") ? await findAllSegments(db, account._id, snapshot) : [];
  const ofKind = (kind: Segment["kind"]) =>
    inOrder(
      segments.filter((one) => one.kind === kind),
      wrong,
    );
  const [ledger, jobs, workflows] = [ofKind("ledger"), ofKind("jobs"), ofKind("workflows")];
  const entriesOf = new Map<string, LedgerDoc[]>();
  const steps = new Map<string, StepJob>();
  const counts = { count: 0, entries: 0 };
  let next = 0;

  async function* entries(): AsyncGenerator<LedgerDoc | { readonly lost: Segment }> {
    for (const segment of ledger) {
      const rows = await readRows(app, segment, wrong);
      for (const row of rows ?? []) {
        const entry = joinEntry(row);
        append(entriesOf, entry);
        yield entry;
      }
      if (!rows) yield { lost: segment };
      // Each job is checked when all its entries were read, so that they need not stay in memory.
      for (; isBehind(jobs[next], segment); next++) await checkSegment(jobs[next]);
    }
  }

  async function checkSegment(segment: Segment | undefined, alsoLive = false): Promise<void> {
    const rows = (segment && (await readRows(app, segment, wrong))) ?? [];
    const ids = rows.map(({ facts }) => String(facts["_id"]));
    const live = alsoLive ? await findEntriesOf(db, account._id, ids, snapshot) : [];
    for (const entry of live) append(entriesOf, entry);
    for (const [i, row] of rows.entries()) {
      const own = entriesOf.get(ids[i] ?? "") ?? [];
      entriesOf.delete(ids[i] ?? "");
      if (row.facts["workflow_id"] !== undefined) steps.set(ids[i] ?? "", toStepJob(joinJob(row)));
      wrong.push(...checkRow(row, own, books));
      spending.add(joinJob(row).counted_on, own);
      counts.entries += own.length;
    }
    counts.count += rows.length;
  }

  return {
    entries,
    steps,
    workflows: async function* () {
      for (const segment of workflows) yield* ((await readRows(app, segment, wrong)) ?? []).map(joinWorkflow);
    },
    jobs: async () => {
      for (; next < jobs.length; next++) await checkSegment(jobs[next], true);
      return counts;
    },
    ofLiveJobs: entriesOf,
  };
}

function isBehind(jobs: Segment | undefined, entries: Segment): boolean {
  return jobs !== undefined && jobs.until.getTime() + CLOCK_SLACK_MS < entries.until.getTime();
}

function append(map: Map<string, LedgerDoc[]>, entry: LedgerDoc): void {
  if (entry.job_id === null) return;
  const known = map.get(entry.job_id);
  if (known) known.push(entry);
  else map.set(entry.job_id, [entry]);
}

/** The findings about an archived job: those of a live job, and whether it had ended. */
function checkRow(
  row: SegmentRow,
  entries: readonly LedgerDoc[],
  { account: { _id, status }, checksPaths }: Books,
): string[] {
  const { deliveries, ...job } = joinJob(row);
  const wrong = [...checkJob(job, entries), ...checkShares(job, entries)];
  if (checksPaths) wrong.push(...checkPath(job, entries));
  if (job.account_id !== _id) wrong.push(`job ${job._id}: is in the archive of another account`);
  if (!isEnded(job.state)) wrong.push(`job ${job._id}: is archived, and ${job.state}`);
  const announcement = deliveries.find((delivery) => delivery._id === messageId(job._id));
  if (status !== "deleted") wrong.push(...checkAnnouncement(job, announcement));
  return wrong;
}

function inOrder(segments: readonly Segment[], wrong: string[]): readonly Segment[] {
  for (const [i, segment] of segments.entries())
    wrong.push(
      ...checkFollows(segments[i - 1], segment).map((what) => `archive segment ${segment._id}: ${what}`),
    );
  return segments;
}

async function readRows(app: FilesApp, segment: Segment, wrong: string[]): Promise<SegmentRow[] | undefined> {
  try {
    return await readSegment(app, segment);
  } catch (error) {
    if (!(error instanceof BrokenSegment)) throw error;
    wrong.push(error.message);
    return undefined;
  }
}
