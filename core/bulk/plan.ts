// The dry run of an act on many jobs: counts what it would do, and writes down to which jobs, so that acting takes these and no others.
import { z } from "zod";
import { AppError } from "../../proto/codes.ts";
import { parseRequest } from "../../proto/resources/issues.ts";
import { JOB_STATES } from "../../proto/resources/job.ts";
import { timeSchema } from "../../proto/resources/page.ts";
import { getAnyAccount } from "../accounts/get-account.ts";
import { statusesOf } from "../accounts/look-up.ts";
import type { App } from "../app.ts";
import { given } from "../page.ts";
import { whyLeft } from "../jobs/act-rules.ts";
import { stoppingOf } from "../jobs/resource.ts";
import { isEnded } from "../jobs/rules.ts";
import { selectJobs } from "../jobs/select.ts";
import type { JobSelection, SelectedJob } from "../jobs/store-select.ts";
import { type Act, ACTS, countLeft, type LeftCount } from "./acts.ts";
import { type BulkDoc, insertBulk, type PartDoc, partId } from "./store.ts";

/** Things of one bulk. */
export const MAX_ITEMS = 50_000;
/** Things that are done in one transaction. */
const PART_ITEMS = 50;
const SAMPLE = 5;
const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_MS = 30 * DAY_MS;

/** Which jobs an act is mostly meant for. */
const USUAL_STATES: Readonly<Record<Act, string>> = {
  cancel: "reserved,running",
  refund: "completed",
  retry: "failed",
};

const STORED_STATES = JOB_STATES.filter((state) => state !== "cancelling");

const askedSchema = z.object({
  act: z.enum(ACTS),
  ids: z
    .array(z.string().regex(/^job_[0-9A-Z]{26}$/, "must be the id of a job"))
    .max(MAX_ITEMS)
    .default([]),
  account: z.string().optional(),
  state: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(STORED_STATES)))
    .optional(),
  model: z.string().optional(),
  provider: z.string().optional(),
  code: z.string().optional(),
  since: timeSchema.optional(),
  until: timeSchema.optional(),
});

/** As it comes: an empty text stands for what was not given. */
export type AskedBulk = {
  readonly act: string;
  readonly ids: readonly string[];
  readonly account: string;
  readonly state: string;
  readonly model: string;
  readonly provider: string;
  readonly code: string;
  readonly since: string;
  readonly until: string;
};

/**
 * Changes nothing but the list of bulks. Throws invalid_request for a selection that names no index to read by, or of more than 50,000 jobs;
 * and not_found for an unknown account.
 */
export async function planBulk(app: App, asked: AskedBulk, operator: string): Promise<BulkDoc> {
  const wanted = parseRequest(askedSchema, given(asked));
  const { act } = wanted;
  const selection = await selectionOf(app, wanted);
  const found: SelectedJob[] = [];
  for await (const job of selectJobs(app, selection, MAX_ITEMS + 1)) found.push(job);
  if (found.length > MAX_ITEMS) throw tooMany();
  found.sort((a, b) => (a._id < b._id ? -1 : 1));
  const now = app.clock.now();
  const bulk: BulkDoc = {
    _id: app.newId("blk"),
    act,
    selection: describe(asked, USUAL_STATES[act]),
    operator: operator || null,
    items: found.length,
    parts: Math.ceil(found.length / PART_ITEMS),
    created_at: now,
    started_at: null,
    ended_at: null,
    expires_at: new Date(now.getTime() + KEPT_MS),
    planned: await judge(app, act, found, {
      now,
      missing: selection.ids ? new Set(selection.ids).size - found.length : 0,
    }),
  };
  await insertBulk(app.mongo.db, bulk, partsOf(bulk, found));
  return bulk;
}

async function selectionOf(app: App, wanted: z.output<typeof askedSchema>): Promise<JobSelection> {
  const { act, ids, account, state, since, until, ...fields } = wanted;
  const states = state ?? (USUAL_STATES[act].split(",") as NonNullable<typeof state>);
  const hasIds = ids.length > 0;
  if (!hasIds && account === undefined && since === undefined && states.some(isEnded)) {
    const message =
      "must be given, or account, or ids: jobs that have ended are found by when they were made";
    throw new AppError("invalid_request", { issues: [{ path: "since", message }] });
  }
  return {
    ...fields,
    // Named one by one they are told about, whatever their state.
    states: hasIds && state === undefined ? STORED_STATES : states,
    ids: hasIds ? ids : undefined,
    accountId: account === undefined ? undefined : (await getAnyAccount(app, account))._id,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
  };
}

/** What would happen if it were done now. */
async function judge(
  app: App,
  act: Act,
  found: readonly SelectedJob[],
  { now, missing }: { now: Date; missing: number },
): Promise<BulkDoc["planned"]> {
  const statuses = await statusesOf(app, [...new Set(found.map(({ account_id }) => account_id))]);
  const left: LeftCount[] = missing > 0 ? [{ why: "gone", count: missing }] : [];
  const fit = found.filter((job) => {
    const why = whyLeft(act, job, {
      account: statuses.get(job.account_id) ?? "deleted",
      provider: stoppingOf(app, job),
    });
    if (why) left.push({ why, count: 1 });
    return !why;
  });
  const expired = fit.flatMap(({ held_from: from = [] }) =>
    from.filter(({ expires_at }) => expires_at <= now),
  );
  return {
    acted: fit.length,
    credits: fit.reduce((sum, { credits }) => sum + credits, 0),
    revived: act === "refund" ? expired.reduce((sum, { amount }) => sum + amount, 0) : 0,
    left: countLeft(left),
    sample: fit.slice(0, SAMPLE).map(({ _id }) => _id),
  };
}

function partsOf({ _id, expires_at }: BulkDoc, found: readonly SelectedJob[]): PartDoc[] {
  const parts: PartDoc[] = [];
  for (let at = 0; at < found.length; at += PART_ITEMS) {
    parts.push({
      _id: partId(_id, parts.length + 1),
      items: found.slice(at, at + PART_ITEMS).map((job) => ({ id: job._id, account_id: job.account_id })),
      ended_at: null,
      result: null,
      expires_at,
    });
  }
  return parts;
}

/** As `model picture, since 2026-01-31T00:00:00.000Z`. */
function describe({ act: _act, ids, ...asked }: AskedBulk, usual: string): string {
  const named = ids.length > 0 ? [`${ids.length} ids`] : [];
  const state = asked.state || (ids.length > 0 ? "" : usual);
  const fields = Object.entries({ ...asked, state }).flatMap(([name, value]) =>
    value ? [`${name} ${value}`] : [],
  );
  return [...named, ...fields].join(", ");
}

function tooMany(): AppError {
  return new AppError("invalid_request", {
    message: `More than ${MAX_ITEMS} jobs are meant.`,
    hint: "Name a shorter time, one model or one account, and do the rest after that.",
  });
}
