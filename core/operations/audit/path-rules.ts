// The order of a job's events and ledger entries, which the model of the money protocol allows. This file is pure; test/model holds it to
// the model.
import type { LedgerDoc } from "../../identity/credits/store.ts";
import type { JobDoc } from "../../studio/jobs/store.ts";

/** For each place on a job's path the events that may follow. `returned` is the refund of a completed job. */
export const PATHS: Readonly<Record<string, readonly string[]>> = {
  start: ["reserved"],
  reserved: ["debited", "released"],
  debited: ["running"],
  running: ["retrying", "cancelling", "completed", "refunded"],
  cancelling: ["retrying", "completed", "refunded"],
  released: ["cancelled", "failed"],
  refunded: ["cancelled", "failed"],
  completed: ["refunded"],
  cancelled: [],
  failed: [],
  returned: [],
};

/** Events of a run, which move neither the job nor credits. The model has no reports of progress. */
const IN_PLACE: ReadonlySet<string> = new Set(["retrying", "progress"]);

/** The entry that an event tells of. */
const ENTRIES: Readonly<Record<string, LedgerDoc["kind"]>> = {
  reserved: "reserve",
  debited: "debit",
  released: "release",
  refunded: "refund",
};

/** The place after an event. */
export function nextPlace(place: string, event: string): string {
  if (IN_PLACE.has(event)) return place;
  return place === "completed" && event === "refunded" ? "returned" : event;
}

type Told = Pick<JobDoc, "_id" | "state" | "charged"> & {
  readonly events: readonly Pick<JobDoc["events"][number], "type">[];
};

/** The findings about the path of a job; `entries` are its own, in any order. */
export function checkPath(
  { _id, state, charged, events }: Told,
  entries: readonly Pick<LedgerDoc, "kind" | "seq">[],
): string[] {
  const where = `job ${_id} (${state})`;
  let place = "start";
  const told: string[] = [];
  for (const [i, { type }] of events.entries()) {
    const mayFollow =
      PATHS[place]?.includes(type) || (type === "progress" && PATHS[place]?.includes("retrying"));
    if (!mayFollow) return [`${where}: its event ${i + 1}, ${type}, may not follow ${place}`];
    place = nextPlace(place, type);
    const entry = type === "completed" && charged !== undefined ? "refund" : ENTRIES[type];
    if (entry) told.push(entry);
  }
  const kinds = entries.toSorted((one, other) => one.seq - other.seq).map(({ kind }) => kind);
  return told.join() === kinds.join()
    ? []
    : [
        `${where}: its events tell of the ledger entries ${told.join(", ") || "none"}, and it has ${kinds.join(", ") || "none"}, in this order`,
      ];
}
