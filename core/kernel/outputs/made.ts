// Finds files by their digest: which jobs made one.
import type { App } from "../app.ts";
import { findMade } from "./store.ts";

/** Equal files are rare: copies of one small thing, or what a worker had stored before it was lost. */
const MOST_ALIKE = 20;

export type MadeFile = { readonly outputId: string; readonly accountId: string; readonly jobId: string };

/** Files of any account's jobs with these bytes that are still kept, or would be if their owner had not deleted them; the oldest first. */
export async function listMade(app: App, sha256: string): Promise<MadeFile[]> {
  const found = await findMade(app.mongo.db, sha256, { now: app.clock.now(), limit: MOST_ALIKE });
  return found.map(({ _id, metadata }) => ({
    outputId: _id,
    accountId: metadata.account_id,
    jobId: metadata.job_id,
  }));
}
