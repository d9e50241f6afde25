// Reads archived workflows, for the same questions that the live ones answer.
import type { Some } from "../../base/mongo/read-some.ts";
import type { App } from "../../kernel/app.ts";
import { readAbout, segmentsBefore } from "../../kernel/archive/find-segments.ts";
import { readSegment } from "../../kernel/archive/read-segment.ts";
import { shownState } from "../jobs/rules.ts";
import { type ArchivedWorkflow, joinWorkflow } from "./archive-rules.ts";
import type { WorkflowFilter } from "./store.ts";

/** The most segments that are read for one page; a longer search continues with the next page. */
const MAX_SEGMENTS = 20;

export async function findArchivedWorkflow(
  app: App,
  { accountId, workflowId }: { accountId: string; workflowId: string },
): Promise<ArchivedWorkflow | undefined> {
  const rows = await readAbout(app, { accountId, kind: "workflows" }, [workflowId]);
  return rows.map(joinWorkflow).find(({ _id }) => _id === workflowId);
}

/** Newest first, like findWorkflowsLike. */
export async function listArchivedWorkflows(
  app: App,
  { accountId, beforeId, states }: WorkflowFilter,
  limit: number,
): Promise<Some<ArchivedWorkflow>> {
  const range = { accountId, kind: "workflows" as const, before: beforeId };
  const segments = await segmentsBefore(app, range, MAX_SEGMENTS + 1);
  const found: ArchivedWorkflow[] = [];
  let last: string | undefined;
  for (const segment of segments.slice(0, MAX_SEGMENTS)) {
    for (const workflow of (await readSegment(app, segment)).map(joinWorkflow).reverse()) {
      if (beforeId !== undefined && workflow._id >= beforeId) continue;
      if (!states || states.includes(shownState(workflow))) found.push(workflow);
      if (found.length === limit) return { found };
      last = workflow._id;
    }
  }
  return { found, stoppedAt: segments.length > MAX_SEGMENTS ? last : undefined };
}
