// A worker's workflow steps, models that use other models' outputs, and workflow requests.
import { onTestFinished } from "vitest";
import type { JobsApp } from "../../../../core/studio/jobs/local-dispatch.ts";
import { startWorker } from "../../../../core/studio/runs/worker.ts";
import { createUploadReceiver } from "../../../../core/studio/uploads/receive.ts";
import { type AcceptedWorkflow, acceptWorkflow } from "../../../../core/studio/workflows/accept.ts";
import { createAdvancer } from "../../../../core/studio/workflows/advancer.ts";
import { findOwnWorkflow } from "../../../../core/studio/workflows/get.ts";
import { toWorkflow } from "../../../../core/studio/workflows/resource.ts";
import type { WorkflowDoc } from "../../../../core/studio/workflows/store.ts";
import type { Caller } from "../../../../proto/caller.ts";
import type { WorkflowRequest, WorkflowResource } from "../../../../proto/resources/workflow.ts";
import { addTestModel } from "../../../support/app.ts";
import { waitFor } from "../../../support/wait-for.ts";

const takes = (properties: Record<string, unknown>) => ({
  type: "object",
  properties: {
    ...properties,
    duration_seconds: { type: "number", minimum: 1, maximum: 60, default: 3 },
  },
  additionalProperties: false,
});
const image = { type: "string", format: "atelier-input", "x-accept": "image" };
const sound = { type: "string", format: "atelier-input", "x-accept": ["audio", "video"] };

/** `moving` (video, 2 a second) takes a picture as `image` and audio or video as `sound`; `redraw` (image, 4) takes a picture. */
export async function addTakingModels(app: JobsApp): Promise<void> {
  await addTestModel(app, {
    model_slug: "moving",
    estimated_seconds: 10,
    modality: "video",
    credits: 2,
    per: "second",
    params_schema: takes({ image, sound }),
  });
  await addTestModel(app, {
    model_slug: "redraw",
    estimated_seconds: 10,
    credits: 4,
    params_schema: {
      type: "object",
      properties: { image },
      required: ["image"],
      additionalProperties: false,
    },
  });
}

type Step = WorkflowRequest["steps"][number];

export function picture(id: string, change: Partial<Step> = {}): Step {
  return { id, modality: "image", model_slug: "picture", prompt: `picture ${id}`, ...change };
}

export function tune(id: string, change: Partial<Step> = {}): Step {
  return { id, modality: "audio", model_slug: "tune", prompt: `tune ${id}`, ...change };
}

export function moving(id: string, params: Record<string, unknown>, change: Partial<Step> = {}): Step {
  return { id, modality: "video", model_slug: "moving", prompt: `moving ${id}`, params, ...change };
}

export function redraw(id: string, of: string, change: Partial<Step> = {}): Step {
  return {
    id,
    modality: "image",
    model_slug: "redraw",
    prompt: `redraw ${id}`,
    params: { image: of },
    ...change,
  };
}

/** Accepts a workflow of these steps. */
export async function run(
  app: JobsApp,
  caller: Caller,
  request: WorkflowRequest,
  idempotencyKey: string | null = null,
  startsBy?: string,
): Promise<AcceptedWorkflow> {
  const intake = createUploadReceiver(app);
  try {
    return await acceptWorkflow(
      app,
      intake,
      { caller, request, idempotencyKey, startsBy },
      new AbortController().signal,
    );
  } finally {
    await intake.close();
  }
}

/** A worker for the time of the test; it moves workflows on, unless the test does. */
export function startWork(app: JobsApp, { movesOn = true } = {}): void {
  const worker = startWorker(app, { concurrency: 64, leaseMs: 15_000 });
  const advancer = createAdvancer(app);
  if (movesOn) advancer.start();
  onTestFinished(async () => {
    await advancer.stop();
    await worker.stop(0);
  });
}

export async function show(app: JobsApp, workflow: WorkflowDoc): Promise<WorkflowResource> {
  const { account_id: accountId, _id: workflowId } = workflow;
  return toWorkflow(app, await findOwnWorkflow(app, { accountId, workflowId }));
}

export async function ended(app: JobsApp, workflow: WorkflowDoc): Promise<WorkflowResource> {
  return waitFor("the workflow to end", async () => {
    const now = await show(app, workflow);
    return now.ended_at !== null && now;
  });
}

/** For example "a completed, b cancelled". */
export function states({ steps }: WorkflowResource): string {
  return steps.map(({ id, state }) => `${id} ${state}`).join(", ");
}
