// Documents of providers that operators have set something for, and of a pause of the queue. Named queries only.
import { findingById } from "../../base/mongo/by-id.ts";
import { collectionNamed, type Db } from "../../base/mongo/client.ts";
import type { ReadContext } from "../../base/mongo/in-tx.ts";
import type { CollectionSpec } from "../../base/mongo/indexes.ts";
import { upsertOnce } from "../../base/mongo/upsert.ts";
import type { QueuePause } from "../../kernel/definitions.ts";
import type { Usage } from "./permit-rules.ts";

/**
 * An operator's settings of a provider, and, if it has a limit, its calls. A provider without a document has no limit and is not paused.
 * Updates: operators; workers, when a call of a provider with a limit begins or ends. Deletion: never. Guarantees: `revision` grows with
 * each change of permits or starts, so that two workers never give the same permit.
 */
export type ProviderDoc = Usage & {
  /** The provider's name, as in the models. */
  _id: string;
  max_calls?: number;
  max_calls_per_minute?: number;
  paused?: true;
  revision: number;
  updated_at: Date;
};

/**
 * That operators have paused the queue. Without this document it is open.
 *
 * Updates: operators. Deletion: when it is resumed.
 */
type QueuePauseDoc = QueuePause & { _id: "queue" };

export const LIMIT_COLLECTIONS: readonly CollectionSpec[] = [
  // There are few documents, which are read together, so the id is index enough.
  { name: "queue_pauses", holds: "nothing of an account", indexes: [] },
  { name: "providers", holds: "nothing of an account", indexes: [] },
];

const providers = collectionNamed<ProviderDoc>("providers");

export async function findProviders(db: Db): Promise<ProviderDoc[]> {
  return providers(db).find().sort({ _id: 1 }).toArray();
}

export const findProvider = findingById(providers);

export async function findPausedProviders(db: Db, { session }: ReadContext = {}): Promise<string[]> {
  const found = await providers(db)
    .find({ paused: true }, { projection: { _id: 1 }, ...(session && { session }) })
    .toArray();
  return found.map(({ _id }) => _id);
}

/** An operator's change of a provider; null removes a limit. */
export type ProviderChange = {
  readonly max_calls?: number | null;
  readonly max_calls_per_minute?: number | null;
  readonly paused?: boolean;
};

export async function saveProvider(
  db: Db,
  name: string,
  change: ProviderChange,
  now: Date,
): Promise<ProviderDoc> {
  const { paused, ...limits } = change;
  const entries = Object.entries({ ...limits, ...(paused !== undefined && { paused: paused || null }) });
  const unset = entries.filter(([, value]) => value === null).map(([field]) => [field, ""]);
  const stored = await providers(db).findOneAndUpdate(
    { _id: name },
    {
      $set: { ...Object.fromEntries(entries.filter(([, value]) => value !== null)), updated_at: now },
      $unset: Object.fromEntries(unset),
      $setOnInsert: { revision: 0, places: [], starts: [] },
    },
    { upsert: true, returnDocument: "after" },
  );
  if (!stored) throw new Error("an upsert answered no document");
  return stored;
}

/** Returns false if it has been changed since it was read. */
export async function saveUsage(
  db: Db,
  { _id, revision }: Pick<ProviderDoc, "_id" | "revision">,
  { places, starts }: Usage,
): Promise<boolean> {
  const { matchedCount } = await providers(db).updateOne(
    { _id, revision },
    { $set: { places: [...places], starts: [...starts] }, $inc: { revision: 1 } },
  );
  return matchedCount === 1;
}

/** Frees the permit of a job. Returns false if it had none. */
export async function removePlace(db: Db, name: string, job: string): Promise<boolean> {
  const { matchedCount } = await providers(db).updateOne(
    { _id: name, "places.job": job },
    { $pull: { places: { job } }, $inc: { revision: 1 } },
  );
  return matchedCount === 1;
}

const queuePauses = collectionNamed<QueuePauseDoc>("queue_pauses");

export async function findQueuePause(db: Db): Promise<QueuePause | undefined> {
  const found = await queuePauses(db).findOne({ _id: "queue" });
  return found ? { since: found.since, refuses: found.refuses } : undefined;
}

/** A queue that is paused already keeps the time of its pause. */
export async function saveQueuePause(db: Db, { since, refuses }: QueuePause): Promise<void> {
  await upsertOnce(() =>
    queuePauses(db).updateOne(
      { _id: "queue" },
      { $set: { refuses }, $setOnInsert: { since } },
      { upsert: true },
    ),
  );
}

export async function deleteQueuePause(db: Db): Promise<void> {
  await queuePauses(db).deleteOne({ _id: "queue" });
}
