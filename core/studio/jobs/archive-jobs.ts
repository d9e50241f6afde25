// Moves old jobs or workflows of an account, with their deliveries, into segments: always the oldest, and never past one that has not ended.
import type { Collection, Db } from "../../base/mongo/client.ts";
import type { ReadContext } from "../../base/mongo/in-tx.ts";
import type { Cut } from "../../identity/credits/archive-entries.ts";
import type { App } from "../../kernel/app.ts";
import { lastSegment } from "../../kernel/archive/find-segments.ts";
import type { SegmentRow } from "../../kernel/archive/segment-file.ts";
import { writeSegment } from "../../kernel/archive/write-segment.ts";
import { readDeliveriesOf, removeDeliveries } from "../webhooks/archive.ts";
import type { DeliveryDoc } from "../webhooks/store.ts";
import { splitJob } from "./archive-rules.ts";
import { deleteArchived, deleteOldKeys, findOld, hasOldJobs, idAt } from "./store-archive.ts";
import { jobs } from "./store.ts";

/**
 * Whether there are enough old jobs for a segment. If so, their Idempotency-Keys are forgotten immediately, so that none ever names a job
 * that is not live.
 */
export async function beginArchivingJobs(app: App, { accountId, before, least }: Cut): Promise<boolean> {
  const { db } = app.mongo;
  const last = await lastSegment(app, accountId, "jobs");
  const old = { accountId, afterId: String(last?.last ?? ""), belowId: idAt("job", before) };
  if (!(await hasOldJobs(db, old, least))) return false;
  await deleteOldKeys(db, accountId, before);
  return true;
}

/** Writes one segment; returns whether it did. Call it only after beginArchivingJobs with the same cut. */
export async function archiveJobs(app: App, cut: Cut): Promise<boolean> {
  return archiveOldest(app, cut, { kind: "jobs", prefix: "job", collection: jobs, split: splitJob });
}

/** What jobs and workflows have in common. */
type Announced = {
  readonly _id: string;
  readonly account_id: string;
  readonly callback_url: string | null;
  readonly created_at: Date;
  /** null while it is still in progress. */
  readonly ended_at: Date | null;
};

type Archivable<Doc extends Announced> = {
  readonly kind: "jobs" | "workflows";
  /** Of their ids. */
  readonly prefix: "job" | "wfl";
  collection(db: Db): Collection<Doc>;
  split(doc: Doc, deliveries: readonly DeliveryDoc[]): SegmentRow;
};

type Row<Doc> = { readonly doc: Doc; readonly deliveries: readonly DeliveryDoc[] };

/** Writes one segment of the account's oldest; returns whether it did. */
export async function archiveOldest<Doc extends Announced>(
  app: App,
  { accountId, before, least, most }: Cut,
  { kind, prefix, collection, split }: Archivable<Doc>,
): Promise<boolean> {
  const live = collection(app.mongo.db);
  const last = await lastSegment(app, accountId, kind);
  const old = { accountId, afterId: String(last?.last ?? ""), belowId: idAt(prefix, before) };
  const read = async (limit: number, tx?: ReadContext): Promise<Row<Doc>[]> => {
    const docs = await findOld(live, old, limit, tx);
    const subjects = docs.flatMap(({ _id, callback_url: url }) => (url === null ? [] : [_id]));
    const deliveries = await readDeliveriesOf(app, { accountId, subjects }, tx);
    return docs.map((doc) => ({ doc, deliveries: deliveries.get(doc._id) ?? [] }));
  };
  const rows = upToUnended(await read(most), before);
  if (rows.length < least) return false;
  return writeSegment(app, {
    accountId,
    kind,
    before: last,
    rows: rows.map(({ doc, deliveries }) => ({
      ...split(doc, deliveries),
      position: doc._id,
      from: doc.created_at,
      until: doc.ended_at ?? doc.created_at,
      subject: doc._id,
    })),
    take: async (tx) => {
      const again = await read(rows.length, tx);
      const deliveries = rows.flatMap((row) => row.deliveries);
      const ids = rows.map(({ doc }) => doc._id);
      await removeDeliveries(app, accountId, deliveries, tx);
      await deleteArchived(live, accountId, ids, tx);
      return again.map(({ doc, deliveries }) => split(doc, deliveries));
    },
  });
}

/** Those before the first one that is still in progress, or whose end is still being announced. */
function upToUnended<Doc extends Announced>(rows: readonly Row<Doc>[], before: Date): readonly Row<Doc>[] {
  const goesOn = ({ doc: { ended_at }, deliveries }: Row<Doc>) =>
    ended_at === null || ended_at >= before || deliveries.some(({ status }) => status === "pending");
  const unended = rows.findIndex(goesOn);
  return unended === -1 ? rows : rows.slice(0, unended);
}
