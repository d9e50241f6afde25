// Moves old workflows of an account, with their deliveries, into segments: always the oldest, and never past one that has not ended.
import type { ReadContext } from "../../base/mongo/in-tx.ts";
import type { Cut } from "../../identity/credits/archive-entries.ts";
import type { App } from "../../kernel/app.ts";
import { lastSegment } from "../../kernel/archive/find-segments.ts";
import type { SegmentRow } from "../../kernel/archive/segment-file.ts";
import type { ArchivedRow } from "../../kernel/archive/write-segment.ts";
import { writeSegment } from "../../kernel/archive/write-segment.ts";
import { removeDeliveries } from "../webhooks/archive.ts";
import { listDeliveriesOf } from "../webhooks/log.ts";
import type { DeliveryDoc } from "../webhooks/store.ts";
import { splitWorkflow } from "./archive-rules.ts";
import { deleteArchivedWorkflows, findOldWorkflows, type WorkflowDoc } from "./store.ts";

type Row = { readonly workflow: WorkflowDoc; readonly deliveries: readonly DeliveryDoc[] };

/** Writes one segment; returns whether it did. Call it only after the Idempotency-Keys of jobs as old as these were forgotten. */
export async function archiveWorkflows(app: App, { accountId, before, least, most }: Cut): Promise<boolean> {
  const { db } = app.mongo;
  const last = await lastSegment(app, accountId, "workflows");
  const old = { accountId, afterId: String(last?.last ?? ""), before };
  const rows = upToUnended(await read(app, accountId, await findOldWorkflows(db, old, most)), before);
  if (rows.length < least) return false;
  return writeSegment(app, {
    accountId,
    kind: "workflows",
    before: last,
    rows: rows.map(toRow),
    take: async (tx): Promise<SegmentRow[]> => {
      const again = await read(app, accountId, await findOldWorkflows(db, old, rows.length, tx), tx);
      await removeDeliveries(
        app,
        accountId,
        rows.flatMap(({ deliveries }) => deliveries),
        tx,
      );
      const ids = rows.map(({ workflow }) => workflow._id);
      await deleteArchivedWorkflows(db, accountId, ids, tx);
      return again.map(({ workflow, deliveries }) => splitWorkflow(workflow, deliveries));
    },
  });
}

async function read(
  app: App,
  accountId: string,
  workflows: readonly WorkflowDoc[],
  tx?: ReadContext,
): Promise<Row[]> {
  const rows: Row[] = [];
  // One after the other, because a transaction takes one statement at a time.
  for (const workflow of workflows) {
    const isTold = workflow.callback_url !== null;
    const deliveries = isTold ? await listDeliveriesOf(app, accountId, workflow._id, tx) : [];
    rows.push({ workflow, deliveries });
  }
  return rows;
}

/** The workflows before the first one that is still in progress, or whose end is still being announced. */
function upToUnended(rows: readonly Row[], before: Date): readonly Row[] {
  const goesOn = ({ workflow: { ended_at }, deliveries }: Row) =>
    ended_at === null || ended_at >= before || deliveries.some(({ status }) => status === "pending");
  const unended = rows.findIndex(goesOn);
  return unended === -1 ? rows : rows.slice(0, unended);
}

function toRow({ workflow, deliveries }: Row): ArchivedRow {
  return {
    ...splitWorkflow(workflow, deliveries),
    position: workflow._id,
    from: workflow.created_at,
    until: workflow.ended_at ?? workflow.created_at,
    subject: workflow._id,
  };
}
