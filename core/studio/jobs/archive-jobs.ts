// Moves old jobs of an account, with their deliveries, into segments: always the oldest, and never past one that has not ended.
import type { ReadContext, TxContext } from "../../base/mongo/in-tx.ts";
import type { Cut } from "../../identity/credits/archive-entries.ts";
import type { App } from "../../kernel/app.ts";
import { lastSegment } from "../../kernel/archive/find-segments.ts";
import type { SegmentRow } from "../../kernel/archive/segment-file.ts";
import { type ArchivedRow, writeSegment } from "../../kernel/archive/write-segment.ts";
import { readDeliveriesOf, removeDeliveries } from "../webhooks/archive.ts";
import type { DeliveryDoc } from "../webhooks/store.ts";
import { splitJob } from "./archive-rules.ts";
import { isEnded } from "./rules.ts";
import { deleteArchivedJobs, deleteOldKeys, findOldJobs, hasOldJobs } from "./store-archive.ts";
import type { JobDoc } from "./store.ts";

/**
 * Whether there are enough old jobs for a segment. If so, their Idempotency-Keys are forgotten immediately, so that none ever names a job
 * that is not live.
 */
export async function beginArchivingJobs(app: App, cut: Cut): Promise<boolean> {
  const { db } = app.mongo;
  const last = await lastSegment(app, cut.accountId, "jobs");
  const old = { accountId: cut.accountId, afterId: String(last?.last ?? ""), before: cut.before };
  if (!(await hasOldJobs(db, old, cut.least))) return false;
  await deleteOldKeys(db, cut.accountId, cut.before);
  return true;
}

/** Writes one segment; returns whether it did. Call it only after beginArchivingJobs with the same cut. */
export async function archiveJobs(app: App, { accountId, before, least, most }: Cut): Promise<boolean> {
  const { db } = app.mongo;
  const last = await lastSegment(app, accountId, "jobs");
  const old = { accountId, afterId: String(last?.last ?? ""), before };
  const rows = upToUnended(await read(app, await findOldJobs(db, old, most)), before);
  if (rows.length < least) return false;
  return writeSegment(app, {
    accountId,
    kind: "jobs",
    before: last,
    rows: rows.map(toRow),
    take: (tx) => take(app, rows, tx),
  });

  async function take(app: App, archived: readonly Row[], tx: TxContext): Promise<SegmentRow[]> {
    const again = await read(app, await findOldJobs(db, old, archived.length, tx), tx);
    const ids = archived.map(({ job }) => job._id);
    const deliveries = archived.flatMap((row) => row.deliveries);
    await removeDeliveries(app, accountId, deliveries, tx);
    await deleteArchivedJobs(db, accountId, ids, tx);
    return again.map(({ job, deliveries }) => splitJob(job, deliveries));
  }
}

type Row = { readonly job: JobDoc; readonly deliveries: readonly DeliveryDoc[] };

async function read(app: App, jobs: readonly JobDoc[], tx?: ReadContext): Promise<Row[]> {
  const [first] = jobs;
  if (!first) return [];
  const jobIds = jobs.flatMap(({ _id, callback_url: url }) => (url === null ? [] : [_id]));
  const byJob = await readDeliveriesOf(app, { accountId: first.account_id, jobIds }, tx);
  return jobs.map((job) => ({ job, deliveries: byJob.get(job._id) ?? [] }));
}

/** The jobs before the first one that is still in progress, or whose end is still being announced. */
function upToUnended(rows: readonly Row[], before: Date): readonly Row[] {
  const goesOn = ({ job, deliveries }: Row) =>
    !isEnded(job.state) ||
    job.ended_at === null ||
    job.ended_at >= before ||
    deliveries.some(({ status }) => status === "pending");
  const unended = rows.findIndex(goesOn);
  return unended === -1 ? rows : rows.slice(0, unended);
}

function toRow({ job, deliveries }: Row): ArchivedRow {
  return {
    ...splitJob(job, deliveries),
    position: job._id,
    from: job.created_at,
    until: job.ended_at ?? job.created_at,
    subject: job._id,
  };
}
