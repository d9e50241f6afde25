// What each witness has cosigned of each log. Named queries only; no decisions.
import type { Witness } from "../../../runtime/config/log-witnesses.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { type Work, workDue } from "../../base/work/rules.ts";
import type { LogDoc } from "./store.ts";
import type { Cosignature, Seen } from "./witness-rules.ts";

/**
 * A witness of a log. A key or a log that is new to the other has a document of its own.
 *
 * Updates: by the worker that has the lease. Deletion: never.
 */
export type WitnessDoc = {
  /** The log, and the name and the id of the witness's key. */
  _id: string;
  /** The newest checkpoint that it has cosigned. Absent until the first. */
  cosigned?: Seen & Cosignature;
  /** Why it has not cosigned the newest checkpoint. Absent or null if it did when it was last asked. */
  fault?: { readonly words: string; readonly since: Date } | null;
  work: Work;
};

export const WITNESS_COLLECTIONS: readonly CollectionSpec[] = [
  { name: "log_witnesses", holds: "nothing of an account", indexes: [] },
];

export const witnessDocs = collectionNamed<WitnessDoc>("log_witnesses");

export function witnessId({ _id }: Pick<LogDoc, "_id">, { name, keyId }: Witness): string {
  return `${_id}/${name}+${keyId.toString("hex")}`;
}

/** In the order of the witnesses; undefined for one that was never asked. */
export async function findWitnesses(
  db: Db,
  log: Pick<LogDoc, "_id">,
  witnesses: readonly Witness[],
): Promise<(WitnessDoc | undefined)[]> {
  const ids = witnesses.map((witness) => witnessId(log, witness));
  const found = await witnessDocs(db)
    .find({ _id: { $in: ids } })
    .toArray();
  return ids.map((id) => found.find(({ _id }) => _id === id));
}

/** Does nothing where it exists. */
export async function insertWitness(db: Db, _id: string, at: Date): Promise<void> {
  await witnessDocs(db).updateOne({ _id }, { $setOnInsert: { work: workDue(at) } }, { upsert: true });
}

/** The lines that witnesses added to this checkpoint of the log. */
export async function findCosignatures(db: Db, log: string, { size, root }: Seen): Promise<string[]> {
  const found = await witnessDocs(db)
    .find({ _id: { $gt: `${log}/`, $lt: `${log}0` }, "cosigned.size": size, "cosigned.root": root })
    .sort({ _id: 1 })
    .toArray();
  return found.flatMap(({ cosigned }) => cosigned?.line ?? []);
}
