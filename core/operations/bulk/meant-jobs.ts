// Finds the jobs that an act applies to, and what it would do to each now.
import { z } from "zod";
import { AppError, invalidField } from "../../../proto/codes.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { JOB_STATES } from "../../../proto/resources/job.ts";
import { timeSchema } from "../../../proto/resources/page.ts";
import { getAnyAccount } from "../../identity/accounts/get-account.ts";
import { statusesOf } from "../../identity/accounts/look-up.ts";
import type { App } from "../../kernel/app.ts";
import { given } from "../../kernel/page.ts";
import { type JobAct, whyLeft } from "../../studio/jobs/act-rules.ts";
import { selectJobs } from "../../studio/jobs/list.ts";
import { stoppingOf } from "../../studio/jobs/resource.ts";
import { isEnded } from "../../studio/jobs/rules.ts";
import type { JobSelection, SelectedJob } from "../../studio/jobs/store-select.ts";
import { type Act, countLeft, JOB_ACTS, type LeftCount } from "./acts.ts";
import type { BulkDoc, Item } from "./store.ts";

/** The most things of one bulk. */
export const MAX_ITEMS = 50_000;
/** The things that a dry run names. */
export const SAMPLE = 5;

/** The request as it arrives: an empty text stands for what was not given. */
export type AskedBulk = {
  readonly act: string;
  readonly ids: readonly string[];
  readonly account: string;
  readonly state: string;
  readonly model: string;
  readonly provider: string;
  readonly code: string;
  readonly host: string;
  readonly since: string;
  readonly until: string;
};

export type Meant = {
  readonly act: Act;
  readonly items: readonly Item[];
  /** The id of the account that was named, because addresses are not stored. Empty if none was named. */
  readonly account: string;
  /** The states that were used because none was named. */
  readonly usual: string;
  readonly planned: BulkDoc["planned"];
};

/** The states of the jobs that an act usually applies to. */
const USUAL_STATES: Readonly<Record<JobAct, string>> = {
  cancel: "reserved,running",
  refund: "completed",
  retry: "failed",
};

const STORED_STATES = JOB_STATES.filter((state) => state !== "cancelling");

const askedSchema = z.strictObject({
  act: z.enum(JOB_ACTS),
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

/**
 * Throws invalid_request for a selection without an index to read by, or of more than 50,000 jobs; and not_found for an unknown account.
 */
export async function meantJobs(app: App, asked: AskedBulk): Promise<Meant> {
  const wanted = parseRequest(askedSchema, given(asked));
  const { act } = wanted;
  const selection = await selectionOf(app, wanted);
  const found: SelectedJob[] = [];
  for await (const job of selectJobs(app, selection, MAX_ITEMS + 1)) found.push(job);
  if (found.length > MAX_ITEMS) throw tooMany("jobs");
  found.sort((a, b) => (a._id < b._id ? -1 : 1));
  const missing = selection.ids ? new Set(selection.ids).size - found.length : 0;
  return {
    act,
    items: found.map(({ _id: id, account_id }) => ({ id, account_id })),
    account: selection.accountId ?? "",
    usual: wanted.ids.length > 0 ? "" : USUAL_STATES[act],
    planned: await planJobs(app, act, found, missing),
  };
}

async function selectionOf(app: App, wanted: z.output<typeof askedSchema>): Promise<JobSelection> {
  const { act, ids, account, state, since, until, ...fields } = wanted;
  const states = state ?? (USUAL_STATES[act].split(",") as NonNullable<typeof state>);
  const hasIds = ids.length > 0;
  if (!hasIds && account === undefined && since === undefined && states.some(isEnded))
    throw invalidField(
      "since",
      "must be given, or account, or ids: jobs that have ended are found by when they were made",
    );
  return {
    ...fields,
    // Jobs that are named one by one are reported, whatever their state.
    states: hasIds && state === undefined ? STORED_STATES : states,
    ids: hasIds ? ids : undefined,
    accountId: account === undefined ? undefined : (await getAnyAccount(app, account))._id,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
  };
}

/** What would happen if it were done now. */
async function planJobs(
  app: App,
  act: JobAct,
  found: readonly SelectedJob[],
  missing: number,
): Promise<Meant["planned"]> {
  const now = app.clock.now();
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

export function tooMany(things: string): AppError {
  return new AppError("invalid_request", {
    message: `More than ${MAX_ITEMS} ${things} are meant.`,
    issues: [{ path: "", message: `means more than ${MAX_ITEMS} ${things}` }],
    hint: "Name a shorter time, one account, or less of them in another way, and do the rest after that.",
  });
}
