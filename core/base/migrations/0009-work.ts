// Queues keep what is due in one part of a document, `work`, in place of fields that each of them named in its own way.
// A worker that owned some is from before release 1.0.0, which cannot run next to this code, so its work is moved too.
import { WAITS } from "../mongo/due.ts";
import { type Migration, updateNext } from "./migration.ts";

type Moved = {
  readonly collection: string;
  /** The field that said when the work was due. It becomes null, as it was when nothing was due. */
  readonly due: string;
  readonly attempts: string;
  /** The field that named the worker that owned the document. */
  readonly owner?: string;
  /** Documents that are changed although no work of theirs is due. */
  readonly all?: true;
};

const MOVED: readonly Moved[] = [
  // Abandoned work keeps its number of attempts, which operators see.
  {
    collection: "mails",
    due: "next_attempt_at",
    attempts: "attempt_count",
    owner: "lease_owner",
    all: true,
  },
  { collection: "demo_events", due: "next_at", attempts: "attempts" },
  { collection: "orders", due: "next_check_at", attempts: "checks" },
  { collection: "payments", due: "next_attempt_at", attempts: "attempts" },
  { collection: "archive_passes", due: "next_at", attempts: "attempts", owner: "lease" },
];

function toWork({ due, attempts, owner }: Moved): Record<string, unknown>[] {
  const work = { due_at: `$${due}`, owner: null, attempts: { $ifNull: [`$${attempts}`, 0] } };
  return [{ $set: { work, [due]: null, ...(owner !== undefined && { [owner]: null }) } }];
}

export const work: Migration = {
  version: 9,
  what: "what queues have due is in one part of their documents",
  batch: async (batch) => {
    const [place = "0", ...id] = (batch.after ?? "0").split("/");
    const moved = MOVED[Number(place)];
    if (!moved) return null;
    const { collection, due, all } = moved;
    const waiting = { work: { $exists: false }, ...(!all && { [due]: WAITS }) };
    const after = id.length > 0 ? id.join("/") : null;
    const last = await updateNext({ ...batch, after }, collection, waiting, toWork(moved));
    return last === null ? `${Number(place) + 1}` : `${place}/${last}`;
  },
};
