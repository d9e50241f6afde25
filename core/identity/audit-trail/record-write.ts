// Records who requested which change, and why.
import { AppError, type Issue } from "../../../proto/codes.ts";
import { logSecurity, type SecurityEvent, type SecurityInfo } from "../../../runtime/ops/security-log.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { type Call, factsOf } from "../../kernel/rpc.ts";
import { normaliseEmail } from "../accounts/rules.ts";
import { type AuditTrailDoc, insertAuditTrail, insertAuditTrails, saveTrailOutcome } from "./store.ts";

/** Longer texts of a refused request are truncated. */
const MAX_TEXT = 200;

type AdminWrite = {
  target: string;
  detail?: string;
  /** The bulk that it belongs to. */
  bulk?: string;
};

type RecordedWrite<T> = AdminWrite & {
  /** What the change writes to the security log, made from its result. */
  tell?: (result: T) => [event: SecurityEvent, facts: SecurityInfo];
  /** The numbers of the result in words. */
  count?: (result: T) => string;
};

/** A recorded change without an outcome so far. */
export type OpenRecord = {
  /** Never throws, because the operator must get the request's result even if its record fails. */
  close(outcome: "done" | "stopped", result?: string): Promise<void>;
  /** Records the code of a refusal. After any other error it is unknown whether the change was made. */
  fail(error: unknown): Promise<void>;
};

/**
 * Records a request before it is carried out. In this order a crash may leave a record without an outcome, but never a change without a
 * record. A refused request leaves a record too. Throws invalid_request if who asks and why is missing or too long.
 */
export async function openRecord(app: App, call: Call, write: AdminWrite): Promise<OpenRecord> {
  const { operator, reason } = call.operatorContext;
  const entryId = app.newId("adm");
  const row = trailRow(call, { what: call.method, ...write });
  await insertAuditTrail(app.mongo.db, { ...row, _id: entryId, at: app.clock.now() });
  const note = (outcome: string, result?: string) => noteOutcome(app, entryId, { outcome, result });
  const issues = [...textIssues("operator", operator.trim()), ...textIssues("reason", reason.trim())];
  if (issues.length > 0) {
    await note("invalid_request");
    throw new AppError("invalid_request", { issues });
  }
  return {
    close: note,
    fail: async (error) => {
      if (error instanceof AppError) await note(error.code);
    },
  };
}

/** The audit trail's record of a request, without its id, time and outcome. */
export function trailRow(
  { service, operatorContext, requestId }: Pick<Call, "service" | "operatorContext" | "requestId">,
  { what, target, detail = "", bulk }: AdminWrite & { what: string },
): Omit<AuditTrailDoc, "_id" | "at"> {
  return {
    who: service,
    operator: operatorContext.operator.trim().slice(0, MAX_TEXT) || null,
    what,
    // An address is stored in the form in which the trail is searched.
    target: (target.includes("@") ? normaliseEmail(target) : target).slice(0, MAX_TEXT),
    detail: detail.slice(0, MAX_TEXT),
    reason: operatorContext.reason.trim().slice(0, MAX_TEXT) || null,
    request_id: requestId,
    outcome: null,
    ...(bulk !== undefined && { bulk }),
  };
}

/** Records the request, executes it, and adds its outcome. Throws what openRecord throws, and what `work` throws. */
export async function recordWrite<T>(
  app: App,
  call: Call,
  { tell, count, ...write }: RecordedWrite<T>,
  work: () => Promise<T>,
): Promise<T> {
  const record = await openRecord(app, call, write);
  try {
    const result = await work();
    await record.close("done", count?.(result));
    if (tell) {
      const [event, facts] = tell(result);
      logSecurity(app.log, event, { ...factsOf(call), ...facts });
    }
    return result;
  } catch (error) {
    await record.fail(error);
    throw error;
  }
}

async function noteOutcome(
  app: App,
  entryId: string,
  told: { outcome: string; result: string | undefined },
): Promise<void> {
  try {
    await saveTrailOutcome(app.mongo.db, entryId, told);
  } catch (error) {
    app.log.warn(
      { err: error, entryId, outcome: told.outcome },
      "the outcome of an operator's request was not recorded",
    );
  }
}

function textIssues(path: string, text: string): Issue[] {
  if (text === "") return [{ path, message: "is required" }];
  return text.length > MAX_TEXT ? [{ path, message: `must have at most ${MAX_TEXT} characters` }] : [];
}

/** Writes records of the same transaction's changes. */
export async function writeTrails(
  { mongo }: Pick<App, "mongo">,
  rows: readonly AuditTrailDoc[],
  tx: TxContext,
): Promise<void> {
  await insertAuditTrails(mongo.db, rows, tx);
}
