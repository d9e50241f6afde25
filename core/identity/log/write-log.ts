// Adds the heads of ledgers that changed to the log, and signs what it is then. One worker at a time; a ledger never waits for it.
import { randomBytes } from "node:crypto";
import { withoutPrefix } from "../../../runtime/clock.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import { inParts } from "../../base/mongo/read-some.ts";
import { release, takeThese } from "../../base/work/queue.ts";
import type { App } from "../../kernel/app.ts";
import { signNote } from "../../kernel/signing/notes.ts";
import { type ChangedHead, changedHeads } from "../accounts/list-ids.ts";
import { appendEntries, HASH_BYTES, tilesAbove, treeHash } from "./merkle-rules.ts";
import { checkpointText, logEntryOf } from "./rules.ts";
import { type BuiltDoc, findUnlogged, saveIndex } from "./store-solvency.ts";
import {
  findHeldLog,
  findLog,
  findLoggedIds,
  findTiles,
  headId,
  insertHeads,
  insertLog,
  logs,
  type LogDoc,
  saveAppended,
  saveCheckpoint,
  saveTiles,
} from "./store.ts";
import { statementEntry, statementOf } from "./sum-rules.ts";

/** A worker that is killed keeps the log from the others for this long. */
const LEASE_MS = 60_000;
/** A search begins this long after the last one began, or later where one takes long: without the adding, it takes no more than a hundredth of the time. */
const EVERY_MS = 8_000;
const SHARE = 100;
/** An entry is visible this long after its time at most: a transaction of MongoDB ends within a minute. */
const LATE_MS = 120_000;
/** Heads that are added in one transaction. */
const BATCH = 2_000;

/** Does nothing where another worker has the log, or where nothing can be signed. Safe to repeat, and to kill at any moment. */
export async function writeLog(app: App, signal?: AbortSignal): Promise<void> {
  let log = await takeLog(app);
  if (!log) return;
  const begun = app.clock.now();
  let addingMs = 0;
  const since = log.searched_at && new Date(log.searched_at.getTime() - LATE_MS);
  const statement = await findUnlogged(app.mongo.db, log._id);
  if (statement) log = await appendStatement(app, log, statement);
  // A worker that was killed may have left a size unsigned.
  if (!log || !(await signCheckpoint(app, log))) return;
  for await (const heads of inParts(changedHeads(app, since), BATCH)) {
    const found = app.clock.now().getTime();
    log = await appendHeads(app, log, heads);
    if (!log || !(await signCheckpoint(app, log))) return;
    addingMs += app.clock.now().getTime() - found;
    // The next search begins where this one began.
    if (signal?.aborted) return void (await release(logs(app.mongo.db), log, begun));
  }
  const searchMs = app.clock.now().getTime() - begun.getTime() - addingMs;
  const waitMs = Math.max(EVERY_MS, searchMs * SHARE);
  const next = new Date(begun.getTime() + waitMs);
  await release(logs(app.mongo.db), log, next, { $set: { searched_at: begun } });
}

/** The log of this database, for as long as the lease lasts. A restored database begins another. */
export async function takeLog(app: App): Promise<LogDoc | undefined> {
  if (app.signingKeys.receipts.length === 0) return undefined;
  const { db } = app.mongo;
  const now = app.clock.now();
  if (!(await findLog(db))) {
    const host = app.generationBaseUrl.replace(/^\w+:\/\//, "");
    await insertLog(db, { origin: `${host}/log/${withoutPrefix(app.newId("log"))}`, at: now });
  }
  const log = await findLog(db);
  const [taken] = log ? await takeThese(logs(db), [log._id], { now, leaseMs: LEASE_MS }) : [];
  return taken;
}

/**
 * Adds the heads that the log does not have yet, in one transaction. Returns the log as it is then, or undefined if another worker has it.
 * Throws where the stored tiles are not those of the stored root, so that nothing is signed that contradicts an earlier checkpoint.
 */
export async function appendHeads(
  app: App,
  taken: LogDoc,
  heads: readonly ChangedHead[],
): Promise<LogDoc | undefined> {
  const { db } = app.mongo;
  const salted = heads.map((head) => ({ head, salt: randomBytes(HASH_BYTES) }));
  return append(app, taken, async (log, tx) => {
    const idOf = ({ head }: (typeof salted)[number]) => headId(log._id, head);
    const known = await findLoggedIds(db, salted.map(idOf), tx);
    const fresh = salted.filter((one) => !known.has(idOf(one)));
    if (fresh.length > 0) await insertHeads(db, log, fresh, tx);
    return fresh.map(({ head, salt }) => logEntryOf(head, salt));
  });
}

/** Adds the total of all balances. Otherwise as `appendHeads`. */
export async function appendStatement(
  app: App,
  taken: LogDoc,
  { _id, built }: BuiltDoc,
): Promise<LogDoc | undefined> {
  const total = { ...built, root: built.root.value() };
  return append(app, taken, async (log, tx) => {
    const isNew = await saveIndex(app.mongo.db, _id, log.size, tx);
    return isNew ? [statementEntry(statementOf(log.origin, total))] : [];
  });
}

/** `entriesOf` writes what belongs to the entries that follow the log, and returns them. */
async function append(
  app: App,
  taken: LogDoc,
  entriesOf: (log: LogDoc, tx: TxContext) => Promise<readonly Uint8Array[]>,
): Promise<LogDoc | undefined> {
  const { db } = app.mongo;
  return inTx(app, async (tx) => {
    const log = await findHeldLog(db, taken, tx);
    if (!log) return undefined;
    const entries = await entriesOf(log, tx);
    if (entries.length === 0) return log;
    const edge = await findTiles(db, log._id, tilesAbove(log.size), tx);
    if (log.root && !log.root.value().every((byte, at) => byte === treeHash(edge, 0, log.size)[at]))
      throw new Error(`the tiles of the log ${log.origin} do not have the root of its ${log.size} entries`);
    const changed = appendEntries(edge, log.size, entries);
    const size = log.size + entries.length;
    const root = treeHash(new Map([...edge, ...changed]), 0, size);
    await saveTiles(db, log._id, changed, tx);
    const until = new Date(tx.now.getTime() + LEASE_MS);
    return (await saveAppended(db, log, { size, root, until }, tx)) ?? undefined;
  });
}

/** Signs only what is committed, so that there is one root for each size. Returns false if another worker has the log. */
export async function signCheckpoint(app: App, log: LogDoc): Promise<boolean> {
  const { size, root, origin } = log;
  if (!root || log.checkpoint?.size === size) return true;
  const note = await signNote(app, origin, checkpointText(origin, size, root.value()));
  if (note === undefined) return false;
  return saveCheckpoint(app.mongo.db, log, { size, note, at: app.clock.now() });
}
