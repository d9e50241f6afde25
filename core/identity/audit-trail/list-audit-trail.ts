// Operators' requests: who, when, what and why.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { type Page, pageById, type PageRequest } from "../../kernel/page.ts";
import { getAccount } from "../accounts/get-account.ts";
import { normaliseEmail } from "../accounts/rules.ts";
import { type AuditTrailDoc, findAuditTrail, findLatestDone, findTrailOfRequest } from "./store.ts";

/** This many of the newest entries are searched for a request. */
const AMONG = 20_000;

/**
 * Newest first; for one target and one bulk, or for all if they are empty. An account is found by its id and by its address. Throws
 * invalid_request.
 */
export async function listAuditTrail(
  app: App,
  request: PageRequest & { readonly target: string; readonly bulk: string },
): Promise<Page<AuditTrailDoc>> {
  const { target, bulk } = request;
  return pageById(request, async (beforeId, limit) => {
    const targets = target === "" ? [] : await namesOf(app, target);
    return findAuditTrail(app.mongo.db, { targets, bulk, beforeId }, limit);
  });
}

async function namesOf(app: App, target: string): Promise<string[]> {
  try {
    const { _id, email } = await getAccount(app, target);
    return [_id, email];
  } catch (error) {
    // It is not an account but a key, a product or another thing, or an address that was refused.
    if (error instanceof AppError && error.code === "not_found")
      return [target.includes("@") ? normaliseEmail(target) : target];
    throw error;
  }
}

/** The operator of the last of these changes on each target, by target. */
export async function latestDone(
  { mongo }: Pick<App, "mongo">,
  asked: { targets: readonly string[]; methods: readonly string[] },
): Promise<Map<string, AuditTrailDoc>> {
  return findLatestDone(mongo.db, asked);
}

/** The changes of one request, among the newest entries. */
export async function trailOfRequest(
  { mongo }: Pick<App, "mongo">,
  requestId: string,
  limit: number,
): Promise<AuditTrailDoc[]> {
  return findTrailOfRequest(mongo.db, requestId, { among: AMONG, limit });
}
