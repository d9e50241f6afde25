// The public part of the log, and the proof that an owner's ledger is in it.
import { AppError } from "../../../proto/codes.ts";
import type { LogProofResource } from "../../../proto/resources/log-proof.ts";
import type { Db } from "../../base/mongo/client.ts";
import type { App } from "../../kernel/app.ts";
import { HASH_BYTES, hashesOf, inclusionPath, slicesOf, tileKey, tilesAbove } from "./merkle-rules.ts";
import { toBundle } from "./rules.ts";
import { findLog, findNewestHead, findTiles, type LogDoc } from "./store.ts";
import { findCosignatures, findWitnesses, type WitnessDoc } from "./store-witnesses.ts";
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

/** Proves that the newest logged entry of the account is in the newest checkpoint; undefined where there is none. */
export async function proveHead(app: LogApp, accountId: string): Promise<LogProofResource | undefined> {
  const logged = await newestLogged(app, accountId, await currentLog(app));
  if (!logged) return undefined;
  const { log, origin, size, note, head } = logged;
  const keys = new Set([...tilesAbove(size), ...tilesAbove(size, head.index)]);
  const tiles = await findTiles(app.mongo.db, log, [...keys]);
  const hex = (hash: Uint8Array) => Buffer.from(hash).toString("hex");
  return {
    origin,
    account_id: accountId,
    seq: head.seq,
    hash: head.hash,
    salt: hex(head.salt.value()),
    index: head.index,
    path: inclusionPath(tiles, head.index, size).map(hex),
    checkpoint: await withCosignatures(app.mongo.db, log, note),
  };
}
