// Keeps who asked for which change.
import type { App } from "../app.ts";
import type { Call } from "../rpc.ts";
import { insertAdminLog } from "./store.ts";

/** Longer words of a request that is refused anyway are not worth keeping whole. */
const MAX_TEXT = 200;

export type AdminWrite = { what: string; target: string; detail?: string };

/**
 * Records the request, then does it. In this order a crash in between leaves a record without a change, never a change without a
 * record. A request that is refused leaves its record too.
 */
export async function recordWrite<T>(
  app: App,
  call: Call,
  { what, target, detail = "" }: AdminWrite,
  work: () => Promise<T>,
): Promise<T> {
  await insertAdminLog(app.mongo.db, {
    _id: app.newId("adm"),
    who: call.service,
    what,
    target: target.slice(0, MAX_TEXT),
    detail: detail.slice(0, MAX_TEXT),
    at: app.clock.now(),
    request_id: call.requestId,
  });
  return work();
}
