// What operators asked for: who, when, what and why.
import { AppError } from "../../proto/codes.ts";
import { getAccount } from "../accounts/get-account.ts";
import { normaliseEmail } from "../accounts/rules.ts";
import type { App } from "../app.ts";
import { type Page, type PageRequest, readPage, toPage } from "../page.ts";
import { type AuditTrailDoc, findAuditTrail } from "./store.ts";

/**
 * Newest first, for one target or, if `target` is empty, for all. An account is found by its id and by its address. Throws invalid_request.
 */
export async function listAuditTrail(
  app: App,
  request: PageRequest & { readonly target: string },
): Promise<Page<AuditTrailDoc>> {
  const { limit, after } = readPage(request);
  const targets = request.target === "" ? [] : await namesOf(app, request.target);
  const found = await findAuditTrail(app.mongo.db, { targets, beforeId: after }, limit + 1);
  return toPage(found, limit, ({ _id }) => _id);
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
