// The owner's view of the credits: balance and ledger.
import { z } from "zod";
import { LEDGER_KINDS } from "../../proto/resources/credits.ts";
import { parseRequest } from "../../proto/resources/issues.ts";
import { jobIdFilterSchema, timeSchema } from "../../proto/resources/page.ts";
import { type App } from "../app.ts";
import { given, invalidCursor, pageFields, type PageRequest, readCursor, toPage } from "../page.ts";
import { findDebitHash, type LedgerDoc, type LedgerFilter, listEntries } from "./store.ts";

export type LedgerQuery = PageRequest & {
  accountId: string;
  kind: string;
  jobId: string;
  /** RFC 3339, empty for none. */
  since: string;
  until: string;
};

export type LedgerPage = { entries: LedgerDoc[]; nextCursor: string };

const querySchema = z.object({
  ...pageFields,
  kind: z.enum(LEDGER_KINDS).optional(),
  job_id: jobIdFilterSchema.optional(),
  since: timeSchema.optional(),
  until: timeSchema.optional(),
});

/** A page of the ledger, newest first. Errors: invalid_request naming the parameters. */
export async function listLedger(app: App, { accountId, jobId, ...rest }: LedgerQuery): Promise<LedgerPage> {
  const query = parseRequest(querySchema, given({ ...rest, job_id: jobId }));
  const after = readCursor(query.cursor);
  const filter: LedgerFilter = { accountId };
  if (after !== undefined) filter.beforeSeq = readSeq(after);
  if (query.kind) filter.kind = query.kind;
  if (query.job_id) filter.jobId = query.job_id;
  if (query.since) filter.since = new Date(query.since);
  if (query.until) filter.until = new Date(query.until);
  const found = await listEntries(app.mongo.db, filter, query.limit + 1);
  const { rows, nextCursor } = toPage(found, query.limit, ({ seq }) => String(seq));
  return { entries: rows, nextCursor };
}

function readSeq(position: string): number {
  const seq = Number(position);
  if (!Number.isSafeInteger(seq) || seq < 1) throw invalidCursor();
  return seq;
}

/** The hash of the ledger entry that paid for a job; null where there is none. */
export async function debitHashOf(app: App, accountId: string, jobId: string): Promise<string | null> {
  return (await findDebitHash(app.mongo.db, accountId, jobId)) ?? null;
}
