// The owner's view of the credits: balance and ledger.
import { AppError } from "../../proto/codes.ts";
import { LEDGER_KINDS } from "../../proto/resources/credits.ts";
import { type App } from "../app.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import { type LedgerDoc, type LedgerFilter, listEntries } from "./store.ts";

export const MAX_PAGE = 100;
const DEFAULT_PAGE = 50;

export type LedgerQuery = {
  accountId: string;
  /** 1..100; 0 means 50. */
  limit: number;
  /** As an earlier page gave it; empty for the first. */
  cursor: string;
  kind: string;
  jobId: string;
  /** RFC 3339, empty for none. */
  since: string;
  until: string;
};

export type LedgerPage = { entries: LedgerDoc[]; nextCursor: string };

/** A page of the ledger, newest first. Errors: invalid_request naming the parameter. */
export async function listLedger(app: App, query: LedgerQuery): Promise<LedgerPage> {
  const limit = query.limit === 0 ? DEFAULT_PAGE : query.limit;
  if (limit < 1 || limit > MAX_PAGE) throw invalid("limit", `must be from 1 to ${MAX_PAGE}`);
  if (query.kind && !(LEDGER_KINDS as readonly string[]).includes(query.kind)) {
    throw invalid("kind", `must be one of ${LEDGER_KINDS.join(", ")}`);
  }
  const filter: LedgerFilter = { accountId: query.accountId };
  if (query.cursor) filter.beforeSeq = readCursor(query.cursor);
  if (query.kind) filter.kind = query.kind;
  if (query.jobId) filter.jobId = query.jobId;
  if (query.since) filter.since = readTime("since", query.since);
  if (query.until) filter.until = readTime("until", query.until);
  // One more than asked tells whether there is a next page.
  const found = await listEntries(app.mongo.db, filter, limit + 1);
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  return { entries, nextCursor: found.length > limit && last ? encodeCursor(String(last.seq)) : "" };
}

function readCursor(cursor: string): number {
  const seq = Number(decodeCursor(cursor));
  if (!Number.isSafeInteger(seq) || seq < 1) throw invalid("cursor", "is not one that an earlier page gave");
  return seq;
}

function readTime(path: string, value: string): Date {
  const time = new Date(value);
  if (Number.isNaN(time.getTime()))
    throw invalid(path, "must be a time as in RFC 3339, for example 2026-01-31T12:00:00Z");
  return time;
}

function invalid(path: string, message: string): AppError {
  return new AppError("invalid_request", { message: `${path} ${message}.`, issues: [{ path, message }] });
}
