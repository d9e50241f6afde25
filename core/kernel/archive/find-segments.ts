// Finds the segments that have certain rows. readSegment reads the rows.
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
  findSegmentsOfAnyJob,
  type Segment,
} from "./store.ts";

/** The account's newest segment; null if it has none. */
export async function lastSegment(app: App, accountId: string, kind: ArchiveKind): Promise<Segment | null> {
  return findLastSegment(app.mongo.db, accountId, kind);
}

/** The first segment of a ledger with an entry after this number. */
export async function ledgerSegmentAfter(app: App, accountId: string, seq: number): Promise<Segment | null> {
  return findLedgerSegmentAfter(app.mongo.db, accountId, seq);
}

/** The rows of all segments that have something about one of these, the oldest first. Other rows are among them. */
export async function readAbout(
  app: App,
  range: { accountId: string; kind: ArchiveKind; since?: Date },
  subjects: readonly string[],
): Promise<SegmentRow[]> {
  return readAll(app, await findSegmentsAbout(app.mongo.db, range, subjects));
}

/** Like readAbout, for a job of any account. It searches the records of all accounts. */
export async function readAboutAnyJob(app: App, jobId: string): Promise<SegmentRow[]> {
  return readAll(app, await findSegmentsOfAnyJob(app.mongo.db, jobId));
}

/** The rows that contain the entry of this grant key; none if it is not archived. */
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
