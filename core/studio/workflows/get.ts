// Reads workflows. Another account's workflow looks exactly like one that does not exist.
import { AppError } from "../../../proto/codes.ts";
import type { WorkflowResource } from "../../../proto/resources/workflow.ts";
import type { App } from "../../kernel/app.ts";
import { readAbout } from "../../kernel/archive/find-segments.ts";
import type { Watching } from "../jobs/get.ts";
import { stepVersions } from "../jobs/steps.ts";
import { createWatcher, type Watcher } from "../jobs/watch.ts";
import { listDeliveriesOf } from "../webhooks/log.ts";
import type { DeliveryDoc } from "../webhooks/store.ts";
import { jobIdsOf, type WorkflowRef } from "./advance.ts";
import { type ArchivedWorkflow, joinWorkflow } from "./archive-rules.ts";
import { toWorkflow } from "./resource.ts";
import { findWorkflow, findWorkflowById, readWorkflows, type WorkflowDoc } from "./store.ts";

/** Live or archived. Errors: workflow_not_found. */
export async function findOwnWorkflow(app: App, ref: WorkflowRef): Promise<WorkflowDoc | ArchivedWorkflow> {
  const workflow = (await findWorkflow(app.mongo.db, ref)) ?? (await findArchivedWorkflow(app, ref));
  if (!workflow) throw new AppError("workflow_not_found");
  return workflow;
}

async function findArchivedWorkflow(
  app: App,
  { accountId, workflowId }: WorkflowRef,
): Promise<ArchivedWorkflow | undefined> {
  const rows = await readAbout(app, { accountId, kind: "workflows" }, [workflowId]);
  return rows.map(joinWorkflow).find(({ _id }) => _id === workflowId);
}

/** The deliveries of its end, oldest first. Errors: workflow_not_found. */
export async function listWorkflowDeliveries(app: App, ref: WorkflowRef): Promise<DeliveryDoc[]> {
  const workflow = await findOwnWorkflow(app, ref);
  if ("deliveries" in workflow) return [...workflow.deliveries];
  return listDeliveriesOf(app, ref.accountId, ref.workflowId);
}

/** For operators: a live workflow of any account. */
export async function findAnyWorkflow(app: App, workflowId: string): Promise<WorkflowDoc | undefined> {
  return (await findWorkflowById(app.mongo.db, workflowId)) ?? undefined;
}

/** A workflow whose version counts the events of its steps too. */
type Watched = { readonly _id: string; readonly version: number; readonly workflow: WorkflowDoc };

export type WorkflowWatching = { readonly watcher: Watcher<Watched>; readonly open: Watching["open"] };

export function createWorkflowWatching(app: App, { open }: Watching): WorkflowWatching {
  const read = async (ids: readonly string[]) => withVersions(app, await readWorkflows(app.mongo.db, ids));
  const findVersions = async (ids: readonly string[]) =>
    new Map((await read(ids)).map(({ _id, version }) => [_id, version]));
  return { watcher: createWatcher<Watched>(app, { what: "workflows", findVersions, read }), open };
}

async function withVersions(app: App, docs: readonly WorkflowDoc[]): Promise<Watched[]> {
  const events = await stepVersions(app, docs.flatMap(jobIdsOf));
  return docs.map((workflow) => {
    const ofSteps = jobIdsOf(workflow).reduce((sum, id) => sum + (events.get(id) ?? 0), 0);
    return { _id: workflow._id, version: workflow.version + ofSteps, workflow };
  });
}

/** What an answer shows, with the version that it shows. */
export type ShownWorkflow = { readonly shown: WorkflowResource; readonly version: number };

/**
 * Returns the workflow immediately, or as soon as it has ended, at the latest after `waitSeconds`. Errors: workflow_not_found,
 * rate_limited.
 */
export async function getWorkflow(
  app: App,
  watching: WorkflowWatching,
  { waitSeconds, ...ref }: WorkflowRef & { readonly waitSeconds: number },
  signal: AbortSignal,
): Promise<ShownWorkflow> {
  let now = await readNow(app, ref);
  if (waitSeconds === 0 || now.workflow.ended_at) return show(app, now);
  const leave = takePlace(watching, ref);
  try {
    const untilMs = performance.now() + waitSeconds * 1000;
    while (!now.workflow.ended_at) {
      const leftMs = untilMs - performance.now();
      const changed = await watching.watcher.changed(ref.workflowId, now.version, leftMs, signal);
      if (!changed) break;
      now = changed;
    }
  } finally {
    leave();
  }
  return show(app, now);
}

/** It must not be someone else's. */
async function readNow(app: App, ref: WorkflowRef): Promise<Watched> {
  const [now] = await withVersions(app, [await findOwnWorkflow(app, ref)]);
  if (!now) throw new Error("withVersions answers as many as it is given");
  return now;
}

/** Read a moment after its version: it may be newer than that, never older. */
async function show(app: App, { workflow, version }: Watched): Promise<ShownWorkflow> {
  return { shown: await toWorkflow(app, workflow), version };
}

export async function showWorkflow(app: App, ref: WorkflowRef): Promise<ShownWorkflow> {
  return show(app, await readNow(app, ref));
}

function takePlace({ open }: WorkflowWatching, { accountId, workflowId }: WorkflowRef): () => void {
  return open.take({ job: workflowId, account: accountId, process: "" });
}

/**
 * Yields the workflow immediately, and again after each change until it has ended. `stillMay` throws if its caller may not hear more.
 * Errors: workflow_not_found, rate_limited.
 */
export async function* watchWorkflow(
  app: App,
  watching: WorkflowWatching,
  ref: WorkflowRef,
  { signal, roundMs, stillMay }: { signal: AbortSignal; roundMs: number; stillMay: () => Promise<unknown> },
): AsyncGenerator<ShownWorkflow> {
  let now = await readNow(app, ref);
  const leave = takePlace(watching, ref);
  try {
    for (;;) {
      yield await show(app, now);
      if (now.workflow.ended_at) return;
      let changed: Watched | undefined;
      while (!changed) {
        changed = await watching.watcher.changed(ref.workflowId, now.version, roundMs, signal);
        if (signal.aborted) return;
        await stillMay();
      }
      now = changed;
    }
  } finally {
    leave();
  }
}
