// Runs migrations: one process at a time, one transaction per batch, continuing after the last completed batch.
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
  /** Called for each migration that this process has completed. */
  onDone: (migration: Migration) => void;
  /** After this time without a heartbeat, another process continues. It is far longer than a transaction may take. */
  leaseMs?: number;
};

const LEASE_MS = 30_000;
const POLL_MS = 200;
/** A transaction over this many documents takes some tens of milliseconds, during which no one else can write them. */
const BATCH = 200;
/** After this many lost conflicts the batch is halved. */
const CONFLICTS = 3;

/** Another process holds the lease. Nothing of the batch is written. */
class LostLease extends Error {
  override readonly name = "LostLease";
}

/** Migrates data to the version of the last of `migrations`, unless they are newer. Waits if another process is migrating. */
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
      // If this fails too, the lease expires; the operator needs to see the original cause.
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
      // Running processes keep changing some of the documents; smaller batches meet fewer of their writes.
      if (!(error instanceof TooManyConflicts)) throw error;
      limit = Math.ceil(limit / 2);
    }
  }
}
