// Removes files whose time is over, those of jobs that never settled included.
import type { App } from "../app.ts";
import { deleteFiles, findExpiredFiles } from "./store.ts";

const FILES_PER_BATCH = 100;
/** One sweep stops here, and the next one goes on, so that no sweep runs for hours. */
const MAX_BATCHES = 100;

/** Answers how many files it removed. Safe in several processes at once. */
export async function removeExpiredOutputs(app: App): Promise<number> {
  const { db } = app.mongo;
  const now = app.clock.now();
  let removed = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const ids = await findExpiredFiles(db, now, FILES_PER_BATCH);
    if (ids.length === 0) break;
    await deleteFiles(db, ids);
    removed += ids.length;
  }
  return removed;
}
