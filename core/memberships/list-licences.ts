// The licences of an account, live and revoked, whatever its membership is.
import { AppError } from "../../proto/codes.ts";
import type { App } from "../app.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import { findLicences, type LicenceDoc } from "./store.ts";

const MAX_PAGE = 100;
const DEFAULT_PAGE = 50;

/** `limit` 1..100, 0 means 50; `cursor` as an earlier page gave it, empty for the first. */
export type LicenceQuery = { accountId: string; limit: number; cursor: string };

/** A page, newest first. Throws invalid_request naming the parameter. */
export async function listLicences(
  app: App,
  query: LicenceQuery,
): Promise<{ licences: LicenceDoc[]; nextCursor: string }> {
  const limit = query.limit === 0 ? DEFAULT_PAGE : query.limit;
  if (limit < 1 || limit > MAX_PAGE) throw invalid("limit", `must be from 1 to ${MAX_PAGE}`);
  const beforeId = query.cursor && decodeCursor(query.cursor);
  if (query.cursor && !beforeId) throw invalid("cursor", "is not one that an earlier page gave");
  // One more than asked tells whether there is a next page.
  const found = await findLicences(
    app.mongo.db,
    { accountId: query.accountId, ...(beforeId && { beforeId }) },
    limit + 1,
  );
  const licences = found.slice(0, limit);
  const last = licences.at(-1);
  return { licences, nextCursor: found.length > limit && last ? encodeCursor(last._id) : "" };
}

function invalid(path: string, message: string): AppError {
  return new AppError("invalid_request", { message: `${path} ${message}.`, issues: [{ path, message }] });
}
