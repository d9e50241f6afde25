// The public part of the log, and the proofs that an owner's ledger and balance are in it.
import { AppError } from "../../../proto/codes.ts";
import type { LogProofResource, SolvencyProofResource } from "../../../proto/resources/log-proof.ts";
import type { Db } from "../../base/mongo/client.ts";
import type { App } from "../../kernel/app.ts";
import {
  HASH_BYTES,
  hashesOf,
  inclusionPath,
  slicesOf,
  TILE_WIDTH,
  tileKey,
  tilesAbove,
} from "./merkle-rules.ts";
import { toBundle } from "./rules.ts";
import { findPart, findStatements } from "./store-solvency.ts";
import { findCosignatures, findWitnesses, type WitnessDoc } from "./store-witnesses.ts";
import { findLog, findNewestHead, findTiles, type LogDoc, type TilesName } from "./store.ts";
import { leafNode, orderOf, pathInPart, saltOf, statementOf, SUMS } from "./sum-rules.ts";
import { seenIn } from "./witness-rules.ts";

type LogApp = Pick<App, "mongo">;

/** The log that is written in this database; undefined until one is. */
export async function currentLog({ mongo }: LogApp): Promise<LogDoc | undefined> {
  return findLog(mongo.db);
}

/** A signed note (c2sp.org/tlog-checkpoint), with the cosignatures of witnesses so far. Throws not_found until there is one. */
export async function readCheckpoint({ mongo }: LogApp): Promise<string> {
  const log = await findLog(mongo.db);
  if (!log?.checkpoint) throw new AppError("not_found", { message: "The log has no checkpoint yet." });
  return withCosignatures(mongo.db, log._id, log.checkpoint.note);
}

async function withCosignatures(db: Db, log: string, note: string): Promise<string> {
  return [note, ...(await findCosignatures(db, log, seenIn(note)))].join("");
}

/** The witnesses of the settings by the names of their keys, and what each has cosigned of the log; undefined if it was never asked. */
export async function listWitnesses({
  mongo,
  config,
}: Pick<App, "mongo"> & { readonly config: Pick<App["config"], "logWitnesses"> }): Promise<
  { readonly name: string; readonly doc: WitnessDoc | undefined }[]
> {
  const log = config.logWitnesses.length > 0 ? await findLog(mongo.db) : undefined;
  const docs = log ? await findWitnesses(mongo.db, log, config.logWitnesses) : [];
  return config.logWitnesses.map(({ name }, at) => ({ name, doc: docs[at] }));
}

export type TileRequest = {
  /** From 0. Without one, the bundle of entries. */
  readonly level?: number | undefined;
  readonly index: number;
  /** In hashes or entries. */
  readonly width: number;
};

/** A tile, or a bundle of entries, of the first `width` (c2sp.org/tlog-tiles). Throws not_found where the log has fewer. */
export async function readTile({ mongo }: LogApp, { level, index, width }: TileRequest): Promise<Buffer> {
  const log = await findLog(mongo.db);
  const key = tileKey(level ?? 0, index);
  const stored = log && (await findTiles(mongo.db, log._id, [key])).get(key);
  const tile = stored?.subarray(0, width * HASH_BYTES) ?? new Uint8Array();
  if (tile.length < width * HASH_BYTES || width < 1)
    throw new AppError("not_found", { message: `The log has no ${width} hashes in this tile.` });
  return level === undefined ? toBundle(slicesOf(tile)) : hashesOf(level, tile);
}

/** The newest entry of a ledger that the checkpoint of `log` covers; null if there is none. */
export async function newestLogged({ mongo }: LogApp, accountId: string, log: LogDoc | undefined) {
  if (!log?.checkpoint) return null;
  const { size, note } = log.checkpoint;
  const head = await findNewestHead(mongo.db, { accountId, log: log._id, size });
  return head && { log: log._id, origin: log.origin, size, note, head };
}

export type LogProofs = {
  readonly proof?: LogProofResource | undefined;
  readonly solvency?: SolvencyProofResource | undefined;
};

/** Proves that the newest logged entry of the account, and its balance in the newest total, are in the newest checkpoint, where they are. */
export async function proveAccount(app: LogApp, accountId: string): Promise<LogProofs> {
  const log = await currentLog(app);
  if (!log?.checkpoint) return {};
  const note = await withCosignatures(app.mongo.db, log._id, log.checkpoint.note);
  const cosigned = { ...log, checkpoint: { ...log.checkpoint, note } };
  const [proof, solvency] = await Promise.all([
    proveHead(app, accountId, cosigned),
    proveBalance(app, accountId, cosigned),
  ]);
  return { proof, solvency };
}

async function proveHead(app: LogApp, accountId: string, of: LogDoc): Promise<LogProofResource | undefined> {
  const logged = await newestLogged(app, accountId, of);
  if (!logged) return undefined;
  const { log, origin, size, note, head } = logged;
  return {
    origin,
    account_id: accountId,
    seq: head.seq,
    hash: head.hash,
    salt: hex(head.salt.value()),
    index: head.index,
    path: await pathIn(app, log, { at: head.index, size }),
    checkpoint: note,
  };
}

async function proveBalance(
  app: LogApp,
  accountId: string,
  log: LogDoc & Required<Pick<LogDoc, "checkpoint">>,
): Promise<SolvencyProofResource | undefined> {
  const { size, note } = log.checkpoint;
  const { db } = app.mongo;
  const [statement] = await findStatements(db, log._id, { logged: size, limit: 1 });
  if (!statement) return undefined;
  const { tree, secret, accounts, ...total } = statement.built;
  const salt = saltOf(secret.value(), accountId);
  const part = await findPart(db, { tree, accountId, order: orderOf(salt) });
  const at = part?.leaves.findIndex((one) => one.account_id === accountId) ?? -1;
  const leaf = part?.leaves[at];
  if (!part || !leaf || statement.index === undefined) return undefined;
  const nodes = part.leaves.map((one) => leafNode(one, saltOf(secret.value(), one.account_id)));
  const above = await pathIn(app, tree, { at: part.index, size: Math.ceil(accounts / TILE_WIDTH) }, SUMS);
  return {
    ...leaf,
    salt: hex(salt),
    index: part.index * TILE_WIDTH + at,
    path: [...pathInPart(nodes, at).map(hex), ...above],
    statement: statementOf(log.origin, { ...total, accounts, root: total.root.value() }),
    log_index: statement.index,
    log_path: await pathIn(app, log._id, { at: statement.index, size }),
    checkpoint: note,
  };
}

/** The total of all balances of each day, as the log states it. */
export type Statement = { readonly index: number; readonly text: string };

/** Those that the checkpoint covers, the newest first. */
export async function readStatements({ mongo }: LogApp): Promise<Statement[]> {
  const log = await findLog(mongo.db);
  if (!log?.checkpoint) return [];
  const found = await findStatements(mongo.db, log._id, { logged: log.checkpoint.size });
  return found.map(({ index = 0, built }) => ({
    index,
    text: statementOf(log.origin, { ...built, root: built.root.value() }),
  }));
}

async function pathIn(
  { mongo }: LogApp,
  tree: string,
  { at, size }: { at: number; size: number },
  hashing?: typeof SUMS,
): Promise<string[]> {
  const keys = new Set([...tilesAbove(size), ...tilesAbove(size, at)]);
  const name: TilesName = hashing ? "solvency_tiles" : "log_tiles";
  const tiles = await findTiles(mongo.db, tree, [...keys], { name });
  return inclusionPath(tiles, at, size, hashing).map(hex);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
