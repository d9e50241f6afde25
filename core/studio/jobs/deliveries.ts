// How a job's end was announced: the log of its deliveries, announcing it again, and all deliveries of an account, in pages. There is no index
// of them by account, because every job with a callback_url would pay for it. None is needed: a delivery's id is made of its job's id, and jobs
// are found by account anyway.
import { z } from "zod";
import { AppError } from "../../../proto/codes.ts";
import { deliveryStatusSchema } from "../../../proto/resources/callback.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { jobIdFilterSchema } from "../../../proto/resources/page.ts";
import type { Some } from "../../base/mongo/read-some.ts";
import type { App } from "../../kernel/app.ts";
import { eachArchived } from "../../kernel/archive/history.ts";
import type { SegmentRow } from "../../kernel/archive/segment-file.ts";
import { given, type Page, pageFields, type PageRequest, readCursor, toPage } from "../../kernel/page.ts";
import { afterDeliveriesOf, idsBefore } from "../webhooks/delivery-id.ts";
import {
  deliverAgain,
  listDeliveriesOf,
  pickDeliveries,
  pickDeliveriesApart,
  refuseResend,
} from "../webhooks/log.ts";
import type { EndEvent } from "../webhooks/rules.ts";
import type { DeliveryDoc, OwnDeliveries } from "../webhooks/store.ts";
import type { ArchivedJob } from "./archive-rules.ts";
import { findArchivedJob } from "./archived-jobs.ts";
import { findOwnJob } from "./get.ts";
import { findJob, findJobIds } from "./store-reads.ts";

/** The number of jobs and test events to read for one page. For an account that has more, the next page continues there. */
const MAX_READ = 5_000;
const JOBS_PER_BATCH = 500;

/** Oldest first. Throws job_not_found. */
export async function listDeliveries(app: App, accountId: string, jobId: string): Promise<DeliveryDoc[]> {
  const job = await findOwnJob(app, accountId, jobId);
  return "deliveries" in job ? [...job.deliveries] : listDeliveriesOf(app, accountId, jobId);
}

/**
 * Announces the job's end again. Throws job_not_found, job_not_ended, rate_limited, and invalid_request if the job has no callback_url, has
 * been delivered too often, or is archived.
 */
export async function redeliver(app: App, accountId: string, jobId: string): Promise<DeliveryDoc> {
  const job = await findOwnJob(app, accountId, jobId);
  const { callback_url: url, state, trace } = job;
  if (!url) throw refuseResend("callback_url", "was not given when the job was created");
  if ("deliveries" in job)
    throw refuseResend("job_id", "names an archived job, which ended too long ago to be delivered again");
  const event = endEvent(state);
  if (!event) throw new AppError("job_not_ended");
  return deliverAgain(app, { accountId, jobId, url, event, trace });
}

function endEvent(state: string): EndEvent | undefined {
  return state === "completed" || state === "failed" || state === "cancelled" ? `job.${state}` : undefined;
}

const querySchema = z.object({
  ...pageFields,
  status: deliveryStatusSchema.optional(),
  job_id: jobIdFilterSchema.optional(),
});

/** Deliveries of the newest jobs first. Errors: invalid_request naming the parameters. */
export async function listOwnDeliveries(
  app: App,
  { accountId, status, jobId, ...page }: PageRequest & { accountId: string; status: string; jobId: string },
  maxRead = MAX_READ,
): Promise<Page<DeliveryDoc>> {
  const query = parseRequest(querySchema, given({ ...page, status, job_id: jobId }));
  const own = { accountId, beforeId: readCursor(query.cursor, "dlv_"), status: query.status };
  const bounds = { limit: query.limit + 1, maxRead };
  const { found, stoppedAt } =
    query.job_id === undefined
      ? await findAll(app, own, bounds)
      : await findOfJob(app, own, query.job_id, bounds);
  return toPage(found, query.limit, ({ _id }) => _id, stoppedAt);
}

type Bounds = { readonly limit: number; readonly maxRead: number };

/** Empty if the job belongs to another account. */
async function findOfJob(
  app: App,
  own: OwnDeliveries,
  jobId: string,
  { limit }: Bounds,
): Promise<Some<DeliveryDoc>> {
  const job = await findJob(app.mongo.db, own.accountId, jobId);
  if (job) return { found: await pickDeliveries(app, own, [job._id], limit) };
  const archived = await findArchivedJob(app, own.accountId, jobId);
  return { found: archived ? deliveriesOf(archived, own).slice(0, limit) : [] };
}

