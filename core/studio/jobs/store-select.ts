// Jobs of all accounts that an operator means, read by an index whatever is picked: by ids, by account, by what waits and runs, or by time.
import type { Db } from "../../base/mongo/client.ts";
import { idRange } from "./store-list.ts";
import { type JobDoc, jobs, type JobState } from "./store.ts";

export type JobSelection = {
  readonly ids?: readonly string[] | undefined;
  readonly accountId?: string | undefined;
  readonly states: readonly JobState[];
  readonly model?: string | undefined;
  /** Who made it, or was to make it. */
  readonly provider?: string | undefined;
  /** The error code of a failed one. */
  readonly code?: string | undefined;
  /** Bounds of `created_at`: `since` is included, `until` is not. */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
};

const SELECTED = [
  "account_id",
  "state",
  "credits",
  "lease",
  "call",
  "provider",
  "cancel_requested_at",
  "refunded_at",
  "charged",
  "held_from",
] as const;

/** What is known of a job to say what an act would do to it. */
export type SelectedJob = Pick<JobDoc, "_id" | (typeof SELECTED)[number]>;

const BOUND_MS = 50_000;

/** Jobs in any of the states, up to `limit`. Reading takes at most 50 s. */
export function streamSelected(db: Db, selection: JobSelection, limit: number): AsyncIterable<SelectedJob> {
  const { ids, accountId, states, model, provider, code, since, until } = selection;
  const created = { ...(since && { $gte: since }), ...(until && { $lt: until }) };
  const range = idRange({ since, until });
  return jobs(db)
    .find(
      {
        $and: [
          { state: { $in: [...states] } },
          ...(ids ? [{ _id: { $in: [...ids] } }] : []),
          ...(accountId === undefined ? [] : [{ account_id: accountId }]),
          ...(Object.keys(range).length > 0 ? [{ _id: range }] : []),
          ...(Object.keys(created).length > 0 ? [{ created_at: created }] : []),
          ...(model === undefined ? [] : [{ model_slug: model }]),
          ...(code === undefined ? [] : [{ "error.code": code }]),
          ...(provider === undefined ? [] : [madeBy(provider)]),
        ],
      },
      {
        projection: Object.fromEntries(SELECTED.map((field) => [field, 1])),
        hint: hintOf(selection),
        maxTimeMS: BOUND_MS,
      },
    )
    .limit(limit);
}

/** A fallback that was called is named by the call. */
function madeBy(provider: string) {
  return { $or: [{ "call.provider": provider }, { call: null, provider }] };
}

function hintOf({ ids, accountId, states, since }: JobSelection): string {
  if (ids) return "_id_";
  if (accountId !== undefined) return "account_newest";
  return since === undefined && isLive(states) ? "live" : "_id_";
}

/** What waits and runs has an index of its own. */
function isLive(states: readonly JobState[]): boolean {
  return states.every((state) => state === "reserved" || state === "running");
}
