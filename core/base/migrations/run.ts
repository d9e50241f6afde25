// Runs migrations: one process at a time, a batch in each transaction, from where the last one ended.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../../runtime/clock.ts";
import type { Mongo } from "../mongo/client.ts";
import { TooManyConflicts } from "../mongo/errors.ts";
import { inTx, type TxContext } from "../mongo/in-tx.ts";
import type { Migration } from "./migration.ts";
import { findSchema, releaseSchemaLease, saveProgress, saveVersion, takeSchemaLease } from "./store.ts";

export type MigrationRun = {
  migrations: readonly Migration[];
  /** Called for each migration that this process has finished. */
  onDone: (migration: Migration) => void;
  /** Without a sign of life for so long, another process goes on. Far longer than a transaction may last. */
  leaseMs?: number;
};

const LEASE_MS = 30_000;
const POLL_MS = 200;
/** A transaction over so many documents lasts some tens of milliseconds, in which no one else can write them. */
const BATCH = 200;
/** So many lost conflicts halve a batch. */
const CONFLICTS = 3;

/** Another process holds the lease by now. Nothing of the batch is written. */
class LostLease extends Error {
  override readonly name = "LostLease";
}

/** Brings data to the version of the last of `migrations`, unless they are newer. Waits if another process is doing so. */
export async function runMigrations(
  mongo: Mongo,
  { migrations, onDone, leaseMs = LEASE_MS }: MigrationRun,
): Promise<void> {
  const owner = randomUUID();
  for (;;) {
    const version = (await findSchema(mongo.db))?.version ?? 0;
    const next = migrations.find((one) => one.version === version + 1);
    if (!next) return;
    const leased = await takeSchemaLease(mongo.db, { version, owner, leaseMs });
    if (!leased) {
      await sleep(POLL_MS);
      continue;
    }
    try {
      await runOne(mongo, next, { owner, leaseMs, after: leased.after });
      onDone(next);
    } catch (error) {
      if (error instanceof LostLease) continue;
      // Should that fail too, the lease ends by itself; the cause is what the operator has to hear.
      await releaseSchemaLease(mongo.db, owner).catch(() => {});
      throw error;
    }
  }
}

async function runOne(
  mongo: Mongo,
  migration: Migration,
  { owner, leaseMs, after: from }: { owner: string; leaseMs: number; after: string | null },
): Promise<void> {
  const { version } = migration;
  let after = from;
  let limit = BATCH;
  for (;;) {
    const batch = async (tx: TxContext) => {
      const last = await migration.batch({ db: mongo.db, session: tx.session, after, limit });
      const saved =
        last === null
          ? await saveVersion(mongo.db, { version, owner }, tx)
          : await saveProgress(mongo.db, { version: version - 1, owner, leaseMs, after: last }, tx);
      if (!saved) throw new LostLease(`the lease of migration ${version} is another process's`);
      return last;
    };
    try {
      after = await inTx({ mongo, clock: systemClock }, batch, limit > 1 ? { maxConflicts: CONFLICTS } : {});
      if (after === null) return;
      limit = Math.min(BATCH, limit * 2);
    } catch (error) {
      // Running processes keep changing some of the documents: fewer at a time meet fewer of their writes.
      if (!(error instanceof TooManyConflicts)) throw error;
      limit = Math.ceil(limit / 2);
    }
  }
}
