// Workflows as a segment keeps them: what is counted, and what their owners wrote and were told apart from it. Pure.
import type { SegmentRow } from "../../kernel/archive/segment-file.ts";
import type { DeliveryDoc } from "../webhooks/store.ts";
import type { Stored } from "../../base/mongo/bson.ts";
import type { WorkflowDoc } from "./store.ts";

/** A workflow with what was archived along with it. */
export type ArchivedWorkflow = WorkflowDoc & { readonly deliveries: readonly DeliveryDoc[] };

type WorkflowWords = Pick<WorkflowDoc, "metadata" | "callback_url"> & {
  /** Of its steps, in order. */
  readonly names: readonly string[];
  readonly deliveries: readonly DeliveryDoc[];
};

export function splitWorkflow(workflow: WorkflowDoc, deliveries: readonly DeliveryDoc[]): SegmentRow {
  const { metadata, callback_url, steps, ...counted } = workflow;
  const words: WorkflowWords = { metadata, callback_url, names: steps.map(({ id }) => id), deliveries };
  const facts: Stored = { ...counted, steps: steps.map((step) => ({ ...step, id: "" })) };
  return { facts, words };
}

export function joinWorkflow({ facts, words }: SegmentRow): ArchivedWorkflow {
  const {
    metadata = {},
    callback_url = null,
    names = [],
    deliveries = [],
  } = (words ?? {}) as Partial<WorkflowWords>;
  const counted = facts as unknown as WorkflowDoc;
  const steps = counted.steps.map((step, place) => ({ ...step, id: names[place] ?? "" }));
  return { ...counted, steps, metadata, callback_url, deliveries };
}
