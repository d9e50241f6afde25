// The owner's view of the credits: balance and ledger.
import { LEDGER_KINDS } from "../../proto/resources/credits.ts";
import { type App } from "../app.ts";
import { invalidCursor, invalidParameter, type PageRequest, readPage, toPage } from "../page.ts";
import { type LedgerDoc, type LedgerFilter, listEntries } from "./store.ts";

export type LedgerQuery = PageRequest & {
  accountId: string;
  kind: string;
  jobId: string;
  /** RFC 3339, empty for none. */
  since: string;
  until: string;
};

export type LedgerPage = { entries: LedgerDoc[]; nextCursor: string };

/** A page of the ledger, newest first. Errors: invalid_request naming the parameter. */
export async function listLedger(app: App, query: LedgerQuery): Promise<LedgerPage> {
  const { limit, after } = readPage(query);
  if (query.kind && !(LEDGER_KINDS as readonly string[]).includes(query.kind)) {
    throw invalidParameter("kind", `must be one of ${LEDGER_KINDS.join(", ")}`);
  }
  const filter: LedgerFilter = { accountId: query.accountId };
  if (after !== undefined) filter.beforeSeq = readSeq(after);
  if (query.kind) filter.kind = query.kind;
  if (query.jobId) filter.jobId = query.jobId;
  if (query.since) filter.since = readTime("since", query.since);
  if (query.until) filter.until = readTime("until", query.until);
  const found = await listEntries(app.mongo.db, filter, limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ seq }) => String(seq));
  return { entries: rows, nextCursor };
}

function readSeq(position: string): number {
  const seq = Number(position);
  if (!Number.isSafeInteger(seq) || seq < 1) throw invalidCursor();
  return seq;
}

function readTime(path: string, value: string): Date {
  const time = new Date(value);
  if (Number.isNaN(time.getTime()))
    throw invalidParameter(path, "must be a time as in RFC 3339, for example 2026-01-31T12:00:00Z");
  return time;
}
