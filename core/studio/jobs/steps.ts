// Jobs as steps of a workflow, for the workflows slice.
import type { ReadContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import type { ArchivedJob } from "./archive-rules.ts";
import { findArchivedJobs } from "./archived-jobs.ts";
import { findIdempotencyKeys, findJobs } from "./store-changes.ts";
import { findVersions } from "./store-reads.ts";
import type { IdempotencyDoc, JobDoc } from "./store.ts";

/** Announces that these jobs have ended, if they are steps, so that their workflows are processed immediately. */
export function tellStepsEnded(
  { signals }: Pick<App, "signals">,
  ended: readonly Pick<JobDoc, "account_id" | "workflow_id">[],
): void {
  const workflows = ended.flatMap(({ account_id: accountId, workflow_id: workflowId }) =>
    workflowId === undefined ? [] : [{ accountId, workflowId }],
  );
  if (workflows.length > 0) signals.emit("stepEnded", workflows);
}

/** Live jobs of an account by id, inside the transaction if there is one. */
export async function readSteps(
  app: App,
  accountId: string,
  jobIds: readonly string[],
  tx?: ReadContext,
): Promise<Map<string, JobDoc>> {
  const ids = jobIds.map((jobId) => ({ accountId, jobId }));
  return findJobs(app.mongo.db, ids, tx);
}

/** The same, including archived ones. */
export async function readAllSteps(
  app: App,
  accountId: string,
  jobIds: readonly string[],
): Promise<Map<string, JobDoc | ArchivedJob>> {
  const live = await readSteps(app, accountId, jobIds);
  const left = jobIds.filter((id) => !live.has(id));
  if (left.length === 0) return live;
  const archived = await findArchivedJobs(app, accountId, left);
  return new Map<string, JobDoc | ArchivedJob>([...live, ...archived.map((job) => [job._id, job] as const)]);
}

/** The number of events of each of these jobs. */
export async function stepVersions(app: App, jobIds: readonly string[]): Promise<Map<string, number>> {
  return findVersions(app.mongo.db, jobIds);
}

/** The result of an earlier request with this Idempotency-Key. */
export async function earlierRequest(
  app: App,
  key: { readonly id: string; readonly accountId: string },
  tx?: ReadContext,
): Promise<IdempotencyDoc | undefined> {
  return (await findIdempotencyKeys(app.mongo.db, [key], tx)).get(key.id);
}