/**
 * Test events and deliveries to endpoints are ordered among the others by their time, which their ids contain; ends of workflows by the
 * time at which the workflows were made.
 */
async function findAll(app: App, own: OwnDeliveries, bounds: Bounds): Promise<Some<DeliveryDoc>> {
  const { limit } = bounds;
  const all = await Promise.all([
    findOfJobs(app, own, bounds).then((live) => addArchived(app, own, { live, of: JOBS, limit })),
    pickDeliveriesApart(app, "workflows_newest", own, bounds).then((live) =>
      addArchived(app, own, { live, of: WORKFLOWS, limit }),
    ),
    pickDeliveriesApart(app, "tests_newest", own, bounds),
    pickDeliveriesApart(app, "events_newest", own, bounds),
  ]);
  // What one source has not read yet may come before what another has found.
  const stoppedAt = all
    .flatMap((some) => some.stoppedAt ?? [])
    .sort()
    .at(-1);
  const found = all
    .flatMap((some) => some.found)
    .filter(({ _id }) => stoppedAt === undefined || _id >= stoppedAt)
    .sort((a, b) => (a._id < b._id ? 1 : -1));
  return { found: found.slice(0, bounds.limit), stoppedAt };
}

async function findOfJobs(
  app: App,
  own: OwnDeliveries,
  { limit, maxRead }: Bounds,
): Promise<Some<DeliveryDoc>> {
  const found: DeliveryDoc[] = [];
  let position = own.beforeId;
  for (let read = 0; found.length < limit; read += JOBS_PER_BATCH) {
    if (read >= maxRead) return { found, stoppedAt: position };
    const count = Math.min(JOBS_PER_BATCH, maxRead - read);
    const beforeJob = position === undefined ? undefined : idsBefore("job", position);
    // One more tells whether there are others behind them.
    const jobIds = await findJobIds(
      app.mongo.db,
      { accountId: own.accountId, beforeId: beforeJob },
      count + 1,
    );
    found.push(...(await pickDeliveries(app, own, jobIds.slice(0, count), limit - found.length)));
    if (jobIds.length <= count) break;
    position = afterDeliveriesOf(jobIds[count - 1] ?? "");
  }
  return { found };
}

const JOBS = { kind: "jobs", prefix: "job" } as const;
const WORKFLOWS = { kind: "workflows", prefix: "wfl" } as const;

/** What both have in their segments. */
type Announced = Pick<ArchivedJob, "_id" | "deliveries">;

function readAnnounced({ facts, words }: SegmentRow): Announced {
  return { _id: facts["_id"] as string, deliveries: (words?.["deliveries"] ?? []) as DeliveryDoc[] };
}

/** Adds the deliveries that are archived with jobs or workflows to the live ones, up to the limit. */
async function addArchived(
  app: App,
  own: OwnDeliveries,
  { live, of, limit }: { live: Some<DeliveryDoc>; of: typeof JOBS | typeof WORKFLOWS; limit: number },
): Promise<Some<DeliveryDoc>> {
  const { found } = live;
  if (live.stoppedAt !== undefined || found.length >= limit) return live;
  const position = found.at(-1)?._id ?? own.beforeId;
  const rest = { ...own, beforeId: position };
  const older: DeliveryDoc[] = [];
  const rows = {
    kind: of.kind,
    accountId: own.accountId,
    before: position === undefined ? undefined : idsBefore(of.prefix, position),
    join: readAnnounced,
    positionOf: ({ _id }: Announced) => _id,
  };
  const stoppedAt = await eachArchived(app, rows, (announced) => {
    older.push(...deliveriesOf(announced, rest));
    return found.length + older.length < limit;
  });
  return {
    found: [...found, ...older].slice(0, limit),
    ...(stoppedAt !== undefined && { stoppedAt: afterDeliveriesOf(stoppedAt) }),
  };
}

/** The newest first. */
function deliveriesOf(
  { deliveries }: Pick<ArchivedJob, "deliveries">,
  { beforeId, status }: OwnDeliveries,
): DeliveryDoc[] {
  return deliveries
    .filter((one) => (beforeId === undefined || one._id < beforeId) && (!status || one.status === status))
    .reverse();
}
