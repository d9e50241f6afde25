// Workflows in the form of a segment: what is counted, and apart from it what their owners wrote and were told. This file is pure.
import { joinFields, splitFields } from "../../base/documents/fields.ts";
import type { SegmentRow } from "../../kernel/archive/segment-file.ts";
import type { DeliveryDoc } from "../webhooks/store.ts";
import { WORKFLOW_FIELDS } from "./fields.ts";
import type { WorkflowDoc } from "./store.ts";

/** A workflow with what was archived along with it. */
export type ArchivedWorkflow = WorkflowDoc & { readonly deliveries: readonly DeliveryDoc[] };

/** What the workflow's classes do not count, and beside it: */
type WorkflowWords = Partial<WorkflowDoc> & {
  /** Names of its steps, in order. Segments from before release 1.0.0 have them here alone, and later ones with the steps. */
  readonly names?: readonly string[];
  readonly deliveries: readonly DeliveryDoc[];
};

export function splitWorkflow(workflow: WorkflowDoc, deliveries: readonly DeliveryDoc[]): SegmentRow {
  const { counted, rest } = splitFields(workflow, WORKFLOW_FIELDS);
  const words: WorkflowWords = { ...rest, deliveries };
  return { facts: counted, words };
}

export function joinWorkflow({ facts, words }: SegmentRow): ArchivedWorkflow {
  const { names = [], deliveries = [], ...rest } = (words ?? {}) as Partial<WorkflowWords>;
  const steps = names.map((id) => ({ id }));
  return { ...(joinFields(facts, { steps, ...rest }, WORKFLOW_FIELDS) as WorkflowDoc), deliveries };
}
