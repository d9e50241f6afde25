// What the public log costs: time and stored bytes for each entry that is added, by how many ledgers changed, the daily tree of all balances,
// and the time of a proof.
// npm run bench -- log [ACCOUNTS], default 100,000. Rows after the first are of this grown log.
import { grantCredits } from "../core/identity/credits/grant.ts";
import { buildSolvency } from "../core/identity/log/build-solvency.ts";
import { proveAccount } from "../core/identity/log/read-log.ts";
import { SOLVENCY_COLLECTIONS } from "../core/identity/log/store-solvency.ts";
import { findLog, LOG_COLLECTIONS, logs } from "../core/identity/log/store.ts";
import { writeLog } from "../core/identity/log/write-log.ts";
import type { App } from "../core/kernel/app.ts";
import { insertAccounts } from "./support/history.ts";
import { median, ms, printTable, quantile, readSizes } from "./support/stats.ts";
import { onBenchApp } from "./support/world.ts";

const DEFAULT_ACCOUNTS = 100_000;
const CHANGES = [1_000, 1];
const GRANTS_TOGETHER = 32;
const PROOFS = 500;
const HOUR_MS = 3_600_000;

export async function run(): Promise<void> {
  const [accounts = DEFAULT_ACCOUNTS] = readSizes(process.argv.slice(3));
  await onBenchApp("log", async (app) => {
    const callers = await insertAccounts(app, accounts);
    const ids = callers.flatMap((caller) => (caller.kind === "account" ? [caller.accountId] : []));
    const rows = [await measureWrite(app)];
    for (const [round, count] of CHANGES.entries()) {
      // As if an hour had passed, so that the search finds these changes alone.
      const now = () => new Date(app.clock.now().getTime() + (round + 1) * HOUR_MS);
      const later = { ...app, clock: { now } };
      await grantAll(later, ids.slice(0, count));
      rows.push(await measureWrite(later));
    }
    printTable(["entries added", "ms", "bytes", "bytes per entry"], rows);
    const begunTree = performance.now();
    await buildSolvency(app);
    const treeMs = performance.now() - begunTree;
    const bytes = (await storedBytes(app, SOLVENCY_COLLECTIONS)) / accounts;
    console.log(`the tree of ${accounts} balances: ${ms(treeMs)}, ${Math.round(bytes)} bytes per account`);
    await measureWrite(app);
    const took: number[] = [];
    for (let n = 0; n < PROOFS; n += 1) {
      const begun = performance.now();
      await proveAccount(app, ids[Math.floor((n * ids.length) / PROOFS)] ?? "");
      took.push(performance.now() - begun);
    }
    console.log(`a proof: median ${ms(median(took))}, 99% ${ms(quantile(took, 0.99))}`);
  });
}

async function grantAll(app: App, ids: readonly string[]): Promise<void> {
  for (let n = 0; n < ids.length; n += GRANTS_TOGETHER)
    await Promise.all(
      ids
        .slice(n, n + GRANTS_TOGETHER)
        .map((accountId) =>
          grantCredits(app, { accountId, amount: 1, kind: "grant", memo: null, source: "system" }),
        ),
    );
}

/** One turn of the worker, which signs a checkpoint for each 2,000 entries. */
async function measureWrite(app: App): Promise<string[]> {
  const { db } = app.mongo;
  const [size, bytes] = [(await findLog(db))?.size ?? 0, await storedBytes(app)];
  await logs(db).updateMany({}, { $set: { "work.due_at": new Date(1) } });
  const begun = performance.now();
  await writeLog(app);
  const took = performance.now() - begun;
  const [entries, added] = [((await findLog(db))?.size ?? 0) - size, (await storedBytes(app)) - bytes];
  return [entries, took, added, added / entries].map((figure) => Math.round(figure).toLocaleString("en-US"));
}

async function storedBytes({ mongo }: App, of = LOG_COLLECTIONS): Promise<number> {
  let bytes = 0;
  for (const { name } of of) {
    const stats = mongo.db.collection(name).aggregate([{ $collStats: { storageStats: {} } }]);
    for await (const { storageStats } of stats) bytes += (storageStats as { size: number }).size;
  }
  return bytes;
}
