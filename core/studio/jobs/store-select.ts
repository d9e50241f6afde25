// Jobs of all accounts that an operator selects, read by an index in every case: by ids, by account, by waiting and running, or by time.
import type { Db } from "../../base/mongo/client.ts";
import { idRange } from "./store-list.ts";
import { type JobDoc, jobs, type JobState } from "./store.ts";

export type JobSelection = {
  readonly ids?: readonly string[] | undefined;
  readonly accountId?: string | undefined;
  readonly states: readonly JobState[];
  readonly model?: string | undefined;
  /** The provider that made it, or was going to. */
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

/** The parts of a job that determine the effect of an action. */
export type SelectedJob = Pick<JobDoc, "_id" | (typeof SELECTED)[number]>;

const BOUND_MS = 50_000;

/** Jobs in any of the states, up to `limit`. The read is limited to 50 s. */
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

/** Waiting and running jobs have an index of their own. */
function isLive(states: readonly JobState[]): boolean {
  return states.every((state) => state === "reserved" || state === "running");
}
