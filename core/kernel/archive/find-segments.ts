// Which segments have what somebody looks for. Their rows are read by readSegment.
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../app.ts";
import { readSegment } from "./read-segment.ts";
import type { SegmentRow } from "./segment-file.ts";
import {
  type ArchiveKind,
  findLastSegment,
  findLedgerSegmentAfter,
  findSegmentOfGrantKey,
  findSegmentsAbout,
  findSegmentsBefore,
  findSegmentsOfAnyJob,
  type Segment,
  type SegmentRange,
} from "./store.ts";

/** What an account has archived last; null where that is nothing. */
export async function lastSegment(app: App, accountId: string, kind: ArchiveKind): Promise<Segment | null> {
  return findLastSegment(app.mongo.db, accountId, kind);
}

/** Of a ledger, the first with an entry after this number. */
export async function ledgerSegmentAfter(app: App, accountId: string, seq: number): Promise<Segment | null> {
  return findLedgerSegmentAfter(app.mongo.db, accountId, seq);
}

/** The newest first. */
export async function segmentsBefore(app: App, range: SegmentRange, limit: number): Promise<Segment[]> {
  return findSegmentsBefore(app.mongo.db, range, limit);
}

/** The rows of all segments that have something about one of these, the oldest first; among them are others. */
export async function readAbout(
  app: App,
  range: { accountId: string; kind: ArchiveKind; since?: Date },
  subjects: readonly string[],
): Promise<SegmentRow[]> {
  return readAll(app, await findSegmentsAbout(app.mongo.db, range, subjects));
}

/** Like readAbout, for a job of any account. Looks through the records of all accounts. */
export async function readAboutAnyJob(app: App, jobId: string): Promise<SegmentRow[]> {
  return readAll(app, await findSegmentsOfAnyJob(app.mongo.db, jobId));
}

/** The rows among which is the entry of this grant key; none where it is not archived. */
export async function readAboutGrantKey(
  app: App,
  accountId: string,
  grantKey: string,
  tx: TxContext,
): Promise<SegmentRow[]> {
  const segment = await findSegmentOfGrantKey(app.mongo.db, accountId, grantKey, tx);
  return segment ? readSegment(app, segment) : [];
}

async function readAll(app: App, segments: readonly Segment[]): Promise<SegmentRow[]> {
  const rows: SegmentRow[] = [];
  for (const segment of segments) rows.push(...(await readSegment(app, segment)));
  return rows;
}
