// Which jobs of all accounts an operator has selected.
import type { App } from "../../kernel/app.ts";
import { type JobSelection, type SelectedJob, streamSelected } from "./store-select.ts";

/** In no particular order, up to `limit`. */
export function selectJobs(
  { mongo }: Pick<App, "mongo">,
  selection: JobSelection,
  limit: number,
): AsyncIterable<SelectedJob> {
  return streamSelected(mongo.db, selection, limit);
}
