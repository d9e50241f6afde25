// Grants the monthly credits of started periods, and ends expired credits, a few accounts at a time.
import { randomInt } from "node:crypto";
import { TooManyConflicts } from "../../base/mongo/errors.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { loadDueAccounts, saveSweptAccounts } from "../accounts/load.ts";
import { bringUpToDate, owedGrantIds } from "./period-rules.ts";
import { findEntryIds, insertEntries } from "./store.ts";

/** A transaction over this many accounts lasts some tens of milliseconds, which blocks their jobs. */
const BATCH = 200;
/** This many lost conflicts halve a batch. */
const CONFLICTS = 3;
/** After a conflict a worker skips up to this many batches: another one sweeps at the head of the line. */
const MAX_SKIP = 4;

/**
 * Sweeps every due account, the longest due first. Safe to repeat and to run in several workers in parallel: the id of a grant consists of
 * account and period. Returns how many were swept.
 */
export async function sweepCredits(app: App, signal?: AbortSignal): Promise<number> {
  let total = 0;
  let limit = BATCH;
  while (!signal?.aborted) {
    try {
      const swept = await sweepBatch(app, limit);
      total += swept;
      if (swept < limit) return total;
      limit = Math.min(BATCH, limit * 2);
    } catch (error) {
      // Jobs keep changing some of the accounts: smaller batches conflict less.
      if (!(error instanceof TooManyConflicts) || limit === 1) throw error;
      limit = Math.ceil(limit / 2);
    }
  }
  return total;
}

async function sweepBatch(app: App, limit: number): Promise<number> {
  const { db } = app.mongo;
  let tries = 0;
  const work = async (tx: TxContext): Promise<number> => {
    const at = tx.now;
    const skip = tries++ === 0 ? 0 : limit * randomInt(MAX_SKIP + 1);
    const due = await loadDueAccounts(app, { limit, skip }, tx);
    const owed = due.flatMap(({ account }) => owedGrantIds(account, at));
    const accountIds = due.map(({ account }) => account._id);
    const given = await findEntryIds(db, { ids: owed, accountIds }, tx);
    const swept = due.map((loaded) => bringUpToDate(loaded, at, given));
    await saveSweptAccounts(
      app,
      swept.map(({ account }) => account),
      tx,
    );
    await insertEntries(
      db,
      swept.flatMap(({ entries }) => entries),
      tx,
    );
    return due.length;
  };
  return inTx(app, work, { maxConflicts: CONFLICTS });
}
