// Keeps who asked for which change, and why.
import { AppError } from "../../proto/codes.ts";
import { normaliseEmail } from "../accounts/rules.ts";
import type { App } from "../app.ts";
import type { Call } from "../rpc.ts";
import { insertAdminLog } from "./store.ts";

/** Longer words of a request that is refused anyway are not worth keeping whole. */
const MAX_TEXT = 200;

export type AdminWrite = {
  what: string;
  target: string;
  detail?: string;
  /** Refuses the request when it comes without a reason. */
  needsReason?: true;
};

/**
 * Records the request, then does it. In this order a crash in between leaves a record without a change, never a change without a
 * record. A request that is refused leaves its record too. Throws invalid_request for a reason that is missing or too long.
 */
export async function recordWrite<T>(
  app: App,
  call: Call,
  { what, target, detail = "", needsReason }: AdminWrite,
  work: () => Promise<T>,
): Promise<T> {
  const operator = call.errand.operator.trim();
  const reason = call.errand.reason.trim();
  await insertAdminLog(app.mongo.db, {
    _id: app.newId("adm"),
    who: call.service,
    operator: operator.slice(0, MAX_TEXT) || null,
    what,
    // An address is kept in the one form in which the trail is asked for it.
    target: (target.includes("@") ? normaliseEmail(target) : target).slice(0, MAX_TEXT),
    detail: detail.slice(0, MAX_TEXT),
    reason: reason.slice(0, MAX_TEXT) || null,
    at: app.clock.now(),
    request_id: call.requestId,
  });
  if (needsReason && reason === "") throw refuseReason("is required");
  if (reason.length > MAX_TEXT) throw refuseReason(`must have at most ${MAX_TEXT} characters`);
  return work();
}

function refuseReason(message: string): AppError {
  return new AppError("invalid_request", { issues: [{ path: "reason", message }] });
}
