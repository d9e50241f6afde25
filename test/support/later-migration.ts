// A migration of no release, which shows that one works on data of every release.
import { FIRST_VERSION, MIGRATIONS } from "../../core/base/migrations/list.ts";
import { type Migration, updateNext } from "../../core/base/migrations/migration.ts";

const JOBS_AT_ONCE = 2;

/** Jobs get the length of their prompt in small batches; `onBatch` is called before each and may delay it. */
export function laterMigration(onBatch: () => Promise<void>): Migration {
  return {
    version: FIRST_VERSION + MIGRATIONS.length + 1,
    what: "jobs know how long their prompts are",
    batch: async (batch) => {
      await onBatch();
      return updateNext(
        { ...batch, limit: Math.min(batch.limit, JOBS_AT_ONCE) },
        "jobs",
        { prompt_length: { $exists: false } },
        [{ $set: { prompt_length: { $strLenCP: "$prompt" } } }],
      );
    },
  };
}
