// The callback status of some jobs, for their records. It is separate from log.ts, because the job record needs it.
import type { App } from "../../kernel/app.ts";
import { subjectOf } from "./delivery-id.ts";
import { type CallbackSummary, summarise } from "./rules.ts";
import { type DeliveryInfo, findDeliveryInfo } from "./store.ts";

/** By the id of the job or the workflow; those without deliveries are left out. */
export async function summariseDeliveries(
  app: App,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, CallbackSummary>> {
  if (ids.length === 0) return new Map();
  const bySubject = new Map<string, DeliveryInfo[]>();
  for (const facts of await findDeliveryInfo(app.mongo.db, accountId, ids)) {
    const subject = subjectOf(facts) ?? "";
    const known = bySubject.get(subject);
    if (known) known.push(facts);
    else bySubject.set(subject, [facts]);
  }
  return new Map([...bySubject].map(([id, facts]) => [id, summarise(facts)]));
}
