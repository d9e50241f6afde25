// Reads archived entries with the queries of the live ledger.
import { decodeTime } from "ulid";
import { withoutPrefix } from "../../../runtime/clock.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { readAbout, readAboutGrantKey, segmentsBefore } from "../../kernel/archive/find-segments.ts";
import { readSegment } from "../../kernel/archive/read-segment.ts";
import { fitsFilter, joinEntry } from "./archive-rules.ts";
import { jobOfEntry, subjectOf } from "./entry-id.ts";
import type { LedgerDoc, LedgerFilter } from "./store.ts";

/** The most segments that are read for one page; a longer search continues with the next page. */
const MAX_SEGMENTS = 20;
/** A job's id contains its creation time, by the clock of its process. */
const CLOCK_SLACK_MS = 60 * 60 * 1000;

export type SomeEntries = {
  readonly found: LedgerDoc[];
  /** Where reading stopped before the end. */
  readonly stoppedAt?: number;
};

/** Newest first, like listEntries. */
export async function listArchivedEntries(
  app: App,
  filter: LedgerFilter,
  limit: number,
): Promise<SomeEntries> {
  const { accountId, beforeSeq: before, jobId: about, since, until } = filter;
  const range = { accountId, kind: "ledger" as const, before, about, since, until };
  const segments = await segmentsBefore(app, range, MAX_SEGMENTS + 1);
  const found: LedgerDoc[] = [];
  for (const segment of segments.slice(0, MAX_SEGMENTS)) {
    const entries = (await readSegment(app, segment)).map(joinEntry);
    found.push(...entries.filter((entry) => fitsFilter(entry, filter)).reverse());
    if (found.length >= limit) return { found: found.slice(0, limit) };
  }
  const next = segments[MAX_SEGMENTS];
  return { found, ...(next && { stoppedAt: Number(next.last) + 1 }) };
}

/** All archived entries of these jobs and holds. */
export async function findArchivedEntriesOf(
  app: App,
  accountId: string,
  subjects: readonly string[],
): Promise<LedgerDoc[]> {
  if (subjects.length === 0) return [];
  const oldest = Math.min(...subjects.map((id) => decodeTime(withoutPrefix(id))));
  const since = new Date(oldest - CLOCK_SLACK_MS);
  const wanted = new Set(subjects);
  const rows = await readAbout(app, { accountId, kind: "ledger", since }, subjects);
  return rows.map(joinEntry).filter((entry) => wanted.has(subjectOf(entry) ?? ""));
}

export async function findArchivedEntry(
  app: App,
  { accountId, entryId }: { accountId: string; entryId: string },
): Promise<LedgerDoc | undefined> {
  const about = subjectOf({ _id: entryId, job_id: jobOfEntry(entryId) ?? null }) ?? entryId;
  const rows = await readAbout(app, { accountId, kind: "ledger" }, [about]);
  return rows.map(joinEntry).find(({ _id }) => _id === entryId);
}

export async function findArchivedGrant(
  app: App,
  accountId: string,
  grantKey: string,
  tx: TxContext,
): Promise<LedgerDoc | undefined> {
  const rows = await readAboutGrantKey(app, accountId, grantKey, tx);
  return rows.map(joinEntry).find(({ grant_key }) => grant_key === grantKey);
}
