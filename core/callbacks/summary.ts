// How the callbacks of some jobs stand, for their records. Apart from log.ts, because the job record needs it.
import type { App } from "../app.ts";
import { type CallbackSummary, summarise } from "./rules.ts";
import { type DeliveryFacts, findDeliveryFacts } from "./store.ts";

/** By job id; jobs without deliveries are left out. */
export async function summariseDeliveries(
  app: App,
  accountId: string,
  jobIds: readonly string[],
): Promise<Map<string, CallbackSummary>> {
  if (jobIds.length === 0) return new Map();
  const byJob = new Map<string, DeliveryFacts[]>();
  for (const facts of await findDeliveryFacts(app.mongo.db, accountId, jobIds)) {
    const known = byJob.get(facts.job_id);
    if (known) known.push(facts);
    else byJob.set(facts.job_id, [facts]);
  }
  return new Map([...byJob].map(([jobId, facts]) => [jobId, summarise(facts)]));
}
