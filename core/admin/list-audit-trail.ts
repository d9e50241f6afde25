// What operators asked for: who, when, what and why.
import { AppError } from "../../proto/codes.ts";
import { getAccount } from "../accounts/get-account.ts";
import { normaliseEmail } from "../accounts/rules.ts";
import type { App } from "../app.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import { type AdminLogDoc, findAdminLog } from "./store.ts";

const MAX_PAGE = 100;
const DEFAULT_PAGE = 50;

/** `target` empty means all; `limit` 1..100, 0 means 50; `cursor` as an earlier page gave it, empty for the first. */
export type AuditTrailQuery = { target: string; limit: number; cursor: string };

/** A page, newest first. An account is found under its id and its e-mail address alike. Throws invalid_request naming the parameter. */
export async function listAuditTrail(
  app: App,
  query: AuditTrailQuery,
): Promise<{ entries: AdminLogDoc[]; nextCursor: string }> {
  const limit = query.limit === 0 ? DEFAULT_PAGE : query.limit;
  if (limit < 1 || limit > MAX_PAGE) throw invalid("limit", `must be from 1 to ${MAX_PAGE}`);
  const beforeId = query.cursor && decodeCursor(query.cursor);
  if (query.cursor && !beforeId) throw invalid("cursor", "is not one that an earlier page gave");
  const targets = query.target === "" ? [] : await namesOf(app, query.target);
  // One more than asked tells whether there is a next page.
  const found = await findAdminLog(app.mongo.db, { targets, ...(beforeId && { beforeId }) }, limit + 1);
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  return { entries, nextCursor: found.length > limit && last ? encodeCursor(last._id) : "" };
}

async function namesOf(app: App, target: string): Promise<string[]> {
  try {
    const { _id, email } = await getAccount(app, target);
    return [_id, email];
  } catch (error) {
    // No account: a key, a product or another thing, or an address that was refused.
    if (error instanceof AppError && error.code === "not_found")
      return [target.includes("@") ? normaliseEmail(target) : target];
    throw error;
  }
}

function invalid(path: string, message: string): AppError {
  return new AppError("invalid_request", { message: `${path} ${message}.`, issues: [{ path, message }] });
}
