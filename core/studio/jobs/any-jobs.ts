// Jobs of all accounts, for operators: those that they have selected, and those that failed last.
import type { App } from "../../kernel/app.ts";
import { type FailedJob, findFailedLately } from "./store-reads.ts";
import { type JobSelection, type SelectedJob, streamSelected } from "./store-select.ts";

const AMONG = 1_000;

/** In no particular order, up to `limit`. */
export function selectJobs(
  { mongo }: Pick<App, "mongo">,
  selection: JobSelection,
  limit: number,
): AsyncIterable<SelectedJob> {
  return streamSelected(mongo.db, selection, limit);
}

export async function failedLately(app: Pick<App, "mongo">, limit: number): Promise<FailedJob[]> {
  return findFailedLately(app.mongo.db, { among: AMONG, limit });
}
