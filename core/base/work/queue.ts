// The one queue of durable work: documents with a `work` part are taken under a lease, and written back only by the worker that has them.
// Each function is one guarded write, safe in any number of processes and to repeat. docs/decisions/work-queue.md names the users.
import { randomUUID } from "node:crypto";
import type { Collection, UpdateFilter } from "../mongo/client.ts";
import { dueBy, WAITS } from "../mongo/due.ts";
import type { CollectionSpec } from "../mongo/indexes.ts";
import type { Work } from "./rules.ts";

/** A document of a queue. `work` is absent where nothing was ever to be done, and of documents that the release before wrote. */
export type Queued = { _id: string; work?: Work };
type Taken = { readonly _id: string; readonly work?: Work };
type Also<Doc> = { $set?: Partial<Omit<Doc, "_id" | "work">>; $push?: UpdateFilter<Doc>["$push"] };

/** What waits for a worker, as the index on it has it. */
export const IS_WAITING = { "work.due_at": WAITS };

/** The index that `take` needs. */
export function workIndex(why: string): CollectionSpec["indexes"][number] {
  return {
    name: "work",
    key: { "work.due_at": 1 },
    options: { partialFilterExpression: IS_WAITING },
    why,
  };
}

/** Takes up to `limit` documents, the longest due first. Another worker may take them after `leaseMs`. */
export async function take<Doc extends Queued>(
  documents: Collection<Doc>,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<Doc[]> {
  for (;;) {
    const found = await untyped(documents)
      .find({ "work.due_at": dueBy(now) }, { projection: { _id: 1 } })
      .sort({ "work.due_at": 1 })
      .limit(limit)
      .toArray();
    const ids = found.map(({ _id }) => _id);
    const taken = await takeThese(documents, ids, { now, leaseMs });
    // Where other workers were faster with all of them, there may be more.
    if (taken.length > 0 || ids.length === 0) return taken;
  }
}

/** Takes those of the documents that are still due. */
export async function takeThese<Doc extends Queued>(
  documents: Collection<Doc>,
  ids: readonly string[],
  { now, leaseMs }: { now: Date; leaseMs: number },
): Promise<Doc[]> {
  if (ids.length === 0) return [];
  const owner = randomUUID();
  const until = new Date(now.getTime() + leaseMs);
  const { modifiedCount } = await untyped(documents).updateMany(
    { _id: { $in: [...ids] }, "work.due_at": dueBy(now) },
    { $set: { "work.due_at": until, "work.owner": owner } },
    { hint: "_id_" },
  );
  if (modifiedCount === 0) return [];
  const taken = await untyped(documents)
    .find({ _id: { $in: [...ids] }, "work.owner": owner }, { hint: "_id_" })
    .toArray();
  return taken as unknown as Doc[];
}

/** An attempt has ended, and nothing more is to be done. Answers false, and writes nothing, if the worker has lost the document. */
export function done<Doc extends Queued>(
  documents: Collection<Doc>,
  taken: Doc,
  also: Also<Doc> = {},
): Promise<boolean> {
  return again(documents, taken, null, also);
}

/** An attempt has ended, and another is due at `at`; null: none. Answers false, and writes nothing, if the worker has lost the document. */
export function again<Doc extends Queued>(
  documents: Collection<Doc>,
  taken: Doc,
  at: Date | null,
  also: Also<Doc> = {},
): Promise<boolean> {
  return write(documents, taken, { due_at: at, owner: null, attempts: attemptsOf(taken) + 1 }, also);
}

/** Gives the document back without an attempt. Answers false, and writes nothing, if the worker has lost it. */
export function release<Doc extends Queued>(
  documents: Collection<Doc>,
  taken: Doc,
  at: Date,
  also: Also<Doc> = {},
): Promise<boolean> {
  return write(documents, taken, { due_at: at, owner: null, attempts: attemptsOf(taken) }, also);
}

/** Keeps the document until `until`. Answers false, and writes nothing, if the worker has lost it. */
export function extend<Doc extends Queued>(
  documents: Collection<Doc>,
  taken: Doc,
  until: Date,
  also: Also<Doc> = {},
): Promise<boolean> {
  const owner = ownerOf(taken);
  return write(documents, taken, { due_at: until, owner, attempts: attemptsOf(taken) }, also);
}

/** Deletes the document instead. Answers false, and deletes nothing, if the worker has lost it. */
export async function remove<Doc extends Queued>(documents: Collection<Doc>, taken: Doc): Promise<boolean> {
  const { deletedCount } = await untyped(documents).deleteOne(held(taken));
  return deletedCount === 1;
}

async function write<Doc extends Queued>(
  documents: Collection<Doc>,
  taken: Doc,
  work: Work,
  { $set, ...also }: Also<Doc>,
): Promise<boolean> {
  const update = { ...also, $set: { ...$set, work } };
  const { matchedCount } = await untyped(documents).updateOne(held(taken), update as UpdateFilter<Queued>);
  return matchedCount === 1;
}

/** The document, as long as no other worker has taken it and its work was not queued again. */
function held(taken: Taken): { _id: string; "work.owner": string } {
  return { _id: taken._id, "work.owner": ownerOf(taken) };
}

function ownerOf({ _id, work }: Taken): string {
  if (!work?.owner) throw new Error(`${_id} was not taken`);
  return work.owner;
}

export function attemptsOf({ work }: Pick<Taken, "work">): number {
  return work?.attempts ?? 0;
}

/** The driver's types know no documents that are known only in part. */
function untyped<Doc extends Queued>(documents: Collection<Doc>): Collection<Queued> {
  return documents as unknown as Collection<Queued>;
}
