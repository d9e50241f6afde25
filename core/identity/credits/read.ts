// The credits as their owner sees them: balance and ledger.
import { z } from "zod";
import { AppError } from "../../../proto/codes.ts";
import { LEDGER_KINDS } from "../../../proto/resources/credits.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { jobIdFilterSchema, timeSchema } from "../../../proto/resources/page.ts";
import type { App } from "../../kernel/app.ts";
import { ledgerSegmentAfter } from "../../kernel/archive/find-segments.ts";
import { withArchived } from "../../kernel/archive/history.ts";
import { readSegment } from "../../kernel/archive/read-segment.ts";
import { given, invalidCursor, pageFields, type PageRequest, readCursor, toPage } from "../../kernel/page.ts";
import { fitsFilter, joinEntry } from "./archive-rules.ts";
import { findArchivedEntriesOf, findArchivedEntry } from "./archived-entries.ts";
import { subjectOf } from "./entry-id.ts";
import {
  findAnyEntry,
  findDebitHash,
  findEntriesAfter,
  findEntriesOf,
  findEntry,
  type LedgerDoc,
  type LedgerFilter,
  listEntries,
} from "./store.ts";

type LedgerQuery = PageRequest & {
  accountId: string;
  kind: string;
  jobId: string;
  /** RFC 3339, empty for none. */
  since: string;
  until: string;
  /** One entry for each job. */
  byJob?: boolean;
  /** The first entry of the page; empty for the newest. */
  fromEntry?: string;
};

type LedgerPage = {
  entries: LedgerDoc[];
  nextCursor: string;
  /** With `byJob`, every entry of the jobs and holds of this page, newest first. */
  ofJobs: LedgerDoc[];
};

/** Kinds that start a row: a job or a hold has one of these, and its other entries belong to it. */
const BEGINNINGS = LEDGER_KINDS.filter((kind) => !["debit", "release", "refund"].includes(kind));

const querySchema = z.object({
  ...pageFields,
  kind: z.enum(LEDGER_KINDS).optional(),
  job_id: jobIdFilterSchema.optional(),
  since: timeSchema.optional(),
  until: timeSchema.optional(),
});

/** A page of the ledger, newest first. Errors: invalid_request naming the parameters. */
export async function listLedger(app: App, asked: LedgerQuery): Promise<LedgerPage> {
  const { accountId, jobId, byJob = false, fromEntry = "", ...rest } = asked;
  const query = parseRequest(querySchema, given({ ...rest, job_id: jobId }));
  const after = readCursor(query.cursor, "");
  const filter: LedgerFilter = { accountId };
  if (after !== undefined) filter.beforeSeq = readSeq(after);
  else if (fromEntry !== "") filter.beforeSeq = (await findBeginning(app, accountId, fromEntry)).seq + 1;
  if (query.kind) filter.kinds = [query.kind];
  else if (byJob) filter.kinds = BEGINNINGS;
  if (query.job_id) filter.jobId = query.job_id;
  if (query.since) filter.since = new Date(query.since);
  if (query.until) filter.until = new Date(query.until);
  const limit = query.limit + 1;
  const { found, stoppedAt } = await withArchived(
    app,
    { found: await listEntries(app.mongo.db, filter, limit) },
    {
      accountId,
      kind: "ledger",
      before: filter.beforeSeq,
      about: filter.jobId,
      since: filter.since,
      until: filter.until,
      join: joinEntry,
      positionOf: ({ seq }) => seq,
      fits: (entry) => fitsFilter(entry, filter),
    },
    limit,
  );
  const { rows, nextCursor } = toPage(found, query.limit, ({ seq }) => String(seq), stoppedAt?.toString());
  const subjects = byJob ? rows.flatMap((entry) => subjectOf(entry) ?? []) : [];
  const ofJobs = subjects.length === 0 ? [] : await findAllEntriesOf(app, accountId, subjects);
  return { entries: rows, nextCursor, ofJobs: ofJobs.sort((a, b) => b.seq - a.seq) };
}

/** Live ones first: one that is archived in between is found, once. */
export async function findAllEntriesOf(
  app: App,
  accountId: string,
  subjects: readonly string[],
): Promise<LedgerDoc[]> {
  const live = await findEntriesOf(app.mongo.db, accountId, subjects);
  const archived = await findArchivedEntriesOf(app, accountId, subjects);
  return [...new Map([...live, ...archived].map((entry) => [entry._id, entry])).values()];
}

/** All entries of the entry's job or hold, or the entry alone. Throws not_found. */
async function findBeginning(app: App, accountId: string, entryId: string): Promise<LedgerDoc> {
  const entry =
    (await findEntry(app.mongo.db, accountId, entryId)) ??
    (await findArchivedEntry(app, { accountId, entryId }));
  const subject = entry && subjectOf(entry);
  const [beginning] = subject
    ? (await findAllEntriesOf(app, accountId, [subject])).filter(({ kind }) => kind === "reserve")
    : [entry];
  if (!beginning)
    throw new AppError("not_found", {
      message: "Your ledger has no such entry.",
      hint: "Look it up in the whole ledger.",
    });
  return beginning;
}

function readSeq(position: string): number {
  if (!/^[1-9]\d{0,14}$/.test(position)) throw invalidCursor();
  return Number(position);
}

/** The hash of the ledger entry that paid for a job; null where there is none. */
export async function debitHashOf(app: App, accountId: string, jobId: string): Promise<string | null> {
  return (await findDebitHash(app.mongo.db, accountId, jobId)) ?? null;
}

/** For operators: an entry of any ledger. */
export async function entryById(
  { mongo }: Pick<App, "mongo">,
  entryId: string,
): Promise<LedgerDoc | undefined> {
  return (await findAnyEntry(mongo.db, entryId)) ?? undefined;
}

const ENTRIES_PER_BATCH = 1_000;

/** Not one snapshot: entries that are written during the read follow at the end. None is left out, even if it is archived during the read. */
export async function* replayLedger(app: App, accountId: string): AsyncGenerator<LedgerDoc> {
  for (let seq = 0; ;) {
    const live = await findEntriesAfter(app.mongo.db, { accountId, afterSeq: seq }, ENTRIES_PER_BATCH);
    const isNext = live[0]?.seq === seq + 1;
    const segment = isNext ? undefined : await ledgerSegmentAfter(app, accountId, seq);
    const next = isNext ? live : segment ? (await readSegment(app, segment)).map(joinEntry) : [];
    for (const entry of next) {
      if (entry.seq <= seq) continue;
      yield entry;
      seq = entry.seq;
    }
    if (next.length === 0) return;
  }
}
