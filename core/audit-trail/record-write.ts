// Keeps who asked for which change, and why.
import { AppError, type Issue } from "../../proto/codes.ts";
import { logSecurity, type SecurityEvent, type SecurityFacts } from "../../runtime/ops/security-log.ts";
import { normaliseEmail } from "../accounts/rules.ts";
import type { App } from "../app.ts";
import { type Call, factsOf } from "../rpc.ts";
import { insertAuditTrail, saveTrailOutcome } from "./store.ts";

/** Longer words of a request that is refused anyway are not worth keeping whole. */
const MAX_TEXT = 200;

export type AdminWrite = {
  what: string;
  target: string;
  detail?: string;
};

/** What a change writes to the security log, made from its result. */
export type Telling<T> = (result: T) => [event: SecurityEvent, facts: SecurityFacts];

/**
 * Records the request, carries it out, and adds its outcome to the record. In this order a crash may leave a record without an outcome, but
 * never a change without a record. A refused request leaves a record too. Throws invalid_request if it is not said, or said at too great
 * length, who asks and why; and throws what `work` throws.
 */
export async function recordWrite<T>(
  app: App,
  call: Call,
  { what, target, detail = "" }: AdminWrite,
  work: () => Promise<T>,
  tell?: Telling<T>,
): Promise<T> {
  const operator = call.errand.operator.trim();
  const reason = call.errand.reason.trim();
  const entryId = app.newId("adm");
  await insertAuditTrail(app.mongo.db, {
    _id: entryId,
    who: call.service,
    operator: operator.slice(0, MAX_TEXT) || null,
    what,
    // An address is kept in the one form in which the trail is asked for it.
    target: (target.includes("@") ? normaliseEmail(target) : target).slice(0, MAX_TEXT),
    detail: detail.slice(0, MAX_TEXT),
    reason: reason.slice(0, MAX_TEXT) || null,
    at: app.clock.now(),
    request_id: call.requestId,
    outcome: null,
  });
  try {
    const issues = [...textIssues("operator", operator), ...textIssues("reason", reason)];
    if (issues.length > 0) throw new AppError("invalid_request", { issues });
    const result = await work();
    await noteOutcome(app, entryId, "done");
    if (tell) {
      const [event, facts] = tell(result);
      logSecurity(app.log, event, { ...factsOf(call), ...facts });
    }
    return result;
  } catch (error) {
    // Whatever else was thrown does not tell whether the change was made.
    if (error instanceof AppError) await noteOutcome(app, entryId, error.code);
    throw error;
  }
}

/** Never throws: the operator must hear what became of the request, not of its record. */
async function noteOutcome(app: App, entryId: string, outcome: string): Promise<void> {
  try {
    await saveTrailOutcome(app.mongo.db, entryId, outcome);
  } catch (error) {
    app.log.warn({ err: error, entryId, outcome }, "the outcome of an operator's request was not recorded");
  }
}

function textIssues(path: string, text: string): Issue[] {
  if (text === "") return [{ path, message: "is required" }];
  return text.length > MAX_TEXT ? [{ path, message: `must have at most ${MAX_TEXT} characters` }] : [];
}
