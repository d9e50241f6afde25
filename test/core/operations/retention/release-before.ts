// How a release before 1.0.0 wrote segments of jobs and workflows.
import type { SegmentRow } from "../../../../core/kernel/archive/segment-file.ts";
import { findLastSegment } from "../../../../core/kernel/archive/store.ts";
import { writeSegment } from "../../../../core/kernel/archive/write-segment.ts";
import type { JobDoc } from "../../../../core/studio/jobs/store.ts";
import type { WorkflowDoc } from "../../../../core/studio/workflows/store.ts";
import type { Fixture } from "./histories.ts";

const WORDS = new Set(
  "prompt callback_url params metadata max_credits counted_on call inputs outputs error".split(" "),
);

/** It stored unknown fields as facts, including the trace. */
export function splitJobBefore(job: JobDoc): SegmentRow {
  const fields = Object.entries(job);
  return {
    facts: {
      ...Object.fromEntries(fields.filter(([name]) => !WORDS.has(name))),
      events: job.events.map(({ type, state, at }) => ({ type, state, at })),
    },
    words: {
      job: Object.fromEntries(fields.filter(([name]) => WORDS.has(name))),
      details: job.events.map(({ detail }) => detail ?? null),
      deliveries: [],
    },
  };
}

export function splitWorkflowBefore(workflow: WorkflowDoc): SegmentRow {
  const { metadata, callback_url, steps, ...counted } = workflow;
  return {
    facts: { ...counted, steps: steps.map((step) => ({ ...step, id: "" })) },
    words: { metadata, callback_url, names: steps.map(({ id }) => id), deliveries: [] },
  };
}

/** Archives all jobs or workflows of an account in segments of two. */
export async function archiveBefore<Doc extends JobDoc | WorkflowDoc>(
  { app }: Pick<Fixture, "app">,
  { accountId, kind }: { accountId: string; kind: "jobs" | "workflows" },
  split: (doc: Doc) => SegmentRow,
): Promise<void> {
  const { db } = app.mongo;
  await db.collection("idempotency_keys").deleteMany({ account_id: accountId });
  const rows = db.collection<{ _id: string; account_id: string }>(kind);
  for (;;) {
    const docs = (await rows
      .find({ account_id: accountId })
      .sort({ _id: 1 })
      .limit(2)
      .toArray()) as unknown as Doc[];
    if (docs.length === 0) return;
    await writeSegment(app, {
      accountId,
      kind,
      before: await findLastSegment(db, accountId, kind),
      rows: docs.map((doc) => ({
        ...split(doc),
        position: doc._id,
        from: doc.created_at,
        until: doc.ended_at ?? doc.created_at,
        subject: doc._id,
      })),
      take: async ({ session }) => {
        await rows.deleteMany({ _id: { $in: docs.map(({ _id }) => _id) } }, { session });
        return docs.map(split);
      },
    });
  }
}
