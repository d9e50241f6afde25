// Runs a migration to its end, each batch of `limit` documents in a transaction, as the service does. Returns the number of batches.
import type { Migration } from "../../../../core/base/migrations/migration.ts";
import type { Mongo } from "../../../../core/base/mongo/client.ts";
import { inTx } from "../../../../core/base/mongo/in-tx.ts";
import { systemClock } from "../../../../runtime/clock.ts";

export async function runBatches(mongo: Mongo, migration: Migration, limit: number): Promise<number> {
  let batches = 0;
  let after: string | null = null;
  do {
    const from: string | null = after;
    after = await inTx({ mongo, clock: systemClock }, ({ session }) =>
      migration.batch({ db: mongo.db, session, after: from, limit }),
    );
    batches += 1;
  } while (after !== null);
  return batches;
}
